//! How a command ends: what is printed, and the exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use scrim::{Repair, printable_json, printable_lines};
use scrim_io::IoError;

use crate::paint::{self, When};

/// The answer of a command.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For standard output.
    pub(crate) answer: String,
    /// For standard error.
    pub(crate) talk: String,
    /// Whether the answer is yes.
    pub(crate) holds: bool,
    /// Whether the answer is text for people, which may have colour.
    pub(crate) for_people: bool,
    /// What was done and stays done, even if the answer cannot be printed.
    pub(crate) done: Option<String>,
}

/// Prints an answer to standard output. A reader who has seen enough and closed the pipe is no error.
fn print(answer: &str) -> io::Result<()> {
    let mut out = io::stdout();
    let printed = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

impl Outcome {
    /// A yes.
    pub(crate) fn yes(answer: String) -> Self {
        Self {
            answer,
            talk: String::new(),
            holds: true,
            for_people: false,
            done: None,
        }
    }

    /// The same, as text for people.
    pub(crate) fn for_people(mut self) -> Self {
        self.for_people = true;
        self
    }

    /// Prints and gives the exit code. Where something was done, the exit code speaks of that: a failed print does not undo it.
    pub(crate) fn finish(self, color: When) -> ExitCode {
        talk(&self.talk, color);
        let printed = if self.for_people {
            let answer = printable_lines(&self.answer);
            if color.paints(&io::stdout()) {
                print(&paint::answer(&answer))
            } else {
                print(&answer)
            }
        } else {
            print(&self.answer)
        };
        match printed {
            Err(error) => {
                if let Some(done) = self.done {
                    let text = format!(
                        "warning: {done}; only this answer could not be printed: standard output: {error}\n"
                    );
                    talk(&text, color);
                    return ExitCode::from(u8::from(!self.holds));
                }
                talk(&format!("error: standard output: {error}\n"), color);
                ExitCode::from(2)
            }
            Ok(()) => ExitCode::from(u8::from(!self.holds)),
        }
    }
}

/// Prints to standard error.
pub(crate) fn talk(text: &str, color: When) {
    let text = printable_lines(text);
    let text = if color.paints(&io::stderr()) {
        paint::talk(&text)
    } else {
        text.into_owned()
    };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Why a command could not run.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    json: bool,
    /// What is known all the same, for standard output.
    answer: Option<String>,
    /// The message and hint with values of a quasi-identifier, for standard error only.
    repair: Option<Repair>,
}

impl Failure {
    /// A failure of the door itself.
    pub(crate) fn new(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self {
            message: message.into(),
            hint: hint.map(str::to_owned),
            json: false,
            answer: None,
            repair: None,
        }
    }

    /// Tells it as JSON too.
    pub(crate) fn in_json(mut self, json: bool) -> Self {
        self.json = json;
        self
    }

    /// Names no value, also where a hierarchy lacks some.
    pub(crate) fn without_values(mut self) -> Self {
        self.repair = None;
        self
    }

    /// Prints an answer all the same.
    pub(crate) fn with_answer(mut self, answer: String) -> Self {
        self.answer = Some(answer);
        self
    }

    /// Prints and gives the exit code.
    pub(crate) fn finish(self, quiet: bool, color: When) -> ExitCode {
        let (message, hint) = match &self.repair {
            Some(repair) => (&repair.message, &repair.hint),
            None => (&self.message, &self.hint),
        };
        let mut text = format!("error: {message}\n");
        if let Some(hint) = hint
            && !quiet
        {
            text.push_str(&format!("\nhint: {hint}\n"));
        }
        talk(&text, color);
        if let Some(answer) = self.answer {
            let answer = if self.json {
                answer.into()
            } else {
                printable_lines(&answer)
            };
            let _ = print(&answer);
        } else if self.json {
            let object = serde_json::json!({ "error": self.message, "hint": self.hint });
            let _ = print(&format!("{}\n", printable_json(&format!("{object:#}"))));
        }
        ExitCode::from(2)
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Self {
            hint: error.hint().map(str::to_owned),
            message: error.to_string(),
            repair: error.repair().cloned(),
            json: false,
            answer: None,
        }
    }
}

impl From<scrim::Error> for Failure {
    fn from(error: scrim::Error) -> Self {
        IoError::from(error).into()
    }
}

impl From<scrim_lab::Failure> for Failure {
    fn from(failure: scrim_lab::Failure) -> Self {
        match failure {
            scrim_lab::Failure::Io(error) => error.into(),
            scrim_lab::Failure::Request { what, hint } => Self::new(what, hint.as_deref()),
            other => Self::new(other.to_string(), None),
        }
    }
}

impl Failure {
    /// The message and the hint; JSON names no value.
    pub(crate) fn into_parts(self, json: bool) -> (String, String) {
        let (message, hint) = match self.repair {
            Some(repair) if !json => (repair.message, repair.hint),
            _ => (self.message, self.hint),
        };
        (message, hint.unwrap_or_default())
    }
}

//! How a command ends: what is printed, and the exit code.

use std::io::{self, Write};
use std::process::ExitCode;

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

    /// Prints and gives the exit code. A reader who has seen enough and closed the pipe is no error. Where something was
    /// done, the exit code speaks of that: a failed print does not undo it.
    pub(crate) fn finish(self, color: When) -> ExitCode {
        talk(&self.talk, color);
        let answer = if self.for_people && color.paints(&io::stdout()) {
            paint::answer(&self.answer)
        } else {
            self.answer
        };
        let printed = io::stdout()
            .write_all(answer.as_bytes())
            .and_then(|()| io::stdout().flush());
        match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
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
            _ => ExitCode::from(u8::from(!self.holds)),
        }
    }
}

/// Prints to standard error.
fn talk(text: &str, color: When) {
    let text = if color.paints(&io::stderr()) {
        paint::talk(text)
    } else {
        text.to_owned()
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
}

impl Failure {
    /// A failure of the door itself.
    pub(crate) fn new(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self {
            message: message.into(),
            hint: hint.map(str::to_owned),
            json: false,
            answer: None,
        }
    }

    /// Tells it as JSON too.
    pub(crate) fn in_json(mut self, json: bool) -> Self {
        self.json = json;
        self
    }

    /// Prints an answer all the same.
    pub(crate) fn with_answer(mut self, answer: String) -> Self {
        self.answer = Some(answer);
        self
    }

    /// Prints and gives the exit code.
    pub(crate) fn finish(self, quiet: bool, color: When) -> ExitCode {
        let mut text = format!("error: {}\n", self.message);
        if let Some(hint) = &self.hint
            && !quiet
        {
            text.push_str(&format!("\nhint: {hint}\n"));
        }
        talk(&text, color);
        if let Some(answer) = self.answer {
            let _ = io::stdout().write_all(answer.as_bytes());
        } else if self.json {
            let object = serde_json::json!({ "error": self.message, "hint": self.hint });
            let _ = writeln!(io::stdout(), "{object:#}");
        }
        ExitCode::from(2)
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Self {
            hint: error.hint().map(str::to_owned),
            message: error.to_string(),
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

impl Failure {
    /// The message and the hint.
    pub(crate) fn into_parts(self) -> (String, String) {
        (self.message, self.hint.unwrap_or_default())
    }
}

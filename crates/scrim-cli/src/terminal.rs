//! Progress on a terminal, Ctrl-C, and questions to the data holder.

use std::io::{self, IsTerminal, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use scrim::algorithm::{DataHolder, Progress, Stop, Tested, Watch};
use scrim::profile::ColumnProfile;
use scrim::table::Role;
use scrim::{Error, printable, printable_lines};
use scrim_io::pipeline::{Door, Stage};
use scrim_lab::Monitor;

use crate::ask::ask;
use crate::ask_role::ask_role;

const TICK: Duration = Duration::from_millis(200);
/// For what has no known end.
const SPINNER: &str = "{spinner} {elapsed_precise} {wide_msg}";
/// For what has.
const BAR: &str = "{spinner} {elapsed_precise} [{bar:20}] {percent:>3}% {wide_msg}";

/// Shows what is going on where standard error is a terminal, and stops when Ctrl-C was pressed.
#[derive(Debug)]
pub(crate) struct Terminal {
    bar: ProgressBar,
    /// Which part of the work it is, with what parts it from the stage.
    part: String,
    stage: &'static str,
    /// How progress looks.
    template: &'static str,
    quiet: bool,
    /// How often Ctrl-C was pressed.
    stopped: Arc<AtomicUsize>,
    /// Whether Ctrl-C ends a search with the best it has, and whether it did.
    keep_best: bool,
    kept: bool,
}

impl Terminal {
    /// A terminal; `quiet` shows nothing.
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let stopped = Arc::new(AtomicUsize::new(0));
        let flag = Arc::clone(&stopped);
        // Where no handler can be set (one is there already), Ctrl-C ends the process: staged files are then left
        // aside under a hidden name, never under their final one.
        let _ = ctrlc::set_handler(move || {
            flag.fetch_add(1, Ordering::SeqCst);
        });
        Self {
            bar,
            part: String::new(),
            stage: "",
            template: "",
            quiet,
            stopped,
            keep_best: false,
            kept: false,
        }
    }

    /// From now on Ctrl-C ends a search that has something with the best it has; pressed again, it ends the work.
    pub(crate) fn keep_best(&mut self) {
        self.keep_best = true;
    }

    /// Prints to standard output while work goes on, without progress in between. A reader who closed the pipe is no error.
    pub(crate) fn printer(&self) -> impl Fn(&str) + use<> {
        let bar = self.bar.clone();
        move |text: &str| {
            bar.suspend(|| {
                let mut out = io::stdout().lock();
                let _ = out
                    .write_all(printable_lines(text).as_bytes())
                    .and_then(|()| out.flush());
            });
        }
    }

    /// Whether there is somebody to ask.
    pub(crate) fn has_somebody() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks what a column is for.
    pub(crate) fn ask_role(&mut self, column: &ColumnProfile) -> Result<Role, Error> {
        let answer = self.asking(|| ask_role(column, &mut io::stdin().lock(), &mut io::stderr()));
        self.check()?;
        answer
    }

    /// Asks something, without progress that would write over the question.
    fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.bar.disable_steady_tick();
        let answer = self.bar.suspend(ask);
        self.bar.enable_steady_tick(TICK);
        answer
    }

    fn show(&self, what: &str) {
        let message = format!("{}{what}", self.part);
        self.bar.set_message(printable(&message).into_owned());
    }

    /// Shows how far something is: a bar where its end is known.
    fn far(&mut self, done: u64, all: Option<u64>) {
        if let Some(all) = all {
            self.bar.set_length(all);
            self.bar.set_position(done.min(all));
        }
        self.style(if all.is_some() { BAR } else { SPINNER });
    }

    fn style(&mut self, template: &'static str) {
        if self.template == template {
            return;
        }
        self.template = template;
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What a search does, and how far it is.
fn words(progress: &Progress) -> String {
    let Progress { doing, checked, .. } = progress;
    if let Some((cost, bound)) = progress.cost {
        let gap = (cost - bound).abs();
        return format!("{doing}: best {cost:.5}, bound {bound:.5}, gap {gap:.5}");
    }
    let best = progress
        .best
        .as_ref()
        .map_or_else(|| "none yet".to_owned(), ToString::to_string);
    let decided = progress.decided.map_or_else(String::new, |(done, all)| {
        format!("{done} of {all} nodes decided, ")
    });
    format!("{doing}: {decided}{checked} checked, best {best}")
}

impl Watch for Terminal {
    fn step(&mut self, progress: &Progress) -> Result<(), Error> {
        let (done, all) = progress.decided.unzip();
        self.far(done.unwrap_or_default(), all);
        self.show(&words(progress));
        self.bar.tick();
        let checked = self.check();
        // What is found so far is applied and certified; the next Ctrl-C ends that too.
        self.kept |= checked.is_err() && self.keeps_best();
        checked
    }

    fn keeps_best(&self) -> bool {
        self.keep_best && self.stopped.load(Ordering::SeqCst) < 2
    }

    fn stop(&self) -> Stop {
        Stop::when_interrupted(&self.stopped, usize::from(self.kept))
    }

    fn data_holder(&mut self) -> Option<&mut dyn DataHolder> {
        Self::has_somebody().then_some(self)
    }
}

impl DataHolder for Terminal {
    fn generalize(&mut self, tested: &Tested<'_>) -> Result<Option<usize>, Error> {
        let answer = self.asking(|| ask(tested, &mut io::stdin().lock(), &mut io::stderr()));
        self.check()?;
        answer
    }
}

impl Monitor for Terminal {
    fn doing(&mut self, what: &'static str) {
        self.style(SPINNER);
        self.bar.enable_steady_tick(TICK);
        self.stage = what;
        self.show(what);
    }
}

impl Door for Terminal {
    fn stage(&mut self, stage: Stage) {
        self.doing(stage.words());
    }

    fn part(&mut self, name: &str) {
        self.part = format!("{name}, ");
    }

    fn say(&mut self, words: &str) {
        if self.quiet {
            return;
        }
        // A bar that is not drawn would swallow it.
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "note: {}", printable_lines(words));
        });
    }

    fn bytes(&mut self, done: u64, total: Option<u64>) -> Result<(), Error> {
        self.far(done, total);
        let of = total.map_or_else(String::new, |total| format!(" of {}", HumanBytes(total)));
        self.show(&format!("{}: {}{of}", self.stage, HumanBytes(done)));
        self.check()
    }

    fn counted(&mut self, done: u64, all: u64, of: &'static str) -> Result<(), Error> {
        self.far(done, Some(all));
        let (done, all) = (HumanCount(done), HumanCount(all));
        self.show(&format!("{}: {done} of {all} {of}", self.stage));
        self.check()
    }

    fn check(&mut self) -> Result<(), Error> {
        if self.stopped.load(Ordering::SeqCst) > usize::from(self.kept) {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }
}

//! What Ctrl-C and SIGTERM do.

use std::sync::{Mutex, PoisonError};

use crate::output::Output;
use crate::status::Status;

type Stop = Box<dyn Fn() -> bool + Send>;

/// What stops the work, if there is more to do than to end.
static STOP: Mutex<Option<Stop>> = Mutex::new(None);

/// Lets the process end in order, with its temporary files removed, from now on.
pub fn install(output: &Output) {
    let handler = || {
        let stop = STOP.lock().unwrap_or_else(PoisonError::into_inner);
        if stop.as_ref().is_none_or(|stop| stop()) {
            fencepost_scratch::exit(Status::Unknown.code().into());
        }
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        output.complain(&format!("warning: Ctrl-C will end the search without a report: {e}"));
    }
}

/// Lets Ctrl-C stop the search, so that what is known can still be told. `stop` says whether it was called before: a
/// second Ctrl-C ends the process at once.
pub fn stop_on_interrupt(stop: impl Fn() -> bool + Send + 'static) {
    *STOP.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(stop));
}

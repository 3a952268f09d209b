use std::sync::Arc;
use std::sync::atomic::Ordering;

use fencepost_check::Watch;

use crate::status::Status;

/// Lets Ctrl-C stop the search, so that what is known can still be told. A second one ends the process at once.
pub fn stop_on_interrupt(watch: &Arc<Watch>) -> Result<(), ctrlc::Error> {
    let watch = Arc::clone(watch);
    ctrlc::set_handler(move || {
        if watch.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(Status::Unknown.code().into());
        }
    })
}

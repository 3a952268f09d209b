use crate::output::Output;
use crate::status::Status;

/// Lets Ctrl-C stop the search, so that what is known can still be told. `stop` says whether it was called before: a
/// second Ctrl-C ends the process at once.
pub fn stop_on_interrupt(stop: impl Fn() -> bool + Send + 'static, output: &Output) {
    let handler = move || {
        if stop() {
            std::process::exit(Status::Unknown.code().into());
        }
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        output.complain(&format!("warning: Ctrl-C will end the search without a report: {e}"));
    }
}

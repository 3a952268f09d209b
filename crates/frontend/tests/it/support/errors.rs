//! What the tests of errors in `.fp` and `.litmus` files share.

use fencepost_frontend::{Error, Input};

/// The message of the first error, the text that it points at, and the label there; then the help, if any.
#[track_caller]
pub fn first_error(
    read: fn(&str, &str) -> Result<Input, Error>,
    text: &str,
    message: &str,
    at: &str,
    label: &str,
    help: Option<&str>,
) {
    let error = read("test", text).map(|_| ()).expect_err("accepted");
    let diagnostic = &error.diagnostics[0];
    let place = &diagnostic.labels[0];
    assert_eq!(diagnostic.message, message, "\n{error}");
    assert_eq!(place.range.of(text), at, "\n{error}");
    assert_eq!(place.text, label, "\n{error}");
    assert_eq!(diagnostic.help.as_deref(), help, "\n{error}");
}

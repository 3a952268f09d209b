//! Values that a step read and wrote, in words.

use fencepost_program::{Address, Names, wide};

use crate::TraceStep;

/// What was read and written, in words.
fn values(read: Option<String>, written: Option<String>) -> String {
    match (read, written) {
        (Some(read), Some(written)) => format!("{read} -> {written}"),
        (Some(read), None) => format!("reads {read}"),
        (None, Some(written)) => format!("writes {written}"),
        (None, None) => String::new(),
    }
}

/// The values of an access as the source writes them, for [`TraceStep::values`].
pub fn source_values(names: &Names, at: Option<Address>, read: Option<i64>, written: Option<i64>) -> Option<String> {
    let at = at.filter(|at| at.pointer_and_size().is_some())?;
    let text = |value: Option<i64>| value.map(|value| names.value_text(at, value));
    Some(values(text(read), text(written)))
}

/// A value that is a number. What a cell of 16 bytes holds is none, but only names one.
pub(crate) fn as_number(at: Option<Address>, value: Option<i64>) -> Option<i64> {
    let is_wide = at.and_then(Address::pointer_and_size).is_some_and(|(_, size)| size == wide::SIZE);
    value.filter(|_| !is_wide)
}

/// The values of an access.
pub(crate) fn access_values(names: &Names, at: Option<Address>, read: Option<i64>, written: Option<i64>) -> String {
    let text = |value: Option<i64>| Some(names.value_text(at?, value?));
    values(text(read), text(written))
}

impl TraceStep {
    /// `reads 0`, `writes 1`, `0 -> 1`, or nothing.
    pub fn values(&self) -> String {
        let text = |value: Option<i64>| value.map(|value| value.to_string());
        self.values.clone().unwrap_or_else(|| values(text(self.read), text(self.written)))
    }
}

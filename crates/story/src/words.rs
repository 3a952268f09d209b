//! Numbers and lists in words.

use bytesize::ByteSize;

use crate::Statistics;

/// The form of a noun for this number.
pub fn plural<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

impl Statistics {
    /// `1,204 states, 3,331 transitions, depth 31, 0.02 s, 4.1 MiB`.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.states.map(|n| format!("{} {}", thousands(n), plural(n, "state", "states"))));
        parts.extend(self.transitions.map(|n| format!("{} {}", thousands(n), plural(n, "transition", "transitions"))));
        parts.extend(self.depth.map(|n| format!("depth {n}")));
        parts.push(format!("{:.2} s", self.seconds));
        parts.push(bytes(self.peak_bytes));
        parts.join(", ")
    }
}

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `512 B`, `4.1 MiB`.
pub fn bytes(number: u64) -> String {
    ByteSize(number).to_string()
}

/// `a`, `a or b`, `a, b or c`.
pub fn list(items: &[impl AsRef<str>], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", init.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_thousands() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn bytes_are_shown_in_the_largest_binary_unit() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 KiB");
        assert_eq!(bytes(5 << 30), "5.0 GiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn figures_that_an_engine_lacks_are_left_out() {
        let statistics = Statistics { states: Some(1), seconds: 0.5, peak_bytes: 2048, ..Statistics::default() };
        assert_eq!(statistics.line(), "1 state, 0.50 s, 2.0 KiB");
    }

    #[test]
    fn lists_end_in_their_conjunction() {
        assert_eq!(list(&["a"], "or"), "a");
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
    }
}

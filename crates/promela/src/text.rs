//! Promela text: identifiers, literals, declarations, and what may stand in comments and strings.

use std::collections::HashSet;

use fencepost_program::code::Interval;
use fencepost_program::{Program, Span, Value};

/// Gives out identifiers, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identifiers {
    taken: HashSet<String>,
}

impl Identifiers {
    /// An identifier like `wanted`, which starts with a prefix of ours and so is no word of Promela or C.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let mut name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// `flag_1` for `flag[1]`, as a part of an identifier.
pub(crate) fn without_brackets(name: &str) -> String {
    name.replace('[', "_").replace(']', "")
}

pub(crate) fn literal(value: Value) -> String {
    if value == i32::MIN as Value {
        "(-2147483647-1)".to_owned()
    } else if value < 0 {
        format!("({value})")
    } else {
        value.to_string()
    }
}

/// Declares a global variable in as few bits as Promela can.
pub(crate) fn shared_variable(name: &str, range: Interval, initial: Value) -> String {
    match Value::BITS - range.hi.leading_zeros() {
        bits @ 2.. if range.lo >= 0 => format!("unsigned {name} : {bits}{};", initializer(initial)),
        _ => local_variable(name, range, initial),
    }
}

/// Declares a local variable. Not in an `unsigned` bit field: when C leaves a gap before such a field, SPIN 6.5.2
/// takes the last byte of the process for padding and does not tell apart states that differ in it.
pub(crate) fn local_variable(name: &str, range: Interval, initial: Value) -> String {
    let fits = |lo: Value, hi: Value| range.is_within(Interval { lo, hi });
    let ty = if fits(0, 1) {
        "bit"
    } else if fits(0, u8::MAX as Value) {
        "byte"
    } else if fits(i16::MIN as Value, i16::MAX as Value) {
        "short"
    } else {
        "int"
    };
    format!("{ty} {name}{};", initializer(initial))
}

fn initializer(value: Value) -> String {
    if value == 0 { String::new() } else { format!(" = {}", literal(value)) }
}

/// `12: x.store(1, rel);`
pub(crate) fn source_line(program: &Program, span: Span) -> String {
    let text = program.sources.get(span.file.0 as usize).and_then(|source| source.line(span.line)).unwrap_or("");
    plain(&format!("{}: {}", span.line, text.trim()))
}

/// What may stand in a comment: printable characters that do not end it.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect();
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// What may stand in the format of a `printf`.
pub(crate) fn quoted(text: &str) -> String {
    plain(text).replace(['"', '\\', '%'], "'")
}

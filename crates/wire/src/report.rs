//! What a program tells, one line of JSON each: that it started, what it found, how it ended. There are program
//! counters in place of symbols, because debug information is not read inside the program.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{Access, Kind, SCHEMA};

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize))]
pub struct Report {
    pub kind: Kind,
    pub process: u32,
    /// The later access, then those that it is in conflict with, or may miss.
    pub accesses: Vec<Access>,
    /// The code that is mapped.
    pub modules: Vec<Module>,
}

/// A file with code that is mapped. As JSON, a list in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize))]
pub struct Module {
    pub path: String,
    pub start: u64,
    pub end: u64,
    /// Of `start` in the file.
    pub offset: u64,
}

/// The first line: a program that does not write it was not instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize))]
pub struct Start {
    pub process: u32,
    /// [`SCHEMA`] of the runtime in the program.
    pub schema: u32,
}

/// How a run under a controlled schedule ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize))]
pub struct End {
    /// Points where another thread could have had its turn.
    pub steps: u64,
    /// A hash of the choices: the same for the same schedule.
    pub schedule: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize), serde(untagged))]
pub enum Line {
    Report(Report),
    Start { start: Start },
    End { end: End },
}

impl Line {
    pub fn start(process: u32) -> Line {
        Line::Start { start: Start { process, schema: SCHEMA } }
    }

    /// A line of a program, or what is wrong with it, as a sentence.
    #[cfg(feature = "read")]
    pub fn read(text: &str) -> Result<Line, String> {
        match serde_json::from_str(text) {
            Ok(Line::Start { start }) if start.schema != SCHEMA => Err(alloc::format!(
                "the program was built by another version of fencepost (reports of version {}, not {SCHEMA}): build it again",
                start.schema
            )),
            Ok(line) => Ok(line),
            Err(error) => Err(alloc::format!("a report could not be read: {error}")),
        }
    }
}

/// The line without its end.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Report(report) => report.fmt(f),
            Line::Start { start } => {
                write!(f, "{{\"start\":{{\"process\":{},\"schema\":{}}}}}", start.process, start.schema)
            }
            Line::End { end } => write!(f, "{{\"end\":{{\"steps\":{},\"schedule\":{}}}}}", end.steps, end.schedule),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"kind\":\"{}\",\"process\":{},\"accesses\":", self.kind.name(), self.process)?;
        list(f, &self.accesses, access)?;
        f.write_str(",\"modules\":")?;
        list(f, &self.modules, module)?;
        f.write_str("}")
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut write: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(",")?;
        }
        write(f, item)?;
    }
    f.write_str("]")
}

fn access(f: &mut fmt::Formatter<'_>, access: &Access) -> fmt::Result {
    f.write_str("{\"thread\":")?;
    match access.thread {
        Some(thread) => write!(f, "{thread}")?,
        None => f.write_str("null")?,
    }
    write!(f, ",\"operation\":\"{}\",\"atomic\":{},\"ordering\":", access.operation.name(), access.atomic)?;
    match access.ordering {
        Some(ordering) => write!(f, "\"{}\"", ordering.name())?,
        None => f.write_str("null")?,
    }
    write!(f, ",\"address\":{},\"size\":{},\"stack\":", access.address, access.size)?;
    list(f, &access.stack, |f, counter| write!(f, "{counter}"))?;
    f.write_str("}")
}

fn module(f: &mut fmt::Formatter<'_>, module: &Module) -> fmt::Result {
    f.write_str("[")?;
    string(f, &module.path)?;
    write!(f, ",{},{},{}]", module.start, module.end, module.offset)
}

fn string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    use fmt::Write;
    f.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            character if character < ' ' => write!(f, "\\u{:04x}", character as u32)?,
            character => f.write_char(character)?,
        }
    }
    f.write_str("\"")
}

#[cfg(all(test, feature = "read"))]
mod tests {
    use alloc::string::ToString;
    use alloc::{format, vec};

    use super::*;
    use crate::{Operation, Ordering};

    fn report(kind: Kind, operation: Operation, ordering: Option<Ordering>) -> Line {
        let access = Access {
            thread: Some(3),
            operation,
            atomic: true,
            ordering,
            address: 0x7fff_ffff_ffff,
            size: 8,
            stack: vec![u64::MAX, 1],
        };
        let unknown = Access { thread: None, atomic: false, stack: Vec::new(), ..access.clone() };
        let path = "/usr/my \"bin\"\\\n\u{1}é/prog".to_string();
        let modules = vec![
            Module { path, start: 1, end: 2, offset: 3 },
            Module { path: String::new(), start: 4, end: 5, offset: 6 },
        ];
        Line::Report(Report { kind, process: 42, accesses: vec![access, unknown], modules })
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let mut lines = vec![
            Line::start(7),
            Line::End { end: End { steps: u64::MAX, schedule: 0 } },
            report(Kind::Race, Operation::Read, None),
        ];
        lines.extend(Kind::ALL.map(|kind| report(kind, Operation::Load, Some(Ordering::Acquire))));
        lines.extend(Operation::ALL.iter().map(|&operation| report(Kind::Race, operation, None)));
        lines.extend(Ordering::ALL.iter().map(|&order| report(Kind::StaleRead, Operation::Store, Some(order))));
        for line in lines {
            let text = line.to_string();
            assert!(!text.contains('\n'), "{text}");
            assert_eq!(Line::read(&text).as_ref(), Ok(&line), "{text}");
        }
    }

    #[test]
    fn a_program_of_another_version_and_a_line_that_is_cut_off_are_told() {
        let other = format!("{{\"start\":{{\"process\":1,\"schema\":{}}}}}", SCHEMA + 1);
        assert!(Line::read(&other).unwrap_err().contains("build it again"));
        let whole = report(Kind::Race, Operation::Read, None).to_string();
        for end in 0..whole.len() {
            if let Some(part) = whole.get(..end) {
                assert!(Line::read(part).unwrap_err().contains("could not be read"), "{part}");
            }
        }
    }
}

//! Witnesses in the formats of SV-COMP, with which validators of others can check an answer about a C program.
//!
//! A violation witness describes a failing execution. The format 1.0 is an automaton in GraphML, with the thread of
//! each step and where threads begin. The format 2.0 is YAML, and was made for sequential programs: it has the values
//! that the program was given, and the place of the violation. A correctness witness has invariants, of which we have
//! none to offer: a validator has to find its own.

mod graphml;
mod yaml;

use fencepost_program::{FileId, Source, Span};
use fencepost_story::{FindingKind, TraceStep};

/// What a witness says, and of which program.
pub struct Witness<'a> {
    pub version: &'a str,
    /// The name of the file with the program.
    pub file: &'a str,
    /// SHA-256 of that file, in hexadecimal.
    pub hash: &'a str,
    /// In the language of SV-COMP, such as `CHECK( init(main()), LTL(G ! data-race) )`.
    pub specification: &'a str,
    /// In the form of ISO 8601.
    pub creation_time: &'a str,
    pub sources: &'a [Source],
    /// The failing execution; `None` if there is none.
    pub violation: Option<Violation<'a>>,
}

pub struct Violation<'a> {
    /// The steps, in an order in which they can be taken.
    pub trace: &'a [TraceStep],
    /// The place of the violation, and the thread.
    pub target: Option<(Span, &'a str)>,
}

/// The file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessFormat {
    /// Version 1.0.
    GraphMl,
    /// Version 2.0.
    Yaml,
}

impl WitnessFormat {
    /// The format that the extension of a file's name shows.
    pub fn of_extension(extension: &str) -> Option<WitnessFormat> {
        match extension {
            "graphml" => Some(WitnessFormat::GraphMl),
            "yml" | "yaml" => Some(WitnessFormat::Yaml),
            _ => None,
        }
    }
}

/// The program never calls `reach_error`; failing assertions count as that.
pub const UNREACHABLE: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
pub const NO_DATA_RACE: &str = "CHECK( init(main()), LTL(G ! data-race) )";

/// The property of SV-COMP that a finding violates, if there is one.
pub fn specification(kind: FindingKind) -> Option<&'static str> {
    match kind {
        FindingKind::Assertion => Some(UNREACHABLE),
        FindingKind::DataRace => Some(NO_DATA_RACE),
        FindingKind::OutOfBounds | FindingKind::UseAfterFree | FindingKind::ConstantWrite => {
            Some("CHECK( init(main()), LTL(G valid-deref) )")
        }
        FindingKind::InvalidFree => Some("CHECK( init(main()), LTL(G valid-free) )"),
        FindingKind::Leak => Some("CHECK( init(main()), LTL(G valid-memtrack) )"),
        _ => None,
    }
}

impl Witness<'_> {
    pub fn text(&self, format: WitnessFormat) -> String {
        match format {
            WitnessFormat::GraphMl => graphml::text(self),
            WitnessFormat::Yaml => yaml::text(self),
        }
    }

    /// Whether the place of the violation, if there is one, is in the program's own file.
    pub fn has_its_place(&self) -> bool {
        let Some(violation) = &self.violation else { return true };
        violation.target.is_some_and(|(span, _)| self.line(span).is_some())
    }

    /// The line of a place, if it is in the program's own file.
    fn line(&self, span: Span) -> Option<u32> {
        self.source_line(span).map(|_| span.line)
    }

    /// The text of that line.
    fn source_line(&self, span: Span) -> Option<&str> {
        let source = self.source(span.file).filter(|source| source.name == self.file)?;
        source.line(span.line)
    }

    fn source(&self, file: FileId) -> Option<&Source> {
        self.sources.get(file.0 as usize)
    }

    /// A call that returned a value of its choice: the function, the value, and the column of its closing parenthesis.
    fn chosen<'a>(&'a self, step: &TraceStep) -> Option<(&'a str, i64, u32)> {
        let value = step.read.filter(|_| step.text.starts_with("choose("))?;
        let line = self.source_line(step.span)?;
        let start = line.char_indices().nth(step.span.column.checked_sub(1)? as usize)?.0;
        let call = &line[start..];
        let open = call.find('(')?;
        let name = call[..open].trim_end();
        let is_name = name.starts_with("__VERIFIER_nondet_") && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let close = call.find(')').filter(|_| is_name)?;
        Some((name, value, line[..start + close].chars().count() as u32 + 1))
    }
}

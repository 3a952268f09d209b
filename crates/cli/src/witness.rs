//! Writes answers for the validators of SV-COMP.

use std::time::SystemTime;

use fencepost_frontend::Language;
use fencepost_program::{Source, Span};
use fencepost_report::{NO_DATA_RACE, UNREACHABLE, Violation, Witness, specification};
use fencepost_story::{Finding, Outcome, ProofDecision, ProofVerdict, Property, TraceStep, Verdict};
use sha2::{Digest, Sha256};

use crate::arguments::WitnessFile;
use crate::input;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::Subject;

const BOUNDED: &str = "the answer is about a part of the executions, as --unroll, --nondet or --argc say";

/// Why there can be no witness for these programs.
pub fn unfit(subjects: &[Subject]) -> Option<&'static str> {
    match subjects {
        [subject] => match &subject.units[..] {
            [unit] if Language::of(&unit.path) == Some(Language::C) => None,
            [_] => Some("--witness is for C programs: the formats have no form for other languages"),
            _ => Some("--witness is about a program in one file"),
        },
        _ => Some("--witness writes one file, so it goes with one input only"),
    }
}

/// What an answer gives a witness to say.
pub enum Content<'a> {
    Violation {
        specification: &'static str,
        trace: &'a [TraceStep],
        target: Option<(Span, &'a str)>,
        /// Validators take memory to be sequentially consistent.
        interleaved: bool,
    },
    Correctness {
        specification: &'static str,
    },
    /// Why there is none.
    Nothing(String),
}

impl<'a> Content<'a> {
    pub fn of_verdict(verdict: &'a Verdict, properties: &[Property], bounded: bool) -> Content<'a> {
        match (&verdict.outcome, verdict.violations.first()) {
            (Outcome::Violated, Some(finding)) => Content::of_finding(finding),
            (Outcome::Holds, _) if bounded => Content::Nothing(BOUNDED.into()),
            (Outcome::Holds, _) => match properties {
                _ if properties.contains(&Property::Assertions) => Content::Correctness { specification: UNREACHABLE },
                _ if properties.contains(&Property::Races) => Content::Correctness { specification: NO_DATA_RACE },
                _ => Content::Nothing("SV-COMP has no such property".into()),
            },
            _ => Content::Nothing("the answer is not known".into()),
        }
    }

    fn of_finding(finding: &'a Finding) -> Content<'a> {
        let Some(specification) = specification(finding.kind) else {
            return Content::Nothing(format!("SV-COMP has no property that forbids a {}", finding.kind.noun()));
        };
        let target = finding.accesses.first().map(|access| (access.span, access.thread.as_str()));
        Content::Violation { specification, trace: &finding.trace, target, interleaved: finding.interleaved }
    }

    pub fn of_proof(verdict: &'a ProofVerdict, bounded: bool) -> Content<'a> {
        let real = verdict.assertions.iter().find_map(|answer| match answer.alarm.as_ref()?.decision.as_ref()? {
            ProofDecision::Real(trace) => Some((answer, answer.alarm.as_ref()?, trace)),
            _ => None,
        });
        match (&verdict.outcome, real) {
            (Outcome::Holds, _) if bounded => Content::Nothing(BOUNDED.into()),
            (Outcome::Holds, _) => Content::Correctness { specification: UNREACHABLE },
            (Outcome::Violated, Some((answer, alarm, trace))) if answer.kind == "assertion" => {
                let target = Some((answer.span, alarm.thread.as_deref().unwrap_or("main")));
                // The order of the steps may be any that goes along program order and reads-from.
                Content::Violation { specification: UNREACHABLE, trace, target, interleaved: true }
            }
            (Outcome::Violated, Some((answer, ..))) => {
                let kind = answer.kind.replace('-', " ");
                Content::Nothing(format!("`explore --witness` has one for a violation of this kind: {kind}"))
            }
            _ => Content::Nothing("the answer is not known".into()),
        }
    }
}

/// Writes the witness, or says why there is none.
pub fn write(to: &WitnessFile, subject: &Subject, sources: &[Source], content: Content, output: &Output) -> Status {
    let nothing =
        |why: &str| output.complain(&format!("note: there is no witness to write to {}: {why}", to.path.display()));
    let [unit] = &subject.units[..] else { return Status::Holds };
    let program = &unit.path;
    let (specification, violation) = match content {
        Content::Violation { specification, trace, target, interleaved } => {
            if !interleaved {
                output.complain("note: the execution is not an interleaving; validators of witnesses look for one");
            }
            (specification, Some(Violation { trace, target }))
        }
        Content::Correctness { specification } => (specification, None),
        Content::Nothing(why) => {
            nothing(&why);
            return Status::Holds;
        }
    };
    let hash = match std::fs::read(program) {
        Ok(bytes) => Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        Err(error) => {
            output.error(&format!("cannot read {}: {error}", input::name(program)));
            return Status::Trouble;
        }
    };
    let witness = Witness {
        version: env!("CARGO_PKG_VERSION"),
        file: &subject.name,
        hash: &hash,
        specification,
        creation_time: &humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        sources,
        violation,
    };
    if !witness.has_its_place() {
        nothing(&format!("the violation is not in a line of {}", subject.name));
        return Status::Holds;
    }
    output.write_file(&to.path, &witness.text(to.format))
}

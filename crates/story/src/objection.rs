//! Why a model forbids an execution, in words.

use fencepost_graph::{EventId, Graph, Step as CycleStep};
use fencepost_models::{Model, Objection};
use fencepost_program::Names;

use crate::Run;
use crate::listing::event_number;

/// The rule that is broken and the cycle that breaks it, a line each. Events have the numbers of the listing of the
/// graph.
pub fn objection_text(run: &Run, model: Model, objection: &Objection) -> Vec<String> {
    let mut lines = vec![format!("It breaks a rule of {model}: {}. Here", objection.axiom.text())];
    Words { names: &run.names, graph: &run.graph }.tell(objection, 0, &mut lines);
    lines
}

struct Words<'a> {
    names: &'a Names<'a>,
    graph: &'a Graph,
}

impl Words<'_> {
    fn tell(&self, objection: &Objection, depth: usize, lines: &mut Vec<String>) {
        let indent = "  ".repeat(depth);
        for forced in &objection.forced {
            let (first, second) = (self.name(forced.first), self.name(forced.second));
            lines.push(format!("{indent}- {first} must take effect before {second} (pushto). Otherwise"));
            self.tell(&forced.because, depth + 1, lines);
        }
        lines.extend(objection.cycle.iter().map(|step| format!("{indent}- {}", self.step(step))));
    }

    fn step(&self, &(from, relation, to): &CycleStep) -> String {
        let (a, b) = (self.name(from), self.name(to));
        if from == to {
            return format!("the write of {a} comes after its read ({relation})");
        }
        if self.graph.event(from).is_initial() && relation.starts_with("po") {
            return format!("{a} comes before {b} ({relation})");
        }
        let threads = [from, to].map(|event| self.graph.event(event).thread);
        match relation {
            "po" | "po-loc" if threads[0] != threads[1] => {
                format!("{a} comes before {b} by the creation or the join of a thread ({relation})")
            }
            "po" | "po-loc" => format!("{a} is before {b} in its thread ({relation})"),
            "rf" | "rfe" => format!("{a} is read by {b} ({relation})"),
            "rf⁻¹" => format!("{a} reads from {b} ({relation})"),
            "mo" => format!("{a} is overwritten by {b} (mo)"),
            "fr" => format!("{a} reads what {b} overwrites (fr)"),
            "sw" => format!("{a} synchronises with {b} (sw)"),
            "ppo" => format!("{a} stays before {b} on the processor (ppo)"),
            "barrier" => format!("a barrier keeps {a} before {b}"),
            "ra" => format!("a release, acquire or volatile access is between {a} and {b} (ra)"),
            "svo" => format!("an access between a release and an acquire fence is between {a} and {b} (svo)"),
            "spush" => format!("an SC fence is between {a} and {b} (spush)"),
            "volint" => format!("{a} and {b} are volatile accesses in program order (volint)"),
            "pushto" => format!("{a} takes effect before {b} (pushto)"),
            _ => format!("{a} comes before {b} ({relation})"),
        }
    }

    fn name(&self, id: EventId) -> String {
        let event = self.graph.event(id);
        match event.label.address {
            _ if !event.is_initial() => event_number(self.graph, id).to_string(),
            Some(at) => format!("the initial value of {}", self.names.cell_name(at)),
            None => "an initial value".to_string(),
        }
    }
}

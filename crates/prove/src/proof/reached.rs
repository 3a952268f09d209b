//! Assertions that no execution reaches. They are proved, and the report marks them, because they may be a mistake.

use std::collections::BTreeSet;

use fencepost_program::{Inst, Operand, Span};

use crate::domains::Domain;
use crate::proof::property::{Check, Property, PropertyKind};
use crate::proof::prover::{FEW_CASES, Prover};
use crate::proof::{Answer, Method};
use crate::search::Found;
use crate::threads::code::Step;

impl<D: Domain> Prover<'_, '_, D> {
    /// Marks proved assertions that are never reached, and adds those of which nothing is left. A `guard` is a call
    /// that fails: the program means it not to be reached, so that is not worth a remark.
    pub(crate) fn mark_unreached(&self, answers: &mut Vec<Answer>, asserted: &[Span], guards: &BTreeSet<Span>) {
        let is_assertion = |answer: &&mut Answer| answer.check == Check::Assertion && answer.is_proved();
        for answer in answers.iter_mut().filter(is_assertion) {
            answer.reached = guards.contains(&answer.span) || self.may_be_reached(answer.span);
        }
        for &span in asserted.iter().filter(|span| span.line != 0) {
            if !answers.iter().any(|a| a.span == span && a.check == Check::Assertion) {
                answers.push(Answer { check: Check::Assertion, span, alarm: None, reached: false, cases: 0 });
            }
        }
    }

    fn may_be_reached(&self, span: Span) -> bool {
        let mut nodes = Vec::new();
        for (thread, code) in self.system.codes.iter().enumerate() {
            let asserts = |node: &usize| {
                code.nodes[*node].span == span && matches!(code.nodes[*node].step, Step::Do(Inst::Assert { .. }))
            };
            nodes.extend((0..code.nodes.len()).filter(asserts).map(|node| (thread, node)));
        }
        nodes.retain(|&(thread, node)| self.facts.states[thread].before[node].is_some());
        // Of a loop's passes, a case knows one.
        let once = nodes.iter().all(|&(thread, node)| self.system.flows[thread].once(node));
        if !once || self.options.method == Method::Mine {
            return !nodes.is_empty();
        }
        nodes.iter().any(|&at| self.limits.are_reached() || self.has_case(at))
    }

    /// Whether some case of a few may get to a node.
    pub(crate) fn has_case(&self, (thread, node): (usize, usize)) -> bool {
        let span = self.system.codes[thread].nodes[node].span;
        let kind = PropertyKind::Nonzero { thread, node, operand: Operand::Const(0), why: Check::Assertion };
        let mut search = self.search(FEW_CASES);
        !matches!(search.prove(&Property { kind, span }, self.facts), Found::Proof)
    }
}

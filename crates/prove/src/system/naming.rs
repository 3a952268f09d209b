//! What the values of a property are called.

use fencepost_program::{Inst, Operand, Reg};

use crate::system::System;
use crate::threads::code::Step;

/// A register where it has the value that matters.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) reg: Reg,
    /// The node before which it was just loaded; `None` for where the property is asked.
    pub(crate) loaded: Option<usize>,
}

impl System<'_> {
    /// The registers that an operand is computed from, as far back as there is a name: that of a variable, or of the
    /// cell that was loaded. C asserts by a call behind a branch, so of a constant it is the branch that tells.
    pub(crate) fn names_behind(&self, thread: usize, node: usize, operand: Operand) -> Vec<Named> {
        let (node, operand) = match operand {
            Operand::Const(_) => self.condition_of(thread, node).unwrap_or((node, operand)),
            _ => (node, operand),
        };
        let (mut found, mut seen, mut work) = (Vec::new(), Vec::new(), vec![(node, operand)]);
        while let Some((node, operand)) = work.pop() {
            let Operand::Reg(reg) = operand else { continue };
            if seen.contains(&(node, reg)) {
                continue;
            }
            seen.push((node, reg));
            if let Some(name) = self.codes[thread].name(reg) {
                found.push(Named { name: name.to_owned(), reg, loaded: None });
                continue;
            }
            for (at, inst) in self.definitions(thread, node, reg) {
                match *inst {
                    // A register may hold something else later on, so it is looked at right behind the load.
                    Inst::Load { .. } => {
                        let cell = self.event_at[thread][at].and_then(|event| self.events[event].cell());
                        let name = cell.map(|cell| self.program.cell_name(cell));
                        let loaded = self.codes[thread].nodes[at].next.first().map(|&next| next as usize);
                        found.extend(name.map(|name| Named { name, reg, loaded }));
                    }
                    Inst::Copy { a, .. } | Inst::Unary { a, .. } => work.push((at, a)),
                    Inst::Arithmetic { a, b, .. } => work.extend([(at, b), (at, a)]),
                    Inst::Select { cond, yes, no, .. } => work.extend([(at, no), (at, yes), (at, cond)]),
                    _ => {}
                }
            }
        }
        found
    }

    /// The instructions whose result a register may hold just before a node.
    fn definitions(&self, thread: usize, node: usize, reg: Reg) -> Vec<(usize, &Inst)> {
        let (nodes, before) = (&self.codes[thread].nodes, &self.flows[thread].predecessors);
        let (mut found, mut seen, mut work) = (Vec::new(), vec![false; nodes.len()], before[node].clone());
        while let Some(at) = work.pop() {
            let at = at as usize;
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match &nodes[at].step {
                Step::Do(inst) if inst.defines(reg) => found.push((at, inst)),
                _ => work.extend(&before[at]),
            }
        }
        found
    }

    /// The branch that alone leads to a node, and its condition.
    fn condition_of(&self, thread: usize, mut node: usize) -> Option<(usize, Operand)> {
        for _ in 0..self.codes[thread].nodes.len() {
            let [before] = self.flows[thread].predecessors[node][..] else { return None };
            node = before as usize;
            if let Step::Branch(condition) = self.codes[thread].nodes[node].step {
                return Some((node, condition));
            }
        }
        None
    }
}

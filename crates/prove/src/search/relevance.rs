//! Which loads a property depends on: those whose values flow into it, or decide whether the thread gets there, in its
//! own thread and in those that write what it reads.

use fencepost_program::question::Observable;
use fencepost_program::{Inst, Operand, Reg};

use crate::proof::property::{Property, PropertyKind};
use crate::system::{At, EventId, System};
use crate::threads::code::{Remembered, Step};
use crate::threads::interpret::place;
use fencepost_program::code::BitSet;

struct Slice<'s, 'p> {
    system: &'s System<'p>,
    loads: BitSet,
    /// For each thread, by register and by node.
    registers: Vec<BitSet>,
    targets: Vec<BitSet>,
    work: Vec<Item>,
}

enum Item {
    Register(usize, Reg),
    /// The thread gets to this node.
    Target(usize, usize),
    Load(EventId),
}

impl System<'_> {
    pub(crate) fn relevant_loads(&self, property: &Property) -> BitSet {
        let mut slice = Slice {
            system: self,
            loads: BitSet::new(self.events.len()),
            registers: self.codes.iter().map(|c| BitSet::new(c.types.len())).collect(),
            targets: self.codes.iter().map(|c| BitSet::new(c.nodes.len())).collect(),
            work: Vec::new(),
        };
        match &property.kind {
            PropertyKind::Nonzero { thread, node, operand, .. }
            | PropertyKind::InBounds { thread, node, index: operand, .. } => {
                slice.operand(*thread, *operand);
                slice.work.push(Item::Target(*thread, *node));
            }
            PropertyKind::Quotient { thread, node, operands, .. } => {
                operands.iter().for_each(|operand| slice.operand(*thread, *operand));
                slice.work.push(Item::Target(*thread, *node));
            }
            PropertyKind::Never(proposition) => {
                let mut observables = Vec::new();
                proposition.collect_observables(&mut observables);
                for observable in observables {
                    if let Observable::Register { thread, reg } = observable {
                        slice.operand(thread, Operand::Reg(reg));
                    }
                }
                for (thread, code) in self.codes.iter().enumerate() {
                    slice.work.push(Item::Target(thread, code.end()));
                }
                let ends = self.events.iter().enumerate().filter(|(_, e)| e.at == At::End);
                slice.work.extend(ends.map(|(id, _)| Item::Load(id)));
            }
        }
        slice.close();
        slice.loads
    }
}

impl Slice<'_, '_> {
    fn operand(&mut self, thread: usize, operand: Operand) {
        if let Operand::Reg(reg) = operand {
            self.work.push(Item::Register(thread, reg));
        }
    }

    fn close(&mut self) {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Register(thread, reg) => self.register(thread, reg),
                Item::Target(thread, node) => self.target(thread, node),
                Item::Load(load) => self.load(load),
            }
        }
    }

    fn register(&mut self, thread: usize, reg: Reg) {
        if self.registers[thread].contains(reg.0 as usize) {
            return;
        }
        self.registers[thread].insert(reg.0 as usize);
        for node in 0..self.system.codes[thread].nodes.len() {
            let Step::Do(inst) = &self.system.codes[thread].nodes[node].step else { continue };
            if let Some(Remembered { register, is_read_back }) = self.system.codes[thread].remembered(node) {
                match *inst {
                    Inst::Store { value, .. } if register == reg => self.operand(thread, value),
                    Inst::Load { .. } if register == reg => {
                        self.work.extend(self.system.event_at[thread][node].map(Item::Load));
                    }
                    Inst::Load { dst, .. } if is_read_back && dst == Some(reg) => {
                        self.operand(thread, Operand::Reg(register));
                    }
                    _ => {}
                }
            }
            match *inst {
                Inst::Copy { dst, a } | Inst::Unary { dst, a, .. } if dst == reg => self.operand(thread, a),
                Inst::Select { dst, cond, yes, no } if dst == reg => {
                    [cond, yes, no].into_iter().for_each(|operand| self.operand(thread, operand));
                }
                Inst::Arithmetic { dst, a, b, .. } if dst == reg => {
                    self.operand(thread, a);
                    self.operand(thread, b);
                }
                Inst::Load { dst: Some(dst), .. }
                | Inst::Rmw { dst: Some(dst), .. }
                | Inst::Wait { dst: Some(dst), .. }
                    if dst == reg =>
                {
                    self.work.extend(self.system.event_at[thread][node].map(Item::Load));
                }
                Inst::Cas { old, ok, expected, .. } if old == Some(reg) || ok == Some(reg) => {
                    self.operand(thread, expected);
                    self.work.extend(self.system.event_at[thread][node].map(Item::Load));
                }
                _ => {}
            }
        }
    }

    fn target(&mut self, thread: usize, target: usize) {
        if self.targets[thread].contains(target) {
            return;
        }
        self.targets[thread].insert(target);
        for node in 0..self.system.codes[thread].nodes.len() {
            if !self.system.flows[thread].reaches(node, target) {
                continue;
            }
            match self.system.codes[thread].nodes[node].step {
                Step::Branch(cond) => self.operand(thread, cond),
                Step::Do(Inst::Assume { cond } | Inst::Assert { cond }) => self.operand(thread, cond),
                Step::Do(Inst::Wait { value: with, .. } | Inst::Rmw { when: Some((_, with)), .. }) => {
                    self.operand(thread, with);
                    self.work.extend(self.system.event_at[thread][node].map(Item::Load));
                }
                _ => {}
            }
        }
    }

    fn load(&mut self, load: EventId) {
        if self.loads.contains(load) {
            return;
        }
        self.loads.insert(load);
        self.index(load);
        for &store in &self.system.events[load].sources {
            let At::Node { thread, node } = self.system.events[store].at else { continue };
            self.work.push(Item::Target(thread, node));
            self.index(store);
            let Some(inst) = self.system.inst(store) else { continue };
            match *inst {
                Inst::Store { value, .. } => self.operand(thread, value),
                Inst::Rmw { operand, .. } => self.operand(thread, operand),
                Inst::Cas { desired, .. } => self.operand(thread, desired),
                _ => {}
            }
            if inst.reads() {
                self.work.push(Item::Load(store));
            }
        }
    }

    fn index(&mut self, event: EventId) {
        if let (Some(thread), Some(inst)) = (self.system.events[event].thread(), self.system.inst(event))
            && let Some(place) = place(inst)
        {
            self.operand(thread, place.index);
        }
    }
}

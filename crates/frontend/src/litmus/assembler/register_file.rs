//! The registers of a thread. A register of which one part is used is a variable of that size. One of which several
//! parts are used is a variable of 64 bits, and its parts are computed.

use super::registers::{Family, View};
use super::sizes::signed;
use crate::builder::FunctionBuilder;
use crate::text::TextRange;
use fencepost_program::{ArithmeticOp, Inst, Operand, Reg, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct RegisterFile<'t> {
    slots: BTreeMap<Family<'t>, Slot<'t>>,
}

struct Slot<'t> {
    reg: Reg,
    /// The only part that is used.
    only: Option<View<'t>>,
}

impl<'t> RegisterFile<'t> {
    /// For the parts that a thread uses, each with the name that the test has for it.
    pub(super) fn new(views: &[(View<'t>, &'t str)], builder: &mut FunctionBuilder<'_>) -> RegisterFile<'t> {
        let mut families: BTreeMap<Family<'t>, BTreeSet<View<'t>>> = BTreeMap::new();
        for (view, _) in views {
            families.entry(view.family).or_default().insert(*view);
        }
        let slot = |(family, used): (Family<'t>, BTreeSet<View<'t>>)| {
            let first = used.first().copied().filter(|view| used.len() == 1 && !view.high);
            let name = views.iter().find(|(view, _)| view.family == family).map_or("", |(_, name)| *name);
            let reg = match first {
                Some(view) => builder.variable(name, signed(view.bits)),
                None => builder.variable(family.name(), signed(64)),
            };
            (family, Slot { reg, only: first })
        };
        RegisterFile { slots: families.into_iter().map(slot).collect() }
    }

    /// The variable that is this part and nothing else.
    pub(super) fn variable(&self, view: View<'t>) -> Option<Reg> {
        self.slots.get(&view.family).filter(|slot| slot.only == Some(view)).map(|slot| slot.reg)
    }

    /// The part as a signed word.
    pub(super) fn read(&self, view: View<'t>, builder: &mut FunctionBuilder<'_>, range: TextRange) -> Operand {
        let Some(slot) = self.slots.get(&view.family) else { return Operand::Const(0) };
        if slot.only.is_some() || view.bits == 64 {
            return Operand::Reg(slot.reg);
        }
        let mut word = Operand::Reg(slot.reg);
        if view.high {
            word = builder.binary(ArithmeticOp::LShr, word, Operand::Const(8), None, range);
        }
        let dst = builder.temporary();
        builder.emit(Inst::Unary { dst, op: UnaryOp::Trunc, from: 64, to: view.bits, a: word }, range);
        Operand::Reg(dst)
    }

    /// Sets a part. With 32 bits the others become 0, with fewer they stay.
    pub(super) fn write(&self, view: View<'t>, value: Operand, builder: &mut FunctionBuilder<'_>, range: TextRange) {
        let Some(slot) = self.slots.get(&view.family) else { return };
        if slot.only.is_some() || view.bits == 64 {
            return builder.copy(slot.reg, value, range);
        }
        let mask = (1i64 << view.bits) - 1;
        let word = builder.binary(ArithmeticOp::And, value, Operand::Const(mask), None, range);
        if view.bits == 32 {
            return builder.copy(slot.reg, word, range);
        }
        let distance = if view.high { 8 } else { 0 };
        let word = builder.binary(ArithmeticOp::Shl, word, Operand::Const(distance), None, range);
        let (old, others) = (Operand::Reg(slot.reg), Operand::Const(!(mask << distance)));
        let kept = builder.binary(ArithmeticOp::And, old, others, None, range);
        let merged = builder.binary(ArithmeticOp::Or, kept, word, Some(slot.reg), range);
        builder.copy(slot.reg, merged, range);
    }
}

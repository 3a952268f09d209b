//! The syntax tree of a test in assembler.

use super::operations::Operation;
use super::registers::View;
use crate::litmus::ast::{Init, Name, Questions};
use crate::text::TextRange;

pub(super) struct Test<'t> {
    pub init: Vec<Init<'t>>,
    pub threads: Vec<Thread<'t>>,
    pub questions: Questions<'t>,
}

pub(super) struct Thread<'t> {
    pub number: i64,
    pub range: TextRange,
    pub code: Vec<Line<'t>>,
}

pub(super) enum Line<'t> {
    Label(Name<'t>),
    Instruction(Instruction<'t>),
}

pub(super) struct Instruction<'t> {
    pub range: TextRange,
    pub locked: bool,
    pub operation: Operation,
    /// The bits that the mnemonic names.
    pub bits: Option<u8>,
    /// The destination comes first, whatever the syntax.
    pub operands: Vec<Operand<'t>>,
    /// Of a jump.
    pub target: Option<Name<'t>>,
}

#[derive(Clone, Copy)]
pub(super) enum Operand<'t> {
    Register(View<'t>, TextRange),
    Immediate(i64, TextRange),
    /// `$x`, the address of a location.
    Address(Name<'t>),
    Memory(Memory<'t>),
}

/// `displacement + symbol + base + index * scale`.
#[derive(Clone, Copy)]
pub(super) struct Memory<'t> {
    pub range: TextRange,
    /// Bits that `DWORD PTR` and the like name.
    pub bits: Option<u8>,
    pub symbol: Option<Name<'t>>,
    pub base: Option<View<'t>>,
    pub index: Option<(View<'t>, i64)>,
    pub displacement: i64,
}

impl<'t> Operand<'t> {
    pub(super) fn range(&self) -> TextRange {
        match self {
            Operand::Register(_, range) | Operand::Immediate(_, range) => *range,
            Operand::Address(name) => name.range,
            Operand::Memory(memory) => memory.range,
        }
    }

    pub(super) fn memory(&self) -> Option<&Memory<'t>> {
        match self {
            Operand::Memory(memory) => Some(memory),
            _ => None,
        }
    }

    pub(super) fn is_memory(&self) -> bool {
        self.memory().is_some()
    }
}

impl<'t> Memory<'t> {
    /// The location and the distance from its start, if no register is part of the address.
    pub(super) fn fixed(&self) -> Option<(Name<'t>, i64)> {
        let symbol = self.symbol.filter(|_| self.base.is_none() && self.index.is_none())?;
        Some((symbol, self.displacement))
    }
}

impl<'t> Instruction<'t> {
    pub(super) fn memory(&self) -> Option<&Memory<'t>> {
        self.operands.iter().find_map(Operand::memory)
    }

    /// The registers that it names.
    pub(super) fn for_each_view(&self, mut on: impl FnMut(View<'t>)) {
        for operand in &self.operands {
            match operand {
                Operand::Register(view, _) => on(*view),
                Operand::Memory(memory) => {
                    memory.base.into_iter().for_each(&mut on);
                    memory.index.into_iter().for_each(|(view, _)| on(view));
                }
                Operand::Immediate(..) | Operand::Address(_) => {}
            }
        }
    }
}

use super::functions::Body;
use super::{Parser, Result};
use crate::lexer::Token;
use crate::{AtomicOrdering, Op, RmwOp};

impl<'a> Parser<'a> {
    /// `alloca T, i32 5, align 4`
    pub(super) fn alloca(&mut self, body: &mut Body<'a>) -> Result<Op> {
        self.take_word("inalloca")?;
        self.take_word("swifterror")?;
        let ty = self.ty()?;
        let mut count = None;
        let mut alignment = 1;
        while self.at(b',') && !self.metadata_follows() {
            self.advance()?;
            if self.take_word("align")? {
                alignment = self.number("an alignment")?;
            } else if self.at_word("addrspace") {
                self.skip_attribute()?;
            } else {
                count = Some(self.typed_value(body)?);
            }
        }
        Ok(Op::Alloca { ty, count, alignment })
    }

    fn metadata_follows(&self) -> bool {
        let mut ahead = self.lexer;
        matches!(ahead.next(), Ok(Token::Metadata(_)))
    }

    /// `load atomic volatile T, ptr %p syncscope("singlethread") acquire, align 4`
    pub(super) fn load(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let atomic = self.take_word("atomic")?;
        self.take_word("volatile")?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let (_, pointer) = self.typed_value(body)?;
        let (single_thread, ordering) = self.ordering_of_access(atomic)?;
        let alignment = self.alignment()?;
        Ok(Op::Load { ty, pointer, ordering, single_thread, alignment })
    }

    pub(super) fn store(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let atomic = self.take_word("atomic")?;
        self.take_word("volatile")?;
        let (ty, value) = self.typed_value(body)?;
        self.expect(b',')?;
        let (_, pointer) = self.typed_value(body)?;
        let (single_thread, ordering) = self.ordering_of_access(atomic)?;
        let alignment = self.alignment()?;
        Ok(Op::Store { ty, value, pointer, ordering, single_thread, alignment })
    }

    /// `, align 4`
    fn alignment(&mut self) -> Result<Option<u64>> {
        let mut ahead = self.lexer;
        if !self.at(b',') || !matches!(ahead.next(), Ok(Token::Word("align"))) {
            return Ok(None);
        }
        self.advance()?;
        self.advance()?;
        self.number("an alignment").map(Some)
    }

    fn ordering_of_access(&mut self, atomic: bool) -> Result<(bool, Option<AtomicOrdering>)> {
        if !atomic {
            return Ok((false, None));
        }
        let single_thread = self.sync_scope()?;
        Ok((single_thread, Some(self.ordering()?)))
    }

    /// Whether the scope is one thread: a compiler barrier.
    fn sync_scope(&mut self) -> Result<bool> {
        if !self.take_word("syncscope")? {
            return Ok(false);
        }
        self.expect(b'(')?;
        let single = self.token == Token::Str("singlethread");
        self.advance()?;
        self.expect(b')')?;
        Ok(single)
    }

    fn ordering(&mut self) -> Result<AtomicOrdering> {
        let Token::Word(word) = self.token else { return self.expected("an ordering") };
        let ordering = match word {
            "unordered" => AtomicOrdering::Unordered,
            "monotonic" => AtomicOrdering::Monotonic,
            "acquire" => AtomicOrdering::Acquire,
            "release" => AtomicOrdering::Release,
            "acq_rel" => AtomicOrdering::AcqRel,
            "seq_cst" => AtomicOrdering::SeqCst,
            _ => return self.expected("an ordering"),
        };
        self.advance()?;
        Ok(ordering)
    }

    pub(super) fn get_element_ptr(&mut self, body: &mut Body<'a>) -> Result<Op> {
        while let Token::Word("inbounds" | "nusw" | "nuw" | "inrange") = self.token {
            self.skip_attribute()?;
        }
        let source = self.ty()?;
        self.expect(b',')?;
        let (_, base) = self.typed_value(body)?;
        let mut indices = Vec::new();
        while self.at(b',') && !self.metadata_follows() {
            self.advance()?;
            indices.push(self.typed_value(body)?);
        }
        Ok(Op::GetElementPtr { source, base, indices })
    }

    /// `cmpxchg weak volatile ptr %p, T %expected, T %desired acq_rel monotonic, align 4`
    pub(super) fn compare_exchange(&mut self, body: &mut Body<'a>) -> Result<Op> {
        let weak = self.take_word("weak")?;
        self.take_word("volatile")?;
        let (_, pointer) = self.typed_value(body)?;
        self.expect(b',')?;
        let (ty, expected) = self.typed_value(body)?;
        self.expect(b',')?;
        let (_, desired) = self.typed_value(body)?;
        self.sync_scope()?;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        Ok(Op::CmpXchg { weak, ty, pointer, expected, desired, success, failure })
    }

    /// `atomicrmw volatile add ptr %p, T %v seq_cst, align 4`
    pub(super) fn atomic_rmw(&mut self, body: &mut Body<'a>) -> Result<Op> {
        self.take_word("volatile")?;
        let op = match self.word("an operation")? {
            "xchg" => RmwOp::Xchg,
            "add" => RmwOp::Add,
            "sub" => RmwOp::Sub,
            "and" => RmwOp::And,
            "nand" => RmwOp::Nand,
            "or" => RmwOp::Or,
            "xor" => RmwOp::Xor,
            "max" => RmwOp::Max,
            "min" => RmwOp::Min,
            "umax" => RmwOp::UMax,
            "umin" => RmwOp::UMin,
            other => RmwOp::Other(self.module.names.intern(other)),
        };
        let (_, pointer) = self.typed_value(body)?;
        self.expect(b',')?;
        let (ty, value) = self.typed_value(body)?;
        self.sync_scope()?;
        let ordering = self.ordering()?;
        Ok(Op::AtomicRmw { op, ty, pointer, value, ordering })
    }

    pub(super) fn fence(&mut self) -> Result<Op> {
        let single_thread = self.sync_scope()?;
        Ok(Op::Fence { ordering: self.ordering()?, single_thread })
    }
}

//! What the lock of atomic sections adds to functions.

use fencepost_llvm::Instruction;
use fencepost_program::{Inst, Operand};

use super::{BEGIN, END, Guard};
use crate::c::function::FunctionLowering;

impl Guard {
    /// Whether an instruction is an access that takes the lock.
    fn is_for(self, inst: &Inst) -> bool {
        let (reads, writes, order) = match *inst {
            Inst::Load { order, .. } => (true, false, order),
            Inst::Store { order, .. } => (false, true, order),
            Inst::Rmw { when: None, order, .. } => (true, true, order),
            Inst::Cas { success, .. } => (true, true, success),
            _ => return false,
        };
        (reads && self.reads || writes && self.writes) && (self.plain || order.is_atomic())
    }

    fn functions(self) -> [&'static str; 2] {
        match self.asks {
            true => ["__fencepost_lock_sections_outside", "__fencepost_unlock_sections_outside"],
            false => ["__fencepost_lock_sections", "__fencepost_unlock_sections"],
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// What the sections mean for an instruction of the current block.
    pub(in crate::c) fn look_around(&mut self, number: usize, instruction: &Instruction) {
        let Some(sections) = self.lowering.sections.clone() else { return };
        let whereabouts = sections.whereabouts(self.at, self.block, number);
        self.guard = sections.guard(&self.lowering.linked, self.at, &self.storage, instruction, whereabouts);
    }

    /// Emits an instruction, and the lock around it if it needs that.
    pub(in crate::c) fn emit(&mut self, inst: Inst) {
        let Some([lock, unlock]) = self.guard.filter(|guard| guard.is_for(&inst)).map(Guard::functions) else {
            return self.code.push(inst);
        };
        self.call_or_fail(lock);
        self.code.push(inst);
        self.call_or_fail(unlock);
    }

    /// Begins a function that is a section. One of ours that must stay outside of sections looks whether it does.
    pub(in crate::c) fn enter_section(&mut self) {
        let Some(sections) = self.lowering.sections.clone() else { return };
        if sections.is_section(&self.lowering.linked, self.at) {
            self.call_or_fail(BEGIN);
        }
        if sections.must_stay_outside(self.at)
            && let Some(func) = self.lowering.library_function("__fencepost_in_section")
        {
            let name = self.module.name(self.source.name);
            let inside = self.temporary();
            self.code.push(Inst::Call { dst: Some(inside), func, args: Vec::new() });
            let (refused, goes_on) = (self.code.label(), self.code.label());
            self.code.branch(Operand::Reg(inside), refused, goes_on);
            self.code.here(refused);
            self.fail(format!("a call of `{name}` inside of an atomic section"));
            self.code.here(goes_on);
        }
    }

    /// Ends a function that is a section.
    pub(in crate::c) fn leave_section(&mut self) {
        if let Some(sections) = self.lowering.sections.clone()
            && sections.is_section(&self.lowering.linked, self.at)
        {
            self.call_or_fail(END);
        }
    }

    fn call_or_fail(&mut self, name: &str) {
        let guard = self.guard.take();
        if let Err(construct) = self.call_library(None, name, Vec::new()) {
            self.fail(construct);
        }
        self.guard = guard;
    }
}

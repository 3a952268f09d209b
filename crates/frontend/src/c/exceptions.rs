//! Exceptions. One that is on its way is in a thread-local variable of our library, and functions return while it is
//! there: to a caller that goes to its landing pad, or returns as well. The C++ standard leaves open whether the stack
//! is unwound before `std::terminate` is called ([except.terminate]), so there is one phase where others have two.

use fencepost_llvm::{BlockId, Call, Clause, ConstantKind, LocalId, Operand as Value, TypeId};
use fencepost_program::code::Label;
use fencepost_program::{Failure, Function, Inst, Memory, Operand, Ordering, Place, Reg, Register, Ty, UnaryOp};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use super::link::Definition;
use super::lower::{Lowering, ThreadLocal, emit};
use super::throwing::{CATCHES, IN_FLIGHT};

/// What a landing pad returns for an exception whose type its filter does not allow.
const NOT_ALLOWED: i64 = -1;

impl Lowering<'_> {
    /// Where each thread has the exception that is on its way.
    fn in_flight(&self) -> Option<u32> {
        let Definition::Global(m, i) = self.linked.named(IN_FLIGHT)? else { return None };
        self.thread_locals.get(&(m, i)).map(|&ThreadLocal { offset, .. }| offset)
    }

    /// Ends the program if an exception leaves the first function of a thread.
    pub(super) fn refuse_to_be_left(&self, function: &mut Function) {
        let Some(offset) = self.in_flight().filter(|_| self.throwing.any()) else { return };
        let mut register = || {
            function.registers.push(Register::temporary(Ty::Int));
            Reg(function.registers.len() as u32 - 1)
        };
        let (address, exception) = (register(), register());
        emit(function, Inst::ThreadLocalAddress { dst: address, offset, shared: false });
        emit(function, Inst::Load { dst: Some(exception), place: word(address), order: Ordering::NonAtomic });
        let after = function.code.len() as u32 + 2;
        emit(function, Inst::Branch { cond: Operand::Reg(exception), yes: after - 1, no: after });
        emit(function, Inst::Fail { failure: Failure::Uncaught });
    }
}

/// The eight bytes at an address.
fn word(address: Reg) -> Place {
    Place::Memory(Memory::aligned(Operand::Reg(address), 0, 8))
}

impl FunctionLowering<'_, '_> {
    /// The address of what is on its way.
    fn in_flight(&mut self) -> Result<Reg, Unsupported> {
        let offset = self.lowering.in_flight().ok_or("an exception without our C++ library")?;
        let address = self.temporary();
        self.emit(Inst::ThreadLocalAddress { dst: address, offset, shared: false });
        Ok(address)
    }

    fn look(&mut self) -> Result<Reg, Unsupported> {
        let (address, exception) = (self.in_flight()?, self.temporary());
        self.emit(Inst::Load { dst: Some(exception), place: word(address), order: Ordering::NonAtomic });
        Ok(exception)
    }

    fn send(&mut self, exception: Operand) -> Result<(), Unsupported> {
        let address = self.in_flight()?;
        self.emit(Inst::Store { place: word(address), value: exception, order: Ordering::NonAtomic });
        Ok(())
    }

    /// Sends an exception on its way out of this function.
    pub(super) fn unwind(&mut self, exception: Operand) -> Result<(), Unsupported> {
        self.send(exception)?;
        self.leave();
        Ok(())
    }

    /// Returns, whatever: who called looks for the exception first.
    fn leave(&mut self) {
        self.leave_section();
        let count = self.leaves(self.source.result).map_or(0, |leaves| leaves.len());
        match count {
            0 => self.emit(Inst::Return { value: None }),
            1 => self.emit(Inst::Return { value: Some(Operand::Const(0)) }),
            _ => self.emit(Inst::ReturnMany { values: vec![Operand::Const(0); count] }),
        }
    }

    /// After a call that has no landing pad.
    pub(super) fn pass_on(&mut self, call: &Call) -> Result<(), Unsupported> {
        if !self.lowering.throwing.call(&self.lowering.linked, self.m, call) {
            return Ok(());
        }
        let exception = self.look()?;
        let (leave, go_on) = (self.unwinding(), self.code.label());
        self.code.branch(Operand::Reg(exception), leave, go_on);
        self.code.here(go_on);
        Ok(())
    }

    /// Where the function is left with an exception on its way.
    fn unwinding(&mut self) -> Label {
        match self.unwinding {
            Some(label) => label,
            None => *self.unwinding.insert(self.code.label()),
        }
    }

    /// The end of a function that calls what may throw.
    pub(super) fn end(&mut self) {
        if let Some(label) = self.unwinding {
            self.code.here(label);
            self.leave();
        }
    }

    /// After a call that has a landing pad.
    pub(super) fn go_on(&mut self, call: &Call, normal: BlockId, unwind: BlockId) -> Result<(), Unsupported> {
        if !self.lowering.throwing.call(&self.lowering.linked, self.m, call) {
            return self.jump(normal);
        }
        let exception = self.look()?;
        let mut edges = Vec::new();
        let (unwind, normal) = (self.edge(unwind, &mut edges), self.edge(normal, &mut edges));
        self.code.branch(Operand::Reg(exception), unwind, normal);
        self.edges(edges)
    }

    /// Takes the exception if a clause says so, or else leaves the function.
    pub(super) fn landing_pad(
        &mut self,
        result: Option<LocalId>,
        ty: TypeId,
        cleanup: bool,
        clauses: &[Clause],
    ) -> Result<(), Unsupported> {
        if self.leaves(ty)?.len() != 2 {
            return Err("a landing pad that is not C++'s".to_owned());
        }
        let first = match result {
            Some(local) => self.registers_of(local, 2).0,
            None => {
                let first = self.temporary();
                self.temporary();
                first.0
            }
        };
        let (exception, selector) = (Reg(first), Reg(first + 1));
        let taken = self.code.label();
        let in_flight = self.look()?;
        self.copy(exception, Operand::Reg(in_flight));
        // What is called here looks whether something is on its way, too.
        self.send(Operand::Const(0))?;
        let mut takes_all = cleanup;
        for clause in clauses {
            match *clause {
                Clause::Catch(ty) if self.is_null(ty) => {
                    self.copy(selector, Operand::Const(1));
                    self.code.jump(taken);
                    takes_all = true;
                }
                Clause::Catch(ty) => {
                    let ty = self.value(ty)?;
                    let chosen = self.catches(exception, ty)?;
                    let (yes, no) = (self.code.label(), self.code.label());
                    self.code.branch(Operand::Reg(chosen), yes, no);
                    self.code.here(yes);
                    let number = self.type_number(ty);
                    self.copy(selector, number);
                    self.code.jump(taken);
                    self.code.here(no);
                }
                Clause::Filter(ty, list) => {
                    let allowed = self.code.label();
                    for ty in self.values(ty, list)? {
                        let chosen = self.catches(exception, ty)?;
                        let no = self.code.label();
                        self.code.branch(Operand::Reg(chosen), allowed, no);
                        self.code.here(no);
                    }
                    self.copy(selector, Operand::Const(NOT_ALLOWED));
                    self.code.jump(taken);
                    self.code.here(allowed);
                }
            }
        }
        self.copy(selector, Operand::Const(0));
        if !takes_all {
            self.unwind(Operand::Reg(exception))?;
        }
        self.code.here(taken);
        Ok(())
    }

    fn is_null(&self, value: Value) -> bool {
        matches!(value, Value::Constant(id) if matches!(self.module.constant(id).kind, ConstantKind::Zero))
    }

    /// Asks our library whether a handler of a type catches the exception.
    fn catches(&mut self, exception: Reg, ty: Operand) -> Result<Reg, Unsupported> {
        let Some(Definition::Function(m, i)) = self.lowering.linked.named(CATCHES) else {
            return Err("an exception without our C++ library".to_owned());
        };
        let func = self.lowering.function_id((m, i));
        let dst = self.temporary();
        self.emit(Inst::Call { dst: Some(dst), func, args: vec![Operand::Reg(exception), ty] });
        Ok(dst)
    }

    /// The number that landing pads return for a handler of a type (`llvm.eh.typeid.for`): where the type's name is.
    pub(super) fn type_number(&mut self, ty: Operand) -> Operand {
        match ty {
            Operand::Const(address) => Operand::Const(UnaryOp::Trunc.apply(64, 32, address)),
            Operand::Reg(_) => {
                let dst = self.temporary();
                self.emit(Inst::Unary { dst, op: UnaryOp::Trunc, from: 64, to: 32, a: ty });
                Operand::Reg(dst)
            }
        }
    }

    /// Goes on with the exception of a landing pad.
    pub(super) fn resume(&mut self, ty: TypeId, value: Value) -> Result<(), Unsupported> {
        match self.values(ty, value)?[..] {
            [exception, _] => self.unwind(exception),
            _ => Err("a landing pad that is not C++'s".to_owned()),
        }
    }
}

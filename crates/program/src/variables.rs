//! What the variables of a thread hold, for those who show a run.

use crate::{Answer, Inst, Machine, Operand, Reg, ThreadState, Value};

/// Variables by the names of the source.
#[derive(Clone, Debug, Default)]
pub struct Variables<'p> {
    pub values: Vec<(&'p str, Value)>,
    /// The one that the step itself has assigned to.
    pub assigned: Option<&'p str>,
}

impl<'p> Machine<'p> {
    /// [`Machine::resume`], and the variables of the function that has taken the step, with their values when the
    /// thread comes to its next action. Of a thread that ends or goes on in another function, with the values right
    /// after the step.
    pub fn resume_named(&self, state: &mut ThreadState, answer: Answer) -> Variables<'p> {
        let register = self.inst(state).and_then(destination);
        let assigned = register.and_then(|Reg(register)| self.function(state).registers[register as usize].name());
        self.take(state, answer, 0);
        let before = state.clone();
        self.settle(state);
        let is_same_call = !state.has_ended() && (state.func, state.base) == (before.func, before.base);
        Variables { values: self.variables(if is_same_call { state } else { &before }), assigned }
    }

    fn variables(&self, state: &ThreadState) -> Vec<(&'p str, Value)> {
        let registers = self.function(state).registers.iter().enumerate();
        let value = |register: usize| self.get(state, Operand::Reg(Reg(register as u32)));
        registers.filter_map(|(i, register)| Some((register.name()?, value(i)))).collect()
    }
}

fn destination(inst: &Inst) -> Option<Reg> {
    match *inst {
        Inst::Load { dst, .. } | Inst::Wait { dst, .. } | Inst::Rmw { dst, .. } => dst,
        Inst::Cas { old, ok, .. } => old.or(ok),
        Inst::Choose { dst, .. } => Some(dst),
        _ => None,
    }
}

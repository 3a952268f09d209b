use fencepost_program::{Comparison, Inst, Operand, Program};

/// Puts a wait in the place of each atomic load, for anything but a value that no program here writes: it reads what
/// the load reads, and never blocks. Returns how many there are.
pub fn loads_as_waits(program: &mut Program) -> usize {
    const NEVER: Operand = Operand::Const(101);
    let mut waits = 0;
    for inst in program.functions.iter_mut().flat_map(|function| &mut function.code) {
        if let Inst::Load { dst, place, order } = *inst
            && order.is_atomic()
        {
            *inst = Inst::Wait { dst, place, comparison: Comparison::Ne, value: NEVER, order };
            waits += 1;
        }
    }
    waits
}

//! The membars around the instructions of a thread, which keep its accesses in order (paper 002 §4.3).

use fencepost_program::{Inst, Membar};

/// The membars that compilers put before and after an instruction for its ordering. Where a CAS may succeed or fail, it
/// has what both have.
pub(crate) fn membars(inst: &Inst) -> (Membar, Membar) {
    match *inst {
        Inst::Load { order, .. } | Inst::Wait { order, .. } => order.membars(true, false),
        Inst::Store { order, .. } => order.membars(false, true),
        Inst::Rmw { order, .. } => order.membars(true, true),
        Inst::Cas { success, failure, .. } => {
            (Membar::NONE, success.membars(true, false).1 & failure.membars(true, false).1)
        }
        Inst::Fence { order } => (order.membar(), Membar::NONE),
        _ => (Membar::NONE, Membar::NONE),
    }
}

/// What a CAS keeps in order that is known to have succeeded or failed.
pub(crate) fn membars_of_cas(inst: &Inst, succeeded: bool) -> (Membar, Membar) {
    match *inst {
        Inst::Cas { place, expected, desired, success, .. } if succeeded => {
            membars(&Inst::blocking_cas(place, expected, desired, success))
        }
        Inst::Cas { place, failure, .. } => membars(&Inst::Load { dst: None, place, order: failure }),
        _ => membars(inst),
    }
}

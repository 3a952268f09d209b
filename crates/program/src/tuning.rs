//! A program with other orderings, and with fences more: what a fix proposes.

use crate::{FuncId, Inst, Ordering, Program, Span};

/// One change of a program. A site is a place in the source; the same place in a loop, or in several copies of a
/// function, is one site. An access of a system's header or of a library belongs to the site that calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// What the site accesses, it accesses with at least this ordering, as far as an access can have it.
    Order { site: Span, order: Ordering },
    /// An SC fence stands before the access.
    FenceBefore { site: Span },
}

impl Change {
    pub fn site(self) -> Span {
        match self {
            Change::Order { site, .. } | Change::FenceBefore { site } => site,
        }
    }
}

impl Ordering {
    /// The weakest ordering that is at least as strong as both.
    pub fn join(self, other: Ordering) -> Ordering {
        let both = |holds: fn(Ordering) -> bool| holds(self) || holds(other);
        match (both(Ordering::is_acquire), both(Ordering::is_release)) {
            _ if both(Ordering::is_sc) => Ordering::SeqCst,
            (true, true) => Ordering::AcqRel,
            (true, false) => Ordering::Acquire,
            (false, true) => Ordering::Release,
            _ if both(Ordering::is_atomic) => Ordering::Relaxed,
            _ => Ordering::NonAtomic,
        }
    }

    /// The ordering without its acquire part: what is left of it for a store.
    pub fn without_acquire(self) -> Ordering {
        match self {
            Ordering::AcqRel => Ordering::Release,
            Ordering::Acquire => Ordering::Relaxed,
            other => other,
        }
    }
}

impl Program {
    /// The program with all these changes.
    pub fn tuned(&self, changes: &[Change]) -> Program {
        let mut tuned = self.clone();
        for number in 0..self.functions.len() {
            let function = &self.functions[number];
            if function.library || function.header {
                continue;
            }
            for (pc, site) in function.spans.iter().enumerate() {
                let order = changes.iter().filter_map(|change| match *change {
                    Change::Order { site: at, order } if at == *site => Some(order),
                    _ => None,
                });
                if let Some(order) = order.reduce(Ordering::join) {
                    tuned.strengthen(number, pc, order);
                }
            }
            let fenced = |pc: usize| {
                changes.contains(&Change::FenceBefore { site: function.spans[pc] })
                    && (function.code[pc].ordering().is_some() || self.called_header(&function.code[pc]).is_some())
            };
            let fence = Inst::Fence { order: Ordering::SeqCst };
            tuned.functions[number].insert_before(|pc, _| fenced(pc), &fence);
        }
        tuned
    }

    /// The function of a header that an instruction calls.
    fn called_header(&self, inst: &Inst) -> Option<FuncId> {
        let Inst::Call { func, .. } = inst else { return None };
        self.functions.get(func.0 as usize).filter(|function| function.header).map(|_| *func)
    }

    fn strengthen(&mut self, function: usize, pc: usize, order: Ordering) {
        match self.called_header(&self.functions[function].code[pc]) {
            Some(called) => {
                let copy = self.copy_with(called, order, &mut Vec::new());
                if let Inst::Call { func, .. } = &mut self.functions[function].code[pc] {
                    *func = copy;
                }
            }
            None => self.functions[function].code[pc].strengthen(order),
        }
    }

    /// A copy of a function of a header in which all accesses are that strong, as are those of functions that it calls.
    fn copy_with(&mut self, func: FuncId, order: Ordering, copies: &mut Vec<(FuncId, FuncId)>) -> FuncId {
        if let Some(&(_, copy)) = copies.iter().find(|(of, _)| *of == func) {
            return copy;
        }
        let copy = FuncId(self.functions.len() as u32);
        copies.push((func, copy));
        self.functions.push(self.functions[func.0 as usize].clone());
        for pc in 0..self.functions[copy.0 as usize].code.len() {
            let inst = &self.functions[copy.0 as usize].code[pc];
            if let Some(called) = self.called_header(inst) {
                let nested = self.copy_with(called, order, copies);
                if let Inst::Call { func, .. } = &mut self.functions[copy.0 as usize].code[pc] {
                    *func = nested;
                }
            } else {
                self.functions[copy.0 as usize].code[pc].strengthen(order);
            }
        }
        copy
    }
}

impl Inst {
    /// The ordering of an access. A CAS has that of its success.
    pub fn ordering(&self) -> Option<Ordering> {
        match *self {
            Inst::Load { order, .. }
            | Inst::Store { order, .. }
            | Inst::Rmw { order, .. }
            | Inst::Wait { order, .. }
            | Inst::Cas { success: order, .. } => Some(order),
            _ => None,
        }
    }

    /// Makes an access at least as strong as an ordering, as far as it can have it.
    fn strengthen(&mut self, with: Ordering) {
        match self {
            Inst::Load { order, .. } | Inst::Wait { order, .. } => *order = order.join(with.without_release()),
            Inst::Store { order, .. } => *order = order.join(with.without_acquire()),
            Inst::Rmw { order, .. } => *order = order.join(with),
            Inst::Cas { success, failure, .. } => {
                *success = success.join(with);
                *failure = failure.join(with.without_release());
            }
            _ => {}
        }
    }
}

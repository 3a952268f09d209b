//! The views that psc needs. `docs/reference/psc.md` explains them and proves that they are enough.

use crate::allocator::Allocator;
use crate::carried::Carried;
use crate::{Access, Cell, Lattice, View};

/// The views for one of the two kinds of Q (see [`Plan`](crate::Plan)). The letters are those of
/// `docs/reference/psc.md`.
#[derive(Clone, Debug)]
pub(crate) struct Psc {
    /// A: the Q of SC fences that happen before.
    fences: Option<Carried>,
    /// I: what a later SC fence receives.
    to_fence: Option<Carried>,
    /// JM, JW: `fences` over all accesses of a location, and over those up to its last write.
    fences_at: Vec<View>,
    fences_at_write: Vec<View>,
    /// The rest is for SC accesses.
    accesses: Option<PscAccesses>,
}

#[derive(Clone, Debug)]
struct PscAccesses {
    /// B: the Q of SC events po-before.
    before: Vec<View>,
    /// H: the Q of SC events that po has left the location of, carried along hb.
    left: Carried,
    /// H as it was at the thread's last event that was not on the location of its latest one.
    left_elsewhere: Vec<View>,
    /// HL: the Q of SC accesses to a location, carried along hb.
    same_location: Vec<Option<Carried>>,
    /// S: over all accesses of a location, the Q of the SC ones and the fences of all.
    at: Vec<View>,
}

impl Psc {
    pub(crate) fn new(allocator: &mut Allocator) -> Psc {
        let needs = allocator.needs;
        let fences = needs.sc_fences;
        Psc {
            fences: fences.then(|| Carried::new(allocator)),
            to_fence: fences.then(|| Carried::new(allocator)),
            fences_at: allocator.views(if fences { needs.locations } else { 0 }),
            fences_at_write: allocator.views(if fences { needs.locations } else { 0 }),
            accesses: needs.sc_accesses().then(|| PscAccesses {
                before: allocator.views(needs.threads),
                left: Carried::new(allocator),
                left_elsewhere: allocator.views(needs.threads),
                same_location: needs.sc_locations.iter().map(|&sc| sc.then(|| Carried::new(allocator))).collect(),
                at: allocator.views(needs.locations),
            }),
        }
    }

    pub(crate) fn carried(&self) -> impl Iterator<Item = &Carried> {
        let of_accesses = self
            .accesses
            .iter()
            .flat_map(|a| std::iter::once(&a.left).chain(a.same_location.iter().filter_map(Option::as_ref)));
        self.fences.iter().chain(&self.to_fence).chain(of_accesses)
    }

    /// The thread leaves the location of its latest accesses.
    pub(crate) fn leave(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(accesses) = &self.accesses {
            accesses.left.learn(lattice, thread, accesses.before[thread]);
            lattice.copy(accesses.left_elsewhere[thread], accesses.left.current[thread]);
        }
    }

    /// The view that says what an access cannot come before, because of SC fences that happen before it.
    pub(crate) fn rules_out(&self, thread: usize) -> Option<View> {
        self.fences.as_ref().map(|fences| fences.current[thread])
    }

    /// The views that say what an SC access cannot come before, because psc leads to the access itself.
    pub(crate) fn rules_out_for_sc(&self, access: &Access) -> impl Iterator<Item = View> {
        let thread = access.thread;
        let of_accesses = self.accesses.as_ref().map(|accesses| {
            let left = if access.leaves { accesses.left.current[thread] } else { accesses.left_elsewhere[thread] };
            [accesses.before[thread], left]
        });
        self.rules_out(thread).into_iter().chain(of_accesses.into_iter().flatten())
    }

    /// The views of a thread, besides those that are carried.
    pub(crate) fn thread_views(&self, thread: usize) -> impl Iterator<Item = View> {
        let of_accesses = self.accesses.iter();
        of_accesses.flat_map(move |accesses| [accesses.before[thread], accesses.left_elsewhere[thread]])
    }

    /// The views of a location, besides those that are carried.
    pub(crate) fn location_views(&self, location: usize) -> impl Iterator<Item = View> {
        let of_fences = self.fences_at.get(location).into_iter().chain(self.fences_at_write.get(location));
        of_fences.copied().chain(self.accesses.iter().map(move |accesses| accesses.at[location]))
    }

    /// An access, after its acquire part and before its release part.
    pub(crate) fn access(&self, lattice: &mut impl Lattice, access: &Access, incoming: View) {
        let (thread, location) = (access.thread, access.location);
        // In(b): what psc brings to this event through scb.
        let mut parts = Vec::new();
        parts.extend(self.fences.as_ref().map(|f| f.current[thread]));
        if let Some(accesses) = &self.accesses {
            parts.extend([accesses.before[thread], accesses.left_elsewhere[thread]]);
            parts.extend(accesses.same_location[location].as_ref().map(|c| c.current[thread]));
            parts.extend(access.writes.then_some(accesses.at[location]));
        }
        assemble(lattice, incoming, &parts);
        if let Some(to_fence) = &self.to_fence {
            to_fence.learn(lattice, thread, incoming);
            let eco = if access.writes { &self.fences_at } else { &self.fences_at_write };
            to_fence.learn(lattice, thread, eco[location]);
        }
        if let Some(accesses) = &self.accesses {
            if let Some(fences) = &self.fences {
                lattice.join(accesses.at[location], fences.current[thread]);
            }
            if access.sc {
                if access.writes {
                    lattice.know(incoming, Cell(location as u32));
                }
                lattice.join(accesses.before[thread], incoming);
                lattice.join(accesses.at[location], incoming);
                accesses.same_location[location]
                    .as_ref()
                    .expect("a location with SC accesses")
                    .learn(lattice, thread, incoming);
            }
        }
        if let Some(fences) = &self.fences {
            lattice.join(self.fences_at[location], fences.current[thread]);
            if access.writes {
                lattice.copy(self.fences_at_write[location], self.fences_at[location]);
            }
        }
    }

    /// An SC fence, after its acquire part and before its release part. `seen` is what the fence itself is aware of.
    pub(crate) fn fence(&self, lattice: &mut impl Lattice, thread: usize, seen: View, q: View) {
        let (Some(fences), Some(to_fence)) = (&self.fences, &self.to_fence) else { return };
        let mut parts = vec![fences.current[thread], to_fence.current[thread], seen];
        if let Some(accesses) = &self.accesses {
            parts.extend([accesses.before[thread], accesses.left.current[thread]]);
        }
        assemble(lattice, q, &parts);
        fences.learn(lattice, thread, q);
        if let Some(accesses) = &self.accesses {
            lattice.join(accesses.before[thread], q);
            accesses.left.learn(lattice, thread, q);
        }
    }
}

fn assemble(lattice: &mut impl Lattice, into: View, parts: &[View]) {
    for (i, &part) in parts.iter().enumerate() {
        if i == 0 { lattice.copy(into, part) } else { lattice.join(into, part) }
    }
}

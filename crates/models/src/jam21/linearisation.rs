//! Is there a linearisation pushto of dom(spush ∪ volint), not against po ∪ rf, that leaves co-jom acyclic?
//!
//! The more pushto orders, the larger co-jom. So a partial order that makes co-jom cyclic is in no good linearisation,
//! and where one order of two events does that, the other is forced. This is repeated, and only what is left is tried
//! both ways.
//!
//! Initial writes are left out of the search. All of po comes after them, so they can be first; then pushto adds only
//! vo edges from them. Such an edge orders the initial write of a location before another write to it, as po-loc does
//! anyway.

use fencepost_graph::{EventId, EventSet, Relation};

use super::Visibility;

impl Visibility {
    pub fn has_linearisation(&self) -> bool {
        let domain = self.domain();
        let forced = self.po_rf.between(&domain, &domain);
        self.is_coherent(&forced) && self.extends_to_linearisation(forced, &domain)
    }

    /// dom(spush ∪ volint) without initial writes.
    pub fn domain(&self) -> EventSet {
        let mut domain = self.push.domain();
        for e in self.initial.iter() {
            domain.remove(e);
        }
        domain
    }

    /// Whether a transitive order that leaves co-jom acyclic is part of a linearisation that does.
    fn extends_to_linearisation(&self, order: Relation, domain: &EventSet) -> bool {
        if self.is_coherent(&linear_extension(&order, domain)) {
            return true;
        }
        let Some(order) = self.saturate(order, domain) else { return false };
        let Some((a, b)) = unordered(&order, domain).next() else { return self.is_coherent(&order) };
        self.extends_to_linearisation(with(&order, a, b), domain)
            || self.extends_to_linearisation(with(&order, b, a), domain)
    }

    /// Adds the order of two events wherever the other order makes co-jom cyclic. `None` if both do.
    fn saturate(&self, mut order: Relation, domain: &EventSet) -> Option<Relation> {
        loop {
            let mut grown = order.clone();
            for (a, b) in unordered(&order, domain) {
                if grown.contains(a, b) || grown.contains(b, a) {
                    continue;
                }
                let (forth, back) = (with(&grown, a, b), with(&grown, b, a));
                match (self.is_coherent(&forth), self.is_coherent(&back)) {
                    (true, true) => {}
                    (true, false) => grown = forth,
                    (false, true) => grown = back,
                    (false, false) => return None,
                }
            }
            if grown == order {
                return Some(order);
            }
            order = grown;
        }
    }

    /// By the letter of paper 004 §4.2: every linearisation, initial writes included.
    pub fn has_linearisation_by_enumeration(&self) -> bool {
        let domain = self.push.domain();
        self.some_linearisation_continues(&mut Vec::new(), &domain)
    }

    fn some_linearisation_continues(&self, line: &mut Vec<EventId>, left: &EventSet) -> bool {
        if left.is_empty() {
            return self.is_coherent(&total_order(line, self.po.events()));
        }
        left.iter().any(|next| {
            if left.iter().any(|e| self.po_rf.contains(e, next)) {
                return false;
            }
            let mut rest = left.clone();
            rest.remove(next);
            line.push(next);
            let found = self.some_linearisation_continues(line, &rest);
            line.pop();
            found
        })
    }
}

/// The pairs of events that a transitive order leaves open, each once.
pub(super) fn unordered(order: &Relation, domain: &EventSet) -> impl Iterator<Item = (EventId, EventId)> {
    let open = move |a, b| !order.contains(a, b) && !order.contains(b, a);
    domain.iter().flat_map(move |a| domain.iter().filter(move |&b| a < b && open(a, b)).map(move |b| (a, b)))
}

/// A transitive order with one more pair, transitive again.
pub(super) fn with(order: &Relation, a: EventId, b: EventId) -> Relation {
    let mut out = order.clone();
    out.insert(a, b);
    out.closure()
}

/// The total order that takes, of the events that may come next, the one added first to the graph. A graph is often
/// built in an order in which it could have run.
fn linear_extension(order: &Relation, domain: &EventSet) -> Relation {
    let mut left = domain.clone();
    let mut line = Vec::new();
    while let Some(next) = first(order, &left) {
        left.remove(next);
        line.push(next);
    }
    total_order(&line, order.events())
}

/// The first event of a set that none of it precedes.
fn first(order: &Relation, set: &EventSet) -> Option<EventId> {
    set.iter().find(|&e| !set.iter().any(|p| order.contains(p, e)))
}

fn total_order(line: &[EventId], events: usize) -> Relation {
    let mut order = Relation::empty(events);
    for (i, &a) in line.iter().enumerate() {
        for &b in &line[i + 1..] {
            order.insert(a, b);
        }
    }
    order
}

//! Why there is no linearisation, in steps: which orders of pushto are forced, and the cycle of co-jom that is left.

use fencepost_graph::{EventId, EventSet, Relation, Relations, Step, cycle, path};

use super::Visibility;
use super::accesses::Accesses;
use super::linearisation::{unordered, with};
use crate::objection::{Axiom, Forced, Objection};

/// Why no pushto leaves co-jom acyclic, for a coherent graph.
pub(crate) fn objection(r: &Relations) -> Option<Objection> {
    if super::has_linearisation(r) {
        return None;
    }
    let accesses = Accesses::of(r);
    let reasons = Reasons {
        visibility: Visibility::of(r),
        ra: super::ra(&accesses),
        svo: super::svo(&accesses),
        spush: super::spush(&accesses),
        volint: super::volint(&accesses),
        accesses,
    };
    let domain = reasons.visibility.domain();
    let order = reasons.visibility.po_rf.between(&domain, &domain);
    reasons.objection(Assumed { order, forced: Vec::new() }, &domain).map(|found| reasons.told(found))
}

/// An order of pushto, and which of its pairs do not come from po ∪ rf, in the order in which they were found.
#[derive(Clone)]
struct Assumed {
    order: Relation,
    forced: Vec<(EventId, EventId)>,
}

impl Assumed {
    fn and(&self, first: EventId, second: EventId) -> Assumed {
        let mut forced = self.forced.clone();
        forced.push((first, second));
        Assumed { order: with(&self.order, first, second), forced }
    }
}

/// As [`Objection`], about the events of [`Accesses`].
struct Found {
    forced: Vec<(EventId, EventId, Found)>,
    cycle: Vec<Step>,
}

struct Reasons {
    visibility: Visibility,
    accesses: Accesses,
    ra: Relation,
    svo: Relation,
    spush: Relation,
    volint: Relation,
}

impl Reasons {
    /// Why an order is in no good linearisation; `None` if it is in one.
    fn objection(&self, assumed: Assumed, domain: &EventSet) -> Option<Found> {
        if let Some(cycle) = self.cycle(&assumed.order) {
            return Some(Found { forced: Vec::new(), cycle });
        }
        let mut now = assumed.clone();
        let mut forced = Vec::new();
        loop {
            let (first, second, because) = self.next_forced(&now, domain)?;
            now = now.and(first, second);
            forced.push((first, second, because));
            if let Some(cycle) = self.cycle(&now.order) {
                return Some(self.relevant(&assumed, forced, cycle));
            }
        }
    }

    /// An order of two events that is forced: at best because the other makes a cycle at once.
    fn next_forced(&self, now: &Assumed, domain: &EventSet) -> Option<(EventId, EventId, Found)> {
        for (a, b) in unordered(&now.order, domain) {
            for (first, second) in [(a, b), (b, a)] {
                if let Some(cycle) = self.cycle(&with(&now.order, second, first)) {
                    return Some((first, second, Found { forced: Vec::new(), cycle }));
                }
            }
        }
        let (a, b) = unordered(&now.order, domain).next()?;
        [(a, b), (b, a)]
            .into_iter()
            .find_map(|(first, second)| Some((first, second, self.objection(now.and(second, first), domain)?)))
    }

    /// Leaves out what the cycle does not rest on.
    fn relevant(&self, assumed: &Assumed, forced: Vec<(EventId, EventId, Found)>, cycle: Vec<Step>) -> Found {
        let before = assumed.forced.len();
        let pairs = forced.iter().map(|&(first, second, _)| (first, second));
        let given: Vec<(EventId, EventId)> = assumed.forced.iter().copied().chain(pairs).collect();
        let mut needed = vec![false; given.len()];
        self.mark_cycle(&cycle, &given, &mut needed);
        for (i, (first, second, because)) in forced.iter().enumerate().rev() {
            if needed[before + i] {
                let mut earlier = given[..before + i].to_vec();
                earlier.push((*second, *first));
                self.mark(because, &mut earlier, &mut needed);
            }
        }
        let kept = forced.into_iter().zip(&needed[before..]).filter(|(_, needed)| **needed);
        Found { forced: kept.map(|(forced, _)| forced).collect(), cycle }
    }

    /// Marks the given pairs that a reason rests on.
    fn mark(&self, found: &Found, given: &mut Vec<(EventId, EventId)>, needed: &mut [bool]) {
        let length = given.len();
        for (first, second, because) in &found.forced {
            given.push((*second, *first));
            self.mark(because, given, needed);
            given.pop();
            given.push((*first, *second));
        }
        self.mark_cycle(&found.cycle, given, needed);
        given.truncate(length);
    }

    /// Marks the given pairs from which, with po ∪ rf, the steps of pushto in a cycle follow.
    fn mark_cycle(&self, cycle: &[Step], given: &[(EventId, EventId)], needed: &mut [bool]) {
        let mut pairs = Relation::empty(self.visibility.po.events());
        given.iter().for_each(|&(first, second)| pairs.insert(first, second));
        for &(from, _, to) in cycle.iter().filter(|(_, name, _)| *name == "pushto") {
            let steps = path(&[("po ∪ rf", &self.visibility.po_rf), ("given", &pairs)], from, to).unwrap_or_default();
            for (first, _, second) in steps.into_iter().filter(|(_, name, _)| *name == "given") {
                let number = given.iter().position(|&pair| pair == (first, second));
                if let Some(needed) = number.and_then(|number| needed.get_mut(number)) {
                    *needed = true;
                }
            }
        }
    }

    /// A cycle of co-jom, each edge taken apart.
    fn cycle(&self, order: &Relation) -> Option<Vec<Step>> {
        let co_jom = self.visibility.co_jom(order);
        if co_jom.is_acyclic() {
            return None;
        }
        let vo = self.visibility.vo(order);
        let cycle = cycle(&[("co-jom", &co_jom)])?;
        Some(cycle.into_iter().flat_map(|(p, _, q)| self.co_jom_steps(order, &vo, p, q)).collect())
    }

    /// coww, cowr, corw or corr, whichever takes the fewest steps.
    fn co_jom_steps(&self, order: &Relation, vo: &Relation, p: EventId, q: EventId) -> Vec<Step> {
        let Accesses { po, rf, .. } = &self.accesses;
        let coww = vo.contains(p, q).then(|| self.vo_steps(order, p, q));
        let cowr = rf
            .successors(q)
            .filter(|&r| vo.contains(p, r))
            .map(|r| [self.vo_steps(order, p, r), vec![(r, "rf⁻¹", q)]].concat());
        let corw = po
            .predecessors(q)
            .filter(|&e| vo.contains(p, e))
            .map(|e| [self.vo_steps(order, p, e), vec![(e, "po", q)]].concat());
        let corr = rf.successors(p).flat_map(|first| {
            let second = rf.successors(q).filter(move |&second| po.contains(first, second));
            second.map(move |second| vec![(p, "rf", first), (first, "po", second), (second, "rf⁻¹", q)])
        });
        coww.into_iter().chain(cowr).chain(corw).chain(corr).min_by_key(Vec::len).unwrap_or_default()
    }

    fn vo_steps(&self, order: &Relation, from: EventId, to: EventId) -> Vec<Step> {
        if self.visibility.po_loc.contains(from, to) {
            return vec![(from, "po-loc", to)];
        }
        let pushed = order.then(&self.visibility.push);
        let vvo = [
            ("rf", &self.accesses.rf),
            ("volint", &self.volint),
            ("spush", &self.spush),
            ("ra", &self.ra),
            ("svo", &self.svo),
            ("pushto ; push", &pushed),
        ];
        let steps = path(&vvo, from, to).unwrap_or_default();
        steps.into_iter().flat_map(|step| self.taken_apart(order, step)).collect()
    }

    /// `pushto ; (spush ∪ volint)` as two steps.
    fn taken_apart(&self, order: &Relation, step: Step) -> Vec<Step> {
        let (from, name, to) = step;
        if name != "pushto ; push" {
            return vec![step];
        }
        let mut middle = order.successors(from).filter(|&d| self.visibility.push.contains(d, to));
        let Some(d) = middle.next() else { return vec![step] };
        let push = if self.volint.contains(d, to) { "volint" } else { "spush" };
        vec![(from, "pushto", d), (d, push, to)]
    }

    /// In the events of the graph.
    fn told(&self, found: Found) -> Objection {
        let origin = |e: EventId| self.accesses.origins[e.index()];
        let forced = found.forced.into_iter().map(|(first, second, because)| Forced {
            first: origin(first),
            second: origin(second),
            because: self.told(because),
        });
        let forced = forced.collect();
        let cycle = found.cycle.into_iter().map(|(a, name, b)| (origin(a), name, origin(b))).collect();
        Objection { axiom: Axiom::CoJom, forced, cycle }
    }
}

use std::ops::{BitAnd, BitOr, BitOrAssign};

use smallvec::SmallVec;

use crate::set::ones;
use crate::{EventId, EventSet};

/// Graphs of up to this many events keep their relations without allocation.
const INLINE_WORDS: usize = 24;

/// A binary relation on the events of one graph: a bit matrix with a row of whole words for each event.
#[derive(Debug, PartialEq, Eq)]
pub struct Relation {
    events: usize,
    row_words: usize,
    bits: SmallVec<[u64; INLINE_WORDS]>,
}

impl Relation {
    pub fn empty(events: usize) -> Relation {
        let row_words = events.div_ceil(64).max(1);
        Relation { events, row_words, bits: SmallVec::from_elem(0, events * row_words) }
    }

    /// `[A]`, the identity on a set.
    pub fn identity_on(set: &EventSet, events: usize) -> Relation {
        let mut relation = Relation::empty(events);
        for e in set.iter() {
            relation.insert(e, e);
        }
        relation
    }

    /// The number of events that the relation is about.
    pub fn events(&self) -> usize {
        self.events
    }

    pub fn insert(&mut self, a: EventId, b: EventId) {
        self.bits[a.index() * self.row_words + b.index() / 64] |= 1 << (b.index() % 64);
    }

    pub fn remove(&mut self, a: EventId, b: EventId) {
        self.bits[a.index() * self.row_words + b.index() / 64] &= !(1 << (b.index() % 64));
    }

    /// Relates `a` to `next` and to all that `next` is related to.
    pub(crate) fn insert_before(&mut self, a: EventId, next: EventId) {
        let (from, to) = (next.index() * self.row_words, a.index() * self.row_words);
        self.bits.copy_within(from..from + self.row_words, to);
        self.insert(a, next);
    }

    /// Relates `a` to exactly what `b` is related to in `other`.
    pub(crate) fn copy_row(&mut self, a: EventId, other: &Relation, b: EventId) {
        self.row_mut(a.index()).copy_from_slice(other.row(b.index()));
    }

    pub fn contains(&self, a: EventId, b: EventId) -> bool {
        self.bits[a.index() * self.row_words + b.index() / 64] >> (b.index() % 64) & 1 == 1
    }

    /// The events that `a` is related to.
    pub fn successors(&self, a: EventId) -> impl Iterator<Item = EventId> + '_ {
        ones(self.row(a.index()))
    }

    /// The events that are related to `b`.
    pub fn predecessors(&self, b: EventId) -> impl Iterator<Item = EventId> + '_ {
        (0..self.events as u32).map(EventId).filter(move |&a| self.contains(a, b))
    }

    pub fn pairs(&self) -> impl Iterator<Item = (EventId, EventId)> + '_ {
        (0..self.events as u32).flat_map(|a| self.successors(EventId(a)).map(move |b| (EventId(a), b)))
    }

    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&w| w == 0)
    }

    /// `self ; next`.
    pub fn then(&self, next: &Relation) -> Relation {
        let mut out = Relation::empty(self.events);
        if self.row_words == 1 {
            for (row, &from) in out.bits.iter_mut().zip(&self.bits) {
                let mut rest = from;
                while rest != 0 {
                    *row |= next.bits[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
            }
            return out;
        }
        for a in 0..self.events {
            for b in ones(self.row(a)) {
                union_into(out.row_mut(a), next.row(b.index()));
            }
        }
        out
    }

    /// Whether `self ; next` relates no event to itself, without computing it.
    pub fn then_is_irreflexive(&self, next: &Relation) -> bool {
        if self.row_words > 1 {
            return self.pairs().all(|(a, b)| !next.contains(b, a));
        }
        let back: &[u64] = &next.bits;
        self.bits.iter().enumerate().all(|(a, &row)| {
            let mut rest = row;
            while rest != 0 {
                if back[rest.trailing_zeros() as usize] >> a & 1 == 1 {
                    return false;
                }
                rest &= rest - 1;
            }
            true
        })
    }

    pub fn inverse(&self) -> Relation {
        let mut out = Relation::empty(self.events);
        for (a, b) in self.pairs() {
            out.insert(b, a);
        }
        out
    }

    /// The reflexive closure, `R?`.
    pub fn optional(&self) -> Relation {
        let mut out = self.clone();
        for e in (0..self.events as u32).map(EventId) {
            out.insert(e, e);
        }
        out
    }

    /// The transitive closure, `R+`.
    pub fn closure(&self) -> Relation {
        let mut out = self.clone();
        if self.row_words == 1 {
            for k in 0..self.events {
                let via = out.bits[k];
                for row in out.bits.iter_mut() {
                    *row |= via & (*row >> k & 1).wrapping_neg();
                }
            }
            return out;
        }
        let mut via: SmallVec<[u64; 8]> = SmallVec::from_elem(0, self.row_words);
        for k in 0..self.events {
            via.copy_from_slice(out.row(k));
            for a in 0..self.events {
                if out.contains(EventId(a as u32), EventId(k as u32)) {
                    union_into(out.row_mut(a), &via);
                }
            }
        }
        out
    }

    /// `[A] ; R ; [B]`.
    pub fn between(&self, domain: &EventSet, codomain: &EventSet) -> Relation {
        let mut out = Relation::empty(self.events);
        for a in domain.iter() {
            for (i, word) in out.row_mut(a.index()).iter_mut().enumerate() {
                *word = self.bits[a.index() * self.row_words + i] & codomain.words[i];
            }
        }
        out
    }

    /// `[A] ; R`.
    pub fn from_set(&self, domain: &EventSet) -> Relation {
        let mut out = Relation::empty(self.events);
        for a in domain.iter() {
            out.row_mut(a.index()).copy_from_slice(self.row(a.index()));
        }
        out
    }

    /// `R ; [B]`.
    pub fn into_set(&self, codomain: &EventSet) -> Relation {
        let mut out = self.clone();
        for row in out.bits.chunks_exact_mut(self.row_words) {
            for (word, keep) in row.iter_mut().zip(&codomain.words) {
                *word &= keep;
            }
        }
        out
    }

    /// The pairs for which `keep` holds.
    pub fn filter(&self, keep: impl Fn(EventId, EventId) -> bool) -> Relation {
        let mut out = Relation::empty(self.events);
        for (a, b) in self.pairs().filter(|&(a, b)| keep(a, b)) {
            out.insert(a, b);
        }
        out
    }

    pub fn is_irreflexive(&self) -> bool {
        (0..self.events as u32).map(EventId).all(|e| !self.contains(e, e))
    }

    /// Whether the transitive closure is irreflexive. Takes away events without successors until none is left. Most
    /// edges follow the order in which events were added, so going backwards needs few rounds.
    pub fn is_acyclic(&self) -> bool {
        let mut left = EventSet::all(self.events).words;
        loop {
            let before = left.clone();
            if self.row_words == 1 {
                let mut rest = left[0];
                for (e, row) in self.bits.iter().enumerate().rev() {
                    rest &= !(((row & rest == 0) as u64) << e);
                }
                left[0] = rest;
            } else {
                for e in (0..self.events).rev() {
                    if self.row(e).iter().zip(&left).all(|(row, left)| row & left == 0) {
                        left[e / 64] &= !(1 << (e % 64));
                    }
                }
            }
            if left.iter().all(|&w| w == 0) {
                return true;
            }
            if left == before {
                return false;
            }
        }
    }

    /// The events that have a successor.
    pub fn domain(&self) -> EventSet {
        let mut set = EventSet::empty(self.events);
        for a in (0..self.events).filter(|&a| self.row(a).iter().any(|&w| w != 0)) {
            set.insert(EventId(a as u32));
        }
        set
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.bits[a * self.row_words..(a + 1) * self.row_words]
    }

    fn row_mut(&mut self, a: usize) -> &mut [u64] {
        &mut self.bits[a * self.row_words..(a + 1) * self.row_words]
    }
}

fn union_into(row: &mut [u64], other: &[u64]) {
    for (a, b) in row.iter_mut().zip(other) {
        *a |= b;
    }
}

impl Clone for Relation {
    fn clone(&self) -> Relation {
        // Not derived: SmallVec clones element by element, and this is where consistency checks spend their time.
        Relation { bits: SmallVec::from_slice(&self.bits), ..*self }
    }
}

impl BitOrAssign<&Relation> for Relation {
    fn bitor_assign(&mut self, other: &Relation) {
        union_into(&mut self.bits, &other.bits);
    }
}

impl BitAnd for &Relation {
    type Output = Relation;

    fn bitand(self, other: &Relation) -> Relation {
        let mut out = self.clone();
        for (a, b) in out.bits.iter_mut().zip(&other.bits) {
            *a &= b;
        }
        out
    }
}

impl BitOr for &Relation {
    type Output = Relation;

    fn bitor(self, other: &Relation) -> Relation {
        let mut out = self.clone();
        out |= other;
        out
    }
}

impl BitOr<Relation> for &Relation {
    type Output = Relation;

    fn bitor(self, other: Relation) -> Relation {
        other | self
    }
}

impl BitOr<&Relation> for Relation {
    type Output = Relation;

    fn bitor(mut self, other: &Relation) -> Relation {
        self |= other;
        self
    }
}

impl BitOr for Relation {
    type Output = Relation;

    fn bitor(self, other: Relation) -> Relation {
        self | &other
    }
}

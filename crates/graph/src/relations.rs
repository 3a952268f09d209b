//! The relations of the papers, each by its definition. `[A]` is the identity on A, `;` is [`Relation::then`], `?` is
//! [`Relation::optional`], `+` is [`Relation::closure`].

use smallvec::SmallVec;

use crate::{Event, EventId, EventKind, EventSet, Graph, Relation};

/// po, rf, mo and fr of a graph, from which the others are derived.
pub struct Relations<'g> {
    pub graph: &'g Graph,
    /// Program order; initialisation events come before all others (paper 001 Def. 3.4).
    pub po: Relation,
    /// Reads-from.
    pub rf: Relation,
    /// Modification order, of all locations together.
    pub mo: Relation,
    /// From-read, (rf⁻¹ ; mo) ∖ \[E\] (paper 001 §3.1).
    pub fr: Relation,
}

impl<'g> Relations<'g> {
    pub fn of(graph: &'g Graph) -> Relations<'g> {
        let po = po(graph);
        let rf = rf(graph);
        let mo = mo(graph);
        let fr = fr(graph, &mo);
        Relations { graph, po, rf, mo, fr }
    }

    /// The events for which `holds` is true.
    pub fn set(&self, holds: impl Fn(&Event) -> bool) -> EventSet {
        let mut set = EventSet::empty(self.graph.len());
        for (id, _) in self.graph.events().filter(|(_, e)| holds(e)) {
            set.insert(id);
        }
        set
    }

    /// Program order in which creation and join count: what a thread does up to the creation of another comes before
    /// all that the other does, and that before what follows its join. It is po where no thread makes another.
    pub fn po_across_threads(&self) -> Relation {
        let mut po = self.po.clone();
        let reads = (0..self.graph.len() as u32).map(EventId);
        let mut threads = reads.filter_map(|read| Some((self.graph.creation_or_end(read)?, read))).peekable();
        if threads.peek().is_none() {
            return po;
        }
        threads.for_each(|(write, read)| po.insert(write, read));
        po.closure()
    }

    /// Extended coherence order: (rf ∪ mo ∪ fr)+.
    pub fn eco(&self) -> Relation {
        (&self.rf | &self.mo | &self.fr).closure()
    }

    /// Synchronises-with (paper 001 §3.1): `[E⊒rel] ; ([F] ; po)? ; rf+ ; (po ; [F])? ; [E⊒acq]`. A release sequence is
    /// the C++20 one: rf+ passes through RMWs only, and not through later writes of the same thread. An access that is
    /// not atomic counts as relaxed.
    pub fn sw(&self) -> Relation {
        let release = self.set(|e| e.label.order.is_release());
        let release_fence = self.set(|e| e.label.order.is_release() && e.is_fence());
        let acquire = self.set(|e| e.label.order.is_acquire());
        let acquire_fence = self.set(|e| e.label.order.is_acquire() && e.is_fence());
        let rf = self.rf.closure();
        let mut from_release = rf.from_set(&release);
        if !release_fence.is_empty() {
            from_release |= &self.po.from_set(&release_fence).then(&rf);
        }
        let mut sw = from_release.into_set(&acquire);
        if !acquire_fence.is_empty() {
            sw |= &from_release.then(&self.po.into_set(&acquire_fence));
        }
        sw
    }

    /// Happens-before (paper 001 §3.1): (po ∪ sw)+.
    pub fn hb(&self) -> Relation {
        (&self.po | &self.sw()).closure()
    }

    /// Happens-before of release/acquire (paper 003 §4.2 and §6): (po ∪ rf)+, where only reads-from between atomic
    /// accesses counts. Every atomic access is release and acquire, whatever ordering it names.
    pub fn hb_ra(&self) -> Relation {
        let atomic = self.set(Event::is_atomic);
        (&self.po | &self.rf.between(&atomic, &atomic)).closure()
    }

    /// One step of hbSC: po ∪ rf ∪ mo ∪ fr.
    pub fn hb_sc_step(&self) -> Relation {
        &self.po | &self.rf | &self.mo | &self.fr
    }

    /// SC-happens-before (paper 001 §3.1): (po ∪ rf ∪ mo ∪ fr)+.
    pub fn hb_sc(&self) -> Relation {
        self.hb_sc_step().closure()
    }

    /// fr from reads whose value matters: `[dom(dp) ∪ R*] ; fr` (paper 001 §4.1). RMWs have theirs in mo.
    pub fn fr_dp(&self) -> Relation {
        self.fr.from_set(&self.set(|e| e.used || e.label.kind == EventKind::AwaitRead))
    }

    /// One step of hbSC^dp: po ∪ rf ∪ mo ∪ fr^dp.
    pub fn hb_sc_dp_step(&self) -> Relation {
        &self.po | &self.rf | &self.mo | self.fr_dp()
    }

    /// SC-happens-before without the reads that nothing depends on (paper 001 §4.1): (po ∪ rf ∪ mo ∪ fr^dp)+.
    pub fn hb_sc_dp(&self) -> Relation {
        self.hb_sc_dp_step().closure()
    }
}

fn po(graph: &Graph) -> Relation {
    let mut po = Relation::empty(graph.len());
    let mut next_of_thread: SmallVec<[(u32, EventId); 4]> = SmallVec::new();
    for (id, event) in graph.events().rev() {
        let Some(thread) = event.thread else {
            for (first, _) in graph.events().filter(|(_, e)| !e.is_initial()) {
                po.insert(id, first);
            }
            continue;
        };
        match next_of_thread.iter_mut().find(|(t, _)| *t == thread) {
            Some((_, next)) => {
                po.insert_before(id, *next);
                *next = id;
            }
            None => next_of_thread.push((thread, id)),
        }
    }
    po
}

fn rf(graph: &Graph) -> Relation {
    let mut rf = Relation::empty(graph.len());
    for (write, read) in sources(graph) {
        rf.insert(write, read);
    }
    rf
}

fn mo(graph: &Graph) -> Relation {
    let mut mo = Relation::empty(graph.len());
    for (_, writes) in graph.modification_orders() {
        for pair in writes.windows(2).rev() {
            mo.insert_before(pair[0], pair[1]);
        }
    }
    mo
}

fn fr(graph: &Graph, mo: &Relation) -> Relation {
    let mut fr = Relation::empty(graph.len());
    for (write, read) in sources(graph) {
        fr.copy_row(read, mo, write);
        fr.remove(read, read);
    }
    fr
}

/// Each read with the write that it reads from, write first.
fn sources(graph: &Graph) -> impl Iterator<Item = (EventId, EventId)> + '_ {
    (0..graph.len() as u32).map(EventId).filter_map(|read| Some((graph.source(read)?, read)))
}

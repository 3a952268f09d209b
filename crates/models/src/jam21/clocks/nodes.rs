//! A graph as the clocks need it: writes numbered location by location in modification order, and the events of every
//! thread with each RMW taken apart, in an order along po and rf.

use fencepost_graph::{Event, EventId, Graph, SC_FENCE_CELL};

use super::bits::Bits;

pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Fence,
}

/// A read, a write or a fence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub thread: u32,
    /// The number of the write that it is or reads from.
    pub write: u32,
    /// The next node of its thread.
    pub next: u32,
    /// A release, acquire or volatile access: it separates what is before it from what is after it (ra).
    pub separates: bool,
    pub is_volatile: bool,
    pub is_release_fence: bool,
    pub is_acquire_fence: bool,
    pub is_sc_fence: bool,
    /// In dom(spush ∪ volint).
    pub in_domain: bool,
    /// The number of the creation or end of a thread that it is or reads; see [`Graph::creation_or_end`].
    pub thread_edge: u32,
    /// Its number among the nodes whose order is looked for; see [`Nodes::find_pivots`].
    pub pivot: u32,
}

impl Node {
    /// Whether it creates a thread or tells its end.
    pub fn leaves_thread(&self) -> bool {
        self.thread_edge != NONE && self.kind == Kind::Write
    }

    /// Whether it is the first of a thread that another created, or joins a thread.
    pub fn enters_thread(&self) -> bool {
        self.thread_edge != NONE && self.kind == Kind::Read
    }
}

/// A write that the graph has, initial ones included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub event: EventId,
    pub location: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    /// Its writes have the numbers from here, the initial one first, ...
    pub start: u32,
    /// ... up to here.
    pub end: u32,
}

impl Location {
    pub fn writes<const WORDS: usize>(self) -> Bits<WORDS> {
        Bits::range(self.start as usize, self.end as usize)
    }
}

#[derive(Default)]
pub(super) struct Nodes {
    pub nodes: Vec<Node>,
    pub writes: Vec<Write>,
    pub locations: Vec<Location>,
    /// By thread, its first node.
    pub first: Vec<u32>,
    /// By event, the number of the write that it is, or [`NONE`].
    pub write_of: Vec<u32>,
    pub initial_events: usize,
    pub pivots: usize,
    /// How many creations and ends of threads are read.
    pub thread_edges: usize,
    /// By event: the number of the creation or end of a thread that it is.
    thread_edge_of: Vec<u32>,
    is_read: Vec<bool>,
    ends: Vec<End>,
    ends_across_threads: Vec<End>,
}

/// What is known of the nodes behind one, going backwards through a thread.
#[derive(Clone, Copy)]
struct End {
    next: u32,
    sc_fence_with_successor: bool,
    volatile: bool,
    /// Behind `next`, an SC fence comes before any volatile access.
    guarded: bool,
}

impl Nodes {
    /// `false` for a graph that is not meant for JAM21, or has thread numbers out of all proportion.
    pub fn read(&mut self, graph: &Graph) -> bool {
        self.number_writes(graph) && self.split_events(graph)
    }

    /// Whether a write is an initial one.
    pub fn is_initial(&self, write: u32) -> bool {
        let Write { event, .. } = self.writes[write as usize];
        event.index() < self.initial_events
    }

    /// How many bits a row needs.
    pub fn width(&self) -> usize {
        self.nodes.len().max(self.writes.len())
    }

    fn number_writes(&mut self, graph: &Graph) -> bool {
        self.is_read.clear();
        self.is_read.resize(graph.len(), false);
        self.initial_events = 0;
        self.thread_edges = 0;
        self.thread_edge_of.clear();
        self.thread_edge_of.resize(graph.len(), NONE);
        for (id, event) in graph.events() {
            self.initial_events += event.is_initial() as usize;
            if let Some(write) = graph.creation_or_end(id) {
                let number = &mut self.thread_edge_of[write.index()];
                if *number == NONE {
                    *number = self.thread_edges as u32;
                    self.thread_edges += 1;
                }
            }
            if let Some(source) = graph.source(id) {
                self.is_read[source.index()] = true;
            }
        }
        self.write_of.clear();
        self.write_of.resize(graph.len(), NONE);
        self.writes.clear();
        self.locations.clear();
        for (address, writes) in graph.modification_orders() {
            let used = writes.len() > 1 || writes.first().is_some_and(|w| self.is_read[w.index()]);
            if used && address == SC_FENCE_CELL {
                return false;
            }
            if !used {
                continue;
            }
            let location = self.locations.len() as u32;
            let start = self.writes.len() as u32;
            for &event in writes {
                self.write_of[event.index()] = self.writes.len() as u32;
                self.writes.push(Write { event, location });
            }
            self.locations.push(Location { start, end: self.writes.len() as u32 });
        }
        true
    }

    /// In the order of the graph, which goes along po and rf: an event is added after what it reads from.
    fn split_events(&mut self, graph: &Graph) -> bool {
        self.nodes.clear();
        self.first.clear();
        self.ends.clear();
        for (id, event) in graph.events() {
            let Some(thread) = event.thread else { continue };
            if thread as usize > 4 * graph.len() + 64 {
                return false;
            }
            let own = self.write_of[id.index()];
            if event.reads() {
                let Some(source) = graph.source(id) else { return false };
                self.add(Kind::Read, thread, event, self.write_of[source.index()]);
                self.mark_thread_edge(source);
            }
            if event.writes() {
                self.add(Kind::Write, thread, event, own);
                self.mark_thread_edge(id);
            }
            if event.is_fence() {
                self.add(Kind::Fence, thread, event, NONE);
            }
        }
        true
    }

    /// Of the node that was added last.
    fn mark_thread_edge(&mut self, write: EventId) {
        if let Some(node) = self.nodes.last_mut() {
            node.thread_edge = self.thread_edge_of[write.index()];
        }
    }

    fn add(&mut self, kind: Kind, thread: u32, event: &Event, write: u32) {
        let order = event.label.order;
        let is_fence = kind == Kind::Fence;
        let separates = match kind {
            Kind::Read => order.is_acquire(),
            Kind::Write => order.is_release(),
            Kind::Fence => false,
        };
        let number = self.nodes.len() as u32;
        let thread_index = thread as usize;
        if self.first.len() <= thread_index {
            self.first.resize(thread_index + 1, NONE);
            self.ends.resize(thread_index + 1, End { next: NONE, ..End::NOTHING });
        }
        // While nodes are added, `ends` holds the last node of each thread.
        match self.ends[thread_index].next {
            NONE => self.first[thread_index] = number,
            last => self.nodes[last as usize].next = number,
        }
        self.ends[thread_index].next = number;
        self.nodes.push(Node {
            kind,
            thread,
            write,
            next: NONE,
            separates,
            is_volatile: !is_fence && order.is_sc(),
            is_release_fence: is_fence && order.is_release(),
            is_acquire_fence: is_fence && order.is_acquire(),
            is_sc_fence: is_fence && order.is_sc(),
            in_domain: false,
            thread_edge: NONE,
            pivot: NONE,
        });
    }

    /// Marks dom(spush ∪ volint), and in it the *pivots*: the events behind which no other pushes to all that they push
    /// to. Only the order of pivots has to be looked for. What comes before another event of the domain comes before a
    /// pivot behind it, which pushes to at least as much; and the event itself can be as late as po ∪ rf lets it be,
    /// right before a pivot. A write that creates or ends a thread is followed by events of two threads, none of which
    /// pushes to all; so it is a pivot itself.
    pub fn find_pivots(&mut self) {
        self.ends.fill(End::NOTHING);
        self.ends_across_threads.clear();
        self.ends_across_threads.resize(self.thread_edges, End::NOTHING);
        for number in (0..self.nodes.len()).rev() {
            let node = self.nodes[number];
            let end = &mut self.ends[node.thread as usize];
            let leaves_thread = node.leaves_thread();
            if leaves_thread {
                end.join(&self.ends_across_threads[node.thread_edge as usize]);
            }
            let next = (end.next != NONE).then(|| self.nodes[end.next as usize]);
            let next_is = |what: fn(&Node) -> bool| next.as_ref().is_some_and(what);
            let volint = node.is_volatile && end.volatile;
            let node = &mut self.nodes[number];
            node.in_domain = end.sc_fence_with_successor || volint;
            let is_pivot = node.in_domain && leaves_thread
                || end.sc_fence_with_successor && next_is(|n| n.is_sc_fence)
                || volint && (next_is(|n| n.is_volatile) || !end.guarded);
            node.pivot = if is_pivot { 0 } else { NONE };
            end.guarded = !leaves_thread && (next_is(|n| n.is_sc_fence) || !next_is(|n| n.is_volatile) && end.guarded);
            end.sc_fence_with_successor |= node.is_sc_fence && end.next != NONE;
            end.volatile |= node.is_volatile;
            end.next = number as u32;
            if node.enters_thread() {
                self.ends_across_threads[node.thread_edge as usize].join(end);
            }
        }
        self.pivots = 0;
        for node in self.nodes.iter_mut().filter(|node| node.pivot != NONE) {
            node.pivot = self.pivots as u32;
            self.pivots += 1;
        }
    }
}

impl End {
    const NOTHING: End = End { next: NONE, sc_fence_with_successor: false, volatile: false, guarded: false };

    /// Adds what is known of another thread, to whose events the next node is a way.
    fn join(&mut self, other: &End) {
        self.sc_fence_with_successor |= other.sc_fence_with_successor;
        self.volatile |= other.volatile;
    }
}

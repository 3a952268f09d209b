//! An interference combination (paper 002 §4): events that are executed, what some loads read, and what is known of
//! order.

use fencepost_program::Address;

#[derive(Clone, Debug, Default)]
pub(crate) struct Combination {
    pub(crate) events: Vec<Participant>,
    /// Load and store.
    pub(crate) reads_from: Vec<(usize, usize)>,
    /// Initial values and what comes after them: threads are created when memory has its initial values.
    pub(crate) thread_creates: Vec<(usize, usize)>,
    /// Final reads and what comes before them.
    pub(crate) thread_joins: Vec<(usize, usize)>,
    /// Pairs in program order that the model keeps in order.
    pub(crate) no_reorder: Vec<(usize, usize)>,
    /// Store and later load of one thread and cell.
    pub(crate) program_order_same_cell: Vec<(usize, usize)>,
    pub(crate) tried_order: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Participant {
    /// The cell that it loads from, if that is certain.
    pub(crate) load: Option<Address>,
    pub(crate) store: Option<Address>,
    pub(crate) once: bool,
    /// `None` for initial values and final reads.
    pub(crate) thread: Option<usize>,
}

impl Combination {
    pub(crate) fn different_threads(&self, a: usize, b: usize) -> bool {
        self.events[a].thread.is_none() || self.events[a].thread != self.events[b].thread
    }

    /// The part about two threads, and which events of the whole its events are.
    pub(crate) fn between(&self, one: usize, other: usize) -> (Combination, Vec<usize>) {
        let kept = |e: &Participant| e.thread.is_none_or(|t| t == one || t == other);
        let mut place = vec![usize::MAX; self.events.len()];
        let (mut events, mut numbers) = (Vec::new(), Vec::new());
        for (id, event) in self.events.iter().enumerate().filter(|(_, e)| kept(e)) {
            place[id] = events.len();
            events.push(*event);
            numbers.push(id);
        }
        let pairs = |pairs: &[(usize, usize)]| {
            let moved = pairs.iter().map(|&(a, b)| (place[a], place[b]));
            moved.filter(|&(a, b)| a != usize::MAX && b != usize::MAX).collect()
        };
        let part = Combination {
            events,
            reads_from: pairs(&self.reads_from),
            thread_creates: pairs(&self.thread_creates),
            thread_joins: pairs(&self.thread_joins),
            no_reorder: pairs(&self.no_reorder),
            program_order_same_cell: pairs(&self.program_order_same_cell),
            tried_order: pairs(&self.tried_order),
        };
        (part, numbers)
    }
}

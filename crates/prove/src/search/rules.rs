//! The deduction rules of paper 002, Fig. 6 and Fig. 7, in Datalog, and those that we add.
//!
//! This is the definition of which reads-from combinations are infeasible, for tests. [`crate::search::order`] computes
//! the same faster.
//!
//! Instructions are numbers. All those given are executed, each at least once; a relation between two holds for all
//! their instances. `once` marks those that are executed exactly once: what is said of the instance that a load reads
//! from is only then said of the instruction.

// What the macro makes is not ours to tidy.
#![allow(clippy::all, unused_variables)]

use ascent::ascent;

use crate::search::Deduction;
use crate::search::combination::Combination;

pub(crate) type Id = u32;
pub(crate) type Cell = u64;

ascent! {
    /// Fig. 6 and Fig. 7. Whether the rules of the paper alone apply, or ours too, is a fact.
    pub(crate) struct Rules;

    relation is_load(Id, Cell);
    relation is_store(Id, Cell);
    relation once(Id);
    relation reads_from(Id, Id);
    relation thread_creates(Id, Id);
    relation thread_joins(Id, Id);
    /// One dominates the other, which does not lead back to it: whenever both are executed, they come in this order.
    relation dominates_and_not_reachable_from(Id, Id);
    relation no_reorder(Id, Id);
    /// The load follows its own thread's store to the same cell.
    relation program_order_same_cell(Id, Id);
    relation different_threads(Id, Id);
    relation tried_order(Id, Id);
    relation beyond_the_paper();

    relation mhb(Id, Id);
    relation must_not_read_from(Id, Id);
    relation infeasible();

    // (1)
    mhb(s, sta) <-- thread_creates(s, sta);
    mhb(end, s) <-- thread_joins(s, end);
    // (2)
    mhb(s1, s2) <-- dominates_and_not_reachable_from(s1, s2), no_reorder(s1, s2);
    // (3)
    mhb(s1, s3) <-- mhb(s1, s2), mhb(s2, s3);
    // (4)
    mhb(l, s2) <-- reads_from(l, s1), mhb(s1, s2), is_load(l, v), is_store(s1, v), is_store(s2, v), if l != s2;

    // (5), and for a load of the same thread only what program order says: it may read its store before that takes
    // effect, as in Fig. 11, where the paper's rule would forbid what TSO allows.
    must_not_read_from(l, s) <-- mhb(l, s), different_threads(l, s);
    // (6), likewise: l1 must not have read s1 early. And a store that is executed again may be read again.
    must_not_read_from(l2, s1) <--
        reads_from(l1, s1), once(s1), different_threads(l1, s1), mhb(l1, s2), mhb(s2, l2), is_load(l1, v),
        is_load(l2, v), is_store(s2, v);

    infeasible() <-- reads_from(l, s), must_not_read_from(l, s);

    // What is read from another thread has taken effect, and so has what comes before all its instances.
    mhb(s, l) <-- beyond_the_paper(), reads_from(l, s), once(s), different_threads(l, s);
    mhb(x, l) <-- beyond_the_paper(), reads_from(l, s), different_threads(l, s), mhb(x, s);
    // A store that a load must see is not later than the one that it reads.
    mhb(s2, s1) <--
        beyond_the_paper(), reads_from(l, s1), once(s1), is_load(l, v), is_store(s1, v), mhb(s2, l), is_store(s2, v),
        if s1 != s2;
    mhb(s2, s1) <--
        beyond_the_paper(), reads_from(l, s1), once(s1), is_load(l, v), is_store(s1, v), program_order_same_cell(s2, l),
        is_store(s2, v), if s1 != s2;
    // One of the two orders of two stores is tried at a time.
    mhb(s1, s2) <-- beyond_the_paper(), tried_order(s1, s2);
    infeasible() <-- beyond_the_paper(), mhb(s1, s2), if s1 == s2;
}

/// Whether the rules show that no execution has this combination: those of the paper alone, or ours too.
pub(crate) fn infeasible(combination: &Combination, deduction: Deduction) -> bool {
    let mut rules = Rules::default();
    let pairs = |pairs: &[(usize, usize)]| pairs.iter().map(|&(a, b)| (a as Id, b as Id)).collect::<Vec<_>>();
    for (id, event) in combination.events.iter().enumerate() {
        let id = id as Id;
        rules.is_load.extend(event.load.map(|cell| (id, cell.0)));
        rules.is_store.extend(event.store.map(|cell| (id, cell.0)));
        rules.once.extend(event.once.then_some((id,)));
        for (other, e) in combination.events.iter().enumerate() {
            if e.thread.is_none() || e.thread != event.thread {
                rules.different_threads.push((id, other as Id));
            }
        }
    }
    rules.reads_from = pairs(&combination.reads_from);
    rules.thread_creates = pairs(&combination.thread_creates);
    rules.thread_joins = pairs(&combination.thread_joins);
    rules.dominates_and_not_reachable_from = pairs(&combination.no_reorder);
    rules.no_reorder = pairs(&combination.no_reorder);
    rules.program_order_same_cell = pairs(&combination.program_order_same_cell);
    rules.tried_order = pairs(&combination.tried_order);
    rules.beyond_the_paper.extend((deduction == Deduction::AllThreads).then_some(()));
    rules.run();
    !rules.infeasible.is_empty()
}

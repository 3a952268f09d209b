//! How many complete graphs SC, RC20 and RC11 allow, against figures of an independent enumeration that picks rf and mo
//! for all events at once and then asks the axioms.

mod common;

use std::collections::HashSet;

use common::parse;
use fencepost_graph::{EventId, Graph, SC_FENCE_CELL};
use fencepost_models::Model;
use fencepost_oracle::{Bounds, complete_graphs};
use fencepost_program::Address;

type Row = (&'static str, &'static [&'static str], [usize; 3]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("SB", &["x.store(1, rlx); r1 = y.load(rlx);", "y.store(1, rlx); r1 = x.load(rlx);"], [3, 4, 4]),
    ("SB fences", &["x.store(1, rlx); fence(sc); r2 = y.load(rlx);", "y.store(1, rlx); fence(sc); r2 = x.load(rlx);"], [3, 3, 3]),
    ("SB one fence", &["x.store(1, rlx); fence(sc); r2 = y.load(rlx);", "y.store(1, rlx); r1 = x.load(rlx);"], [3, 4, 4]),
    ("SB sc", &["x.store(1, sc); r1 = y.load(sc);", "y.store(1, sc); r1 = x.load(sc);"], [3, 4, 3]),
    ("SB sc one acq", &["x.store(1, sc); r1 = y.load(acq);", "y.store(1, sc); r1 = x.load(sc);"], [3, 4, 4]),
    ("MP", &["x.store(1, rlx); y.store(1, rel);", "r0 = y.load(acq); r1 = x.load(rlx);"], [3, 3, 3]),
    ("MP rlx", &["x.store(1, rlx); y.store(1, rlx);", "r0 = y.load(rlx); r1 = x.load(rlx);"], [3, 4, 4]),
    ("MP fences", &["x.store(1, rlx); fence(rel); y.store(1, rlx);", "r0 = y.load(rlx); fence(acq); r2 = x.load(rlx);"], [3, 3, 3]),
    ("2+2W", &["x.store(1, rlx); y.store(2, rlx);", "y.store(1, rlx); x.store(2, rlx);"], [3, 4, 4]),
    ("2+2W sc", &["x.store(1, sc); y.store(2, sc);", "y.store(1, sc); x.store(2, sc);"], [3, 4, 3]),
    ("LB", &["r0 = x.load(rlx); y.store(1, rlx);", "r0 = y.load(rlx); x.store(1, rlx);"], [3, 3, 3]),
    ("IRIW", &["x.store(1, rel);", "y.store(1, rel);", "r0 = x.load(acq); r1 = y.load(acq);", "r0 = y.load(acq); r1 = x.load(acq);"], [15, 16, 16]),
    ("IRIW sc", &["x.store(1, sc);", "y.store(1, sc);", "r0 = x.load(sc); r1 = y.load(sc);", "r0 = y.load(sc); r1 = x.load(sc);"], [15, 16, 15]),
    ("IRIW fences", &["x.store(1, rel);", "y.store(1, rel);", "r0 = x.load(acq); fence(sc); r2 = y.load(acq);", "r0 = y.load(acq); fence(sc); r2 = x.load(acq);"], [15, 15, 15]),
    ("two CAS", &["(k0, r0) = x.cas(0, 1, acqrel, rlx);", "(k0, r0) = x.cas(0, 1, acqrel, rlx);"], [2, 2, 2]),
    ("three FADD", &["x.fetch_add(1, rlx);", "x.fetch_add(1, rlx);", "x.fetch_add(1, rlx);"], [6, 6, 6]),
    ("CAS and store", &["(k0, r0) = x.cas(0, 2, rlx, acq); r1 = y.load(rlx);", "y.store(1, rlx); x.store(1, rel);"], [3, 3, 3]),
    ("release sequence", &["x.store(1, rlx); y.store(1, rel);", "y.fetch_add(1, rlx);", "r0 = y.load(acq); r1 = x.load(rlx);"], [9, 9, 9]),
    ("W+RWC", &["x.store(1, rlx); z.store(1, rel);", "r0 = z.load(acq); fence(sc); r2 = y.load(rlx);", "y.store(1, rlx); fence(sc); r2 = x.load(rlx);"], [7, 7, 7]),
    ("fences by rf", &["x.store(1, rlx); fence(sc); y.store(1, rlx);", "r0 = y.load(rlx); z.store(1, rlx);", "r0 = z.load(rlx); fence(sc); r2 = x.load(rlx);"], [7, 7, 8]),
    ("Z6 sc", &["x.store(1, sc); y.store(1, rel);", "y.fetch_add(1, sc); r1 = y.load(rlx);", "y.store(3, sc); r1 = x.load(sc);"], [18, 24, 24]),
    ("RMW and fences", &["x.fetch_add(1, rel); fence(sc); r2 = y.load(rlx);", "y.fetch_add(1, acq); fence(acqrel); x.store(5, rlx);"], [3, 3, 3]),
];

type Name = (Option<u32>, u32);
type ReadsFrom = Vec<(Name, Option<Name>)>;
type ModificationOrders = Vec<(Address, Vec<Name>)>;

/// Reads-from and modification orders, without the order of SC fences, which the figures do not count.
fn without_fence_order(graph: &Graph) -> (ReadsFrom, ModificationOrders) {
    let name = |id: EventId| (graph.event(id).thread, graph.event(id).serial);
    let accesses = graph.events().filter(|(_, e)| !e.is_fence());
    let mut sources: Vec<_> = accesses.map(|(id, _)| (name(id), graph.source(id).map(name))).collect();
    sources.sort();
    let orders = graph.modification_orders().filter(|(a, _)| *a != SC_FENCE_CELL);
    (sources, orders.map(|(a, writes)| (a, writes.iter().map(|&w| name(w)).collect())).collect())
}

fn count(text: &str, model: Model) -> usize {
    let graphs = complete_graphs(&parse(text), model, Bounds::default()).unwrap();
    graphs.iter().map(without_fence_order).collect::<HashSet<_>>().len()
}

#[test]
fn complete_graphs_are_as_many_as_an_independent_enumeration_finds() {
    for (name, threads, expected) in ROWS {
        let threads: String = threads.iter().enumerate().map(|(i, t)| format!("thread t{i} {{ {t} }}\n")).collect();
        let text = format!("atomic x, y, z;\n{threads}");
        let found = [Model::Sc, Model::Rc20, Model::Rc11].map(|model| count(&text, model));
        assert_eq!(found, *expected, "{name}");
    }
}

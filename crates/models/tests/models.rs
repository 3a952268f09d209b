//! Litmus graphs that tell the models apart.

use fencepost_graph::{EventId, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_program::Ordering::{self, *};
use fencepost_program::{Address, Span};

const X: Address = Address(0);
const Y: Address = Address(1);
const INIT_X: EventId = EventId(0);
const INIT_Y: EventId = EventId(1);

struct Builder(Graph, Model);

impl Builder {
    fn new(model: Model) -> Builder {
        let mut cells = vec![(X, 0), (Y, 0)];
        if model.sc_fence_is_rmw() {
            cells.push((fencepost_graph::SC_FENCE_CELL, 0));
        }
        Builder(Graph::initial(cells), model)
    }

    fn add(&mut self, thread: u32, label: EventLabel, predecessor: EventId) -> EventId {
        self.0.push(thread, label, Span::default(), Some(predecessor))
    }

    fn sc_fence(&mut self, thread: u32) {
        let label = self.1.sc_fence_label();
        let last = self.0.writes(fencepost_graph::SC_FENCE_CELL).last().copied();
        self.0.push(thread, label, Span::default(), last);
    }

    /// Whether the model and SC allow the graph.
    fn verdict(&self) -> (bool, bool) {
        (self.1.consistent(&self.0), Model::Sc.consistent(&self.0))
    }
}

/// x := 1; a := y (0) || y := 1; b := x (0).
fn store_buffering(model: Model, write: Ordering, read: Ordering, fences: [bool; 2]) -> (bool, bool) {
    let mut b = Builder::new(model);
    b.add(0, EventLabel::write(write, X, 1), INIT_X);
    if fences[0] {
        b.sc_fence(0);
    }
    b.add(0, EventLabel::read(read, Y, 0), INIT_Y);
    b.add(1, EventLabel::write(write, Y, 1), INIT_Y);
    if fences[1] {
        b.sc_fence(1);
    }
    b.add(1, EventLabel::read(read, X, 0), INIT_X);
    b.verdict()
}

#[test]
fn store_buffering_is_weak_without_two_sc_fences() {
    for model in [Model::Ra, Model::Rc20, Model::Rc11] {
        assert_eq!(store_buffering(model, Release, Acquire, [false, false]), (true, false), "{model}");
        assert_eq!(store_buffering(model, Release, Acquire, [true, false]), (true, false), "{model}");
        assert_eq!(store_buffering(model, Relaxed, Relaxed, [true, true]), (false, false), "{model}");
    }
}

#[test]
fn rc11_forbids_store_buffering_of_sc_accesses() {
    assert_eq!(store_buffering(Model::Rc11, SeqCst, SeqCst, [false, false]), (false, false));
    assert_eq!(store_buffering(Model::Rc11, SeqCst, Acquire, [false, false]), (true, false));
}

/// x := 1; y := 1 || a := y (1); b := x (0).
fn message_passing(model: Model, write: Ordering, read: Ordering) -> (bool, bool) {
    let mut b = Builder::new(model);
    b.add(0, EventLabel::write(Relaxed, X, 1), INIT_X);
    let flag = b.add(0, EventLabel::write(write, Y, 1), INIT_Y);
    b.add(1, EventLabel::read(read, Y, 1), flag);
    b.add(1, EventLabel::read(Relaxed, X, 0), INIT_X);
    b.verdict()
}

#[test]
fn message_passing_needs_release_and_acquire() {
    for model in [Model::Rc20, Model::Rc11] {
        assert_eq!(message_passing(model, Release, Acquire), (false, false));
        assert_eq!(message_passing(model, Relaxed, Acquire), (true, false));
        assert_eq!(message_passing(model, Release, Relaxed), (true, false));
    }
}

#[test]
fn release_acquire_takes_every_atomic_access_as_release_or_acquire() {
    assert_eq!(message_passing(Model::Ra, Relaxed, Relaxed), (false, false));
}

#[test]
fn no_model_allows_two_rmws_to_read_one_write() {
    for model in Model::ALL {
        let mut b = Builder::new(model);
        b.add(0, EventLabel::rmw(Relaxed, X, 0, 1), INIT_X);
        b.add(1, EventLabel::rmw(Relaxed, X, 0, 1), INIT_X);
        assert_eq!(b.verdict(), (false, false), "{model}");
    }
}

#[test]
fn no_model_allows_a_thread_to_forget_its_own_write() {
    for model in Model::ALL {
        let mut b = Builder::new(model);
        b.add(0, EventLabel::write(NonAtomic, X, 1), INIT_X);
        b.add(0, EventLabel::read(NonAtomic, X, 0), INIT_X);
        assert_eq!(b.verdict(), (false, false), "{model}");
    }
}

#[test]
fn every_model_allows_what_sc_allows() {
    for model in Model::ALL {
        let mut b = Builder::new(model);
        let x = b.add(0, EventLabel::write(Relaxed, X, 1), INIT_X);
        b.sc_fence(0);
        b.add(1, EventLabel::read(Relaxed, X, 1), x);
        b.sc_fence(1);
        b.add(1, EventLabel::rmw(Relaxed, Y, 0, 1), INIT_Y);
        assert_eq!(b.verdict(), (true, true), "{model}");
    }
}

/// Paper 001 Remark 1: RC20 orders its SC fences by hb, RC11 only asks that some order exists. In x := 1; a := y (0) ||
/// y := 1; fence || fence; b := x (0) the order of the fences is known to RC20's graph, and SC objects to it.
#[test]
fn the_order_of_sc_fences_is_part_of_the_graph_only_where_they_are_rmws() {
    let verdict = |model| {
        let mut b = Builder::new(model);
        b.add(0, EventLabel::write(Relaxed, X, 1), INIT_X);
        b.add(0, EventLabel::read(Relaxed, Y, 0), INIT_Y);
        b.add(1, EventLabel::write(Relaxed, Y, 1), INIT_Y);
        b.sc_fence(1);
        b.sc_fence(2);
        b.add(2, EventLabel::read(Relaxed, X, 0), INIT_X);
        b.verdict()
    };
    assert_eq!(verdict(Model::Rc20), (true, false));
    assert_eq!(verdict(Model::Rc11), (true, true));
}

#[test]
fn models_are_found_by_name() {
    for model in Model::ALL {
        assert_eq!(model.name().parse(), Ok(model));
    }
    assert_eq!("RC11".parse(), Ok(Model::Rc11));
    let error = "power".parse::<Model>().unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no memory model 'power'; the models are sc, ibm370, tso, pso, rmo, ra, rc20, rc11, jam21, rc11-2017, jam21-2017"
    );
}

use fastrand::Rng;
use fencepost_frontend::parse_fp;
use fencepost_graph::{EventId, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_oracle::{Bounds, complete_graphs};
use fencepost_program::Ordering::{self, *};
use fencepost_program::{Address, Program, Span};

pub fn parse(text: &str) -> Program {
    match parse_fp("test", text) {
        Ok(input) => input.program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// A program of these threads over x, y and z, all atomic and 0.
pub fn program(threads: &[&str]) -> Program {
    let mut text = "atomic x, y, z;\n".to_owned();
    for (i, thread) in threads.iter().enumerate() {
        text += &format!("thread t{i} {{ {thread} }}\n");
    }
    parse(&text)
}

/// The complete graphs of these threads that the model allows.
pub fn graphs(threads: &[&str], model: Model) -> Vec<Graph> {
    complete_graphs(&program(threads), model, Bounds::default()).expect("a small program")
}

pub fn count(threads: &[&str], model: Model) -> usize {
    graphs(threads, model).len()
}

/// How many complete graphs RC11 and JAM21 allow: a row of paper 004's tables.
pub fn row(threads: &[&str]) -> (usize, usize) {
    (count(threads, Model::Rc11), count(threads, Model::Jam21))
}

/// Which orderings the events of random graphs have.
#[derive(Clone, Copy)]
pub struct Mix {
    pub threads: u32,
    pub locations: u64,
    pub events: usize,
    /// In percent.
    pub sc: u32,
    pub rmws: u32,
    pub fences: u32,
}

impl Mix {
    pub fn random(rng: &mut Rng) -> Mix {
        Mix {
            threads: rng.u32(2..=4),
            locations: rng.u64(2..=3),
            events: rng.usize(5..=11),
            sc: [40, 70, 90, 100][rng.usize(..4)],
            rmws: [0, 10, 30][rng.usize(..3)],
            fences: [0, 10, 30][rng.usize(..3)],
        }
    }

    /// A label for the end of a thread. Threads rather begin with writes and end with reads: that is where models
    /// differ.
    pub fn label(&self, rng: &mut Rng, graph: &Graph, thread: u32) -> EventLabel {
        let writes = if graph.thread(thread).next().is_none() { 85 } else { 30 };
        let percent = |rng: &mut Rng, chance| rng.u32(..100) < chance;
        let at = Address(rng.u64(..self.locations));
        let is_sc = percent(rng, self.sc);
        let order = |rng: &mut Rng, weaker: &[Ordering]| if is_sc { SeqCst } else { weaker[rng.usize(..weaker.len())] };
        if percent(rng, self.fences) {
            EventLabel::fence(order(rng, &[Acquire, Release, AcqRel]))
        } else if percent(rng, self.rmws) {
            EventLabel::rmw(order(rng, &[Relaxed, Acquire, Release, AcqRel]), at, 0, 0)
        } else if percent(rng, writes) {
            EventLabel::write(order(rng, &[Relaxed, Release]), at, 0)
        } else {
            EventLabel::read(order(rng, &[Relaxed, Acquire]), at, 0)
        }
    }
}

/// A random graph that is coherent and atomic by the axioms that RC11 and JAM21 share: those of RC20, since SC fences
/// touch no location here. Its accesses read and overwrite old values as often as new ones. Values are all 0: no model
/// asks for them.
pub fn random_graph(rng: &mut Rng, mix: Mix) -> Graph {
    let mut graph = Graph::initial((0..mix.locations).map(|x| (Address(x), 0)));
    for _ in 0..mix.events {
        let thread = rng.u32(..mix.threads);
        let label = mix.label(rng, &graph, thread);
        let Some(at) = label.address else {
            graph.push(thread, label, Span::default(), None);
            continue;
        };
        for predecessor in predecessors(rng, &graph, at) {
            graph.push(thread, label, Span::default(), Some(predecessor));
            if Model::Rc20.consistent(&graph) {
                break;
            }
            graph.pop();
        }
    }
    graph
}

/// The writes that an access may read or overwrite, in the order in which to try them: mostly from old to new.
pub fn predecessors(rng: &mut Rng, graph: &Graph, at: Address) -> Vec<EventId> {
    let mut predecessors = graph.writes(at).to_vec();
    if rng.u32(..100) < 30 {
        rng.shuffle(&mut predecessors);
    }
    predecessors
}

/// A graph that need not be coherent: every access reads or overwrites any write.
pub fn wild_graph(rng: &mut Rng, mix: Mix) -> Graph {
    let mut graph = Graph::initial((0..mix.locations).map(|x| (Address(x), 0)));
    for _ in 0..mix.events {
        let thread = rng.u32(..mix.threads);
        let label = mix.label(rng, &graph, thread);
        let predecessor = label.address.and_then(|at| rng.choice(graph.writes(at)).copied());
        graph.push(thread, label, Span::default(), predecessor);
    }
    graph
}

//! Explanations are proofs: every line follows from earlier lines or from the program by one rule.

mod executions;

use std::collections::BTreeSet;

use fencepost_models::Model;
use fencepost_program::code::BitSet;
use fencepost_program::question::Proposition;
use fencepost_program::{Address, Program};

use crate::domains::IntervalDomain;
use crate::proof::explain::{Explanation, Grounds, chain, needed, premise};
use crate::proof::options::{Method, Options};
use crate::proof::prover::Prover;
use crate::proof::{observed_cells, text};
use crate::search::Limits;
use crate::search::case::Decision;
use crate::search::combination::Combination;
use crate::search::order::{Edge, Reason};
use crate::search::record::{Infeasible, Left, Why};
use crate::system::seen::{Because, Deduction, Dropped, Exclusion, WhyDropped};
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::interpret::Reading;
use crate::unfold::cells;

type Pairs = BTreeSet<(usize, usize)>;

/// How many lines of each kind were checked.
#[derive(Debug, Default)]
struct Count {
    edges: usize,
    cycles: usize,
    deductions: usize,
    dropped: usize,
    by_values: usize,
}

struct Checker<'s, 'p> {
    system: &'s System<'p>,
    facts: &'s Facts<IntervalDomain>,
}

impl Checker<'_, '_> {
    fn explanation(&self, explanation: &Explanation, count: &mut Count) {
        match &explanation.grounds {
            Grounds::Values => count.by_values += 1,
            Grounds::Cases(cases) => {
                for case in cases {
                    if let Why::Order(infeasible) = &case.why {
                        self.infeasible(case, infeasible, count);
                    }
                }
            }
        }
    }

    fn infeasible(&self, case: &Left, found: &Infeasible, count: &mut Count) {
        self.combination(case, found);
        let combination = &found.combination;
        let mut known = Closed::new(combination.events.len());
        combination.thread_creates.iter().for_each(|&(start, event)| known.insert(start, event));
        combination.thread_joins.iter().for_each(|&(end, event)| known.insert(event, end));
        let (last, path) = found.cycle.cycle.split_last().expect("a cycle has edges");
        for edge in needed(&found.cycle) {
            let closes = edge == *last && closes(combination, edge, path);
            assert!(closes || follows(combination, edge, &known), "{edge:?} in {combination:?}");
            known.insert(edge.from, edge.to);
            count.edges += 1;
        }
        assert!(found.cycle.cycle.iter().all(|edge| known.contains((edge.from, edge.to))));
        assert!(found.cycle.cycle.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert_eq!(last.to, found.cycle.cycle[0].from);
        count.cycles += 1;
    }

    /// What a combination says is so in the case, and by the program.
    fn combination(&self, case: &Left, found: &Infeasible) {
        let Infeasible { combination, events, .. } = found;
        let event = |i: usize| &self.system.events[events[i]];
        let node = |i: usize| match event(i).at {
            At::Node { node, .. } => node,
            At::Start | At::End => panic!("only accesses of threads are in program order"),
        };
        for (i, participant) in combination.events.iter().enumerate() {
            assert_eq!(participant.thread, event(i).thread());
            assert!(participant.load.is_none_or(|cell| event(i).reads && event(i).cell() == Some(cell)));
            assert!(participant.store.is_none_or(|cell| event(i).cell() == Some(cell)));
            assert!(participant.store.is_none() || event(i).writes != Writes::Never);
            assert!(!participant.once || event(i).once);
        }
        for &(load, store) in &combination.reads_from {
            let is_decided = |&(l, decision): &(EventId, Decision)| {
                l == events[load] && matches!(decision, Decision::From { store: s, .. } if s == events[store])
            };
            assert!(case.reads.iter().any(is_decided) && event(load).sources.contains(&events[store]));
        }
        for &(first, second) in &combination.tried_order {
            assert!(case.tried_order.contains(&(events[first], events[second])));
        }
        for &(first, second) in combination.no_reorder.iter().chain(&combination.program_order_same_cell) {
            let thread = event(first).thread().expect("an access of a thread");
            assert_eq!(Some(thread), event(second).thread());
            assert!(self.system.flows[thread].before(node(first), node(second)));
        }
        for &(first, second) in &combination.no_reorder {
            assert!(self.is_kept(case, events[first], events[second]), "{first} {second}");
        }
        assert!(combination.thread_creates.iter().all(|&(start, _)| event(start).at == At::Start));
        assert!(combination.thread_joins.iter().all(|&(end, _)| event(end).at == At::End));
    }

    /// Whether the model keeps two accesses of a thread in order, with all that may be executed between them.
    fn is_kept(&self, case: &Left, first: EventId, second: EventId) -> bool {
        let (At::Node { thread, node: from }, At::Node { node: to, .. }) =
            (self.system.events[first].at, self.system.events[second].at)
        else {
            return false;
        };
        let succeeds = |event: EventId| {
            let decided = case.reads.iter().find_map(|&(load, decision)| match decision {
                Decision::From { succeeds, .. } if load == event => succeeds,
                _ => None,
            });
            let is_read = |&(_, d): &(EventId, Decision)| matches!(d, Decision::From { store, .. } if store == event);
            let is_cas = self.system.events[event].writes == Writes::OnSuccess;
            decided.or((is_cas && case.reads.iter().any(is_read)).then_some(true))
        };
        let flow = &self.system.flows[thread];
        let mut membar =
            self.system.membars(first, succeeds(first)).1 | self.system.membars(second, succeeds(second)).0;
        for (node, event) in self.system.event_at[thread].iter().enumerate() {
            if let Some(event) = event.filter(|_| flow.before(from, node) && flow.before(node, to)) {
                let (before, after) = self.system.membars(event, succeeds(event));
                membar = membar | before | after;
            }
        }
        let access = |event| self.system.access(event, succeeds(event));
        self.system.model.no_reorder(access(first), access(second), membar)
    }

    fn dropped(&self, dropped: &Dropped, count: &mut Count) {
        let Dropped { load, store, why } = dropped;
        count.dropped += 1;
        let (l, s) = (&self.system.events[*load], &self.system.events[*store]);
        assert!(l.reads && s.writes != Writes::Never && l.cell().is_some() && l.cell() == s.cell());
        assert!(!l.sources.contains(store));
        match why {
            WhyDropped::Order { exclusion, deductions } => {
                let mut known = Pairs::new();
                for deduction in deductions {
                    assert!(self.is_deduced(deduction, &known), "{deduction:?}\n{deductions:?}");
                    known.insert((deduction.first, deduction.second));
                    count.deductions += 1;
                }
                self.excludes(*load, *store, *exclusion, &known);
                if let Some(cycle) = chain(self.system, *load, *store, *exclusion, deductions) {
                    for pair in cycle.windows(2) {
                        let reads = |d: &Deduction| {
                            let Because::Read { load, sources } = &d.because else { return false };
                            *load == pair[1] && sources[..] == [pair[0]]
                        };
                        assert!(known.contains(&(pair[0], pair[1])) || deductions.iter().any(reads));
                    }
                    let ends = if *exclusion == Exclusion::Later { *store } else { *load };
                    assert_eq!(cycle.last(), Some(&ends));
                    if *exclusion != Exclusion::Later {
                        assert_eq!(self.system.events[cycle[0]].cell(), s.cell());
                    }
                }
            }
            WhyDropped::Remembered { lock, last } => {
                self.holds(*lock, *load);
                assert!(last.iter().all(|&event| self.system.events[event].cell() == l.cell()));
                assert!(last.iter().all(|event| event != store));
            }
            WhyDropped::NotLeftBehind { lock } => {
                self.holds(*lock, *load);
                self.holds(*lock, *store);
            }
        }
    }

    fn holds(&self, cell: Address, event: EventId) {
        let locks = self.system.locks(self.facts);
        let lock = locks.iter().find(|lock| lock.cell == cell).expect("it is a lock");
        let At::Node { thread, node } = self.system.events[event].at else { panic!("not in a section") };
        assert!(self.facts.states[thread].before[node].is_none() || lock.is_held(self.facts, thread, node));
    }

    fn excludes(&self, load: EventId, store: EventId, exclusion: Exclusion, known: &Pairs) {
        let (l, s) = (&self.system.events[load], &self.system.events[store]);
        match exclusion {
            Exclusion::InitialValueOverwritten => assert!(s.at == At::Start && known.contains(&(store, load))),
            Exclusion::Later => {
                assert!(l.thread() != s.thread() && l.once && known.contains(&(load, store)));
            }
            Exclusion::Overwritten(by) => {
                let e = &self.system.events[by];
                assert!(by != store && e.writes == Writes::Always && e.cell() == s.cell());
                assert!(known.contains(&(by, load)));
                let earlier = match (s.at, e.at) {
                    (At::Node { thread, node }, At::Node { thread: other, node: at }) => {
                        thread == other && self.system.flows[thread].before(node, at)
                    }
                    _ => false,
                };
                assert!(earlier || s.once && known.contains(&(store, by)));
            }
        }
    }

    fn is_deduced(&self, deduction: &Deduction, known: &Pairs) -> bool {
        let Deduction { first, second, because } = deduction;
        let is_start_of = |store: EventId| {
            let (start, e) = (&self.system.events[*first], &self.system.events[store]);
            start.at == At::Start && e.writes == Writes::Always && e.cell() == start.cell()
        };
        match because {
            Because::ProgramOrder => self.comes_before(*first, *second),
            Because::Before(event) => known.contains(&(*first, *event)) && known.contains(&(*event, *second)),
            Because::OverwrittenBy(event) => is_start_of(*event) && known.contains(&(*event, *second)),
            Because::StoredOnAllPaths => self.is_stored_on_all_paths(*first, *second),
            Because::Read { load, sources } => {
                let other_thread = |&store: &EventId| {
                    let thread = self.system.events[store].thread();
                    thread.is_some() && thread != self.system.events[*load].thread()
                };
                let is_start = |store: EventId| {
                    let (start, e) = (&self.system.events[*first], &self.system.events[store]);
                    start.at == At::Start && e.cell() == start.cell()
                };
                let has = |&store: &EventId| store == *first || is_start(store) || known.contains(&(*first, store));
                let ordered = load == second || known.contains(&(*load, *second));
                ordered && sources.iter().all(other_thread) && sources.iter().all(has) && self.reads_one_of(deduction)
            }
        }
    }

    /// Whether the first is on every path to the second, and the model keeps their order.
    fn comes_before(&self, first: EventId, second: EventId) -> bool {
        let (At::Node { thread, node: from }, At::Node { thread: other, node: to }) =
            (self.system.events[first].at, self.system.events[second].at)
        else {
            return false;
        };
        let flow = &self.system.flows[thread];
        let above = self.facts.states[thread].dominators(&self.system.codes[thread], flow);
        if thread != other || !above.is_reached(to) || !above.above(to).any(|node| node == from) {
            return thread == other && !above.is_reached(to);
        }
        let mut membar = self.system.membars(first, None).1 | self.system.membars(second, None).0;
        for node in above.above(to).take_while(|&node| node != from) {
            if let Some(event) = self.system.event_at[thread][node] {
                let (before, after) = self.system.membars(event, None);
                membar = membar | before | after;
            }
        }
        self.system.model.no_reorder(self.system.access(first, None), self.system.access(second, None), membar)
    }

    /// Whether no path leads to an access without a store to a cell, and all stores before the access stay before it.
    fn is_stored_on_all_paths(&self, start: EventId, access: EventId) -> bool {
        let At::Node { thread, node } = self.system.events[access].at else { return false };
        let cell = self.system.events[start].cell();
        let (code, states) = (&self.system.codes[thread], &self.facts.states[thread]);
        let mut seen = BitSet::new(code.nodes.len());
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let stores = |event: EventId| {
                let e = &self.system.events[event];
                e.writes == Writes::Always && e.cell() == cell
            };
            if seen.contains(at) || at != node && self.system.event_at[thread][at].is_some_and(stores) {
                continue;
            }
            seen.insert(at);
            let taken = |&(i, _): &(usize, &u32)| states.taken[at] >> i & 1 == 1;
            work.extend(code.nodes[at].next.iter().enumerate().filter(taken).map(|(_, &next)| next as usize));
        }
        let store = fencepost_models::Access { reads: false, writes: true, cell: None };
        let own = self.system.access(access, None);
        !seen.contains(node) && self.system.model.no_reorder(store, own, self.system.membars(access, None).0)
    }

    /// Whether a load that reads none of these keeps its thread from getting to an access.
    fn reads_one_of(&self, deduction: &Deduction) -> bool {
        let Because::Read { load, sources } = &deduction.because else { return false };
        let At::Node { thread, node } = self.system.events[*load].at else { return false };
        let Some(state) = &self.facts.states[thread].before[node] else { return true };
        let target = match self.system.events[deduction.second].at {
            At::Node { node, .. } => node,
            At::Start | At::End => return false,
        };
        let others = self.system.events[*load].sources.iter().filter(|store| !sources.contains(store));
        let mut values = others.filter_map(|&store| self.facts.values[store]);
        if deduction.second == *load {
            return values.next().is_none();
        }
        let interpreter = self.system.interpreter(thread, &[]);
        let mut allowed = BitSet::full(self.system.codes[thread].nodes.len());
        allowed.remove(node);
        values.all(|value| {
            let read = |at: usize| {
                let event = self.system.event_at[thread][at];
                let joined = || event.and_then(|e| self.system.join_of_sources(e, &self.facts.values));
                Reading { value: if at == node { Some(value) } else { joined() }, succeeds: None }
            };
            let seeds = interpreter.after(node, state, &allowed, &read);
            interpreter.run_from(seeds, &allowed, &read).before[target].is_none()
        })
    }
}

/// A transitive relation.
struct Closed(Vec<BitSet>);

impl Closed {
    fn new(events: usize) -> Closed {
        Closed(vec![BitSet::new(events); events])
    }

    fn contains(&self, (first, second): (usize, usize)) -> bool {
        self.0[first].contains(second)
    }

    fn insert(&mut self, first: usize, second: usize) {
        let mut row = self.0[second].clone();
        row.insert(second);
        for (event, after) in self.0.iter_mut().enumerate() {
            if event == first || after.contains(first) {
                after.union(&row);
            }
        }
    }
}

/// The rules of paper 002, Fig. 6 and Fig. 7, and ours.
fn follows(combination: &Combination, edge: Edge, known: &Closed) -> bool {
    let (from, to) = (edge.from, edge.to);
    let events = &combination.events;
    let reads = |load, store| combination.reads_from.contains(&(load, store));
    let one_cell = |load: usize, stores: &[usize]| {
        events[load].load.is_some() && stores.iter().all(|&store| events[store].store == events[load].load)
    };
    let premise = premise(edge).is_none_or(|pair| known.contains(pair));
    match edge.reason {
        Reason::StartOrEnd => {
            combination.thread_creates.contains(&(from, to)) || combination.thread_joins.contains(&(to, from))
        }
        Reason::ProgramOrder => combination.no_reorder.contains(&(from, to)),
        Reason::Tried => combination.tried_order.contains(&(from, to)),
        Reason::ReadsFrom => reads(to, from) && combination.different_threads(to, from) && events[from].once,
        Reason::BeforeSource { source } => {
            reads(to, source) && combination.different_threads(to, source) && premise && from != to
        }
        Reason::Overwrites { source } => reads(from, source) && one_cell(from, &[source, to]) && premise && from != to,
        Reason::SeenBy { load } => {
            let sees = premise || combination.program_order_same_cell.contains(&(from, load));
            reads(load, to) && events[to].once && one_cell(load, &[from, to]) && sees && from != to
        }
        Reason::ReadBefore { source, load } => {
            let other_thread = combination.different_threads(load, source) && events[source].once;
            let same_cell = events[from].load == events[load].load && one_cell(load, &[to]);
            reads(load, source) && reads(from, source) && other_thread && same_cell && premise
        }
    }
}

/// Rule (5): a load that comes before all instances of a store does not read from one. The edge closes such a path.
fn closes(combination: &Combination, edge: Edge, path: &[Edge]) -> bool {
    let ends =
        path.first().map(|first| first.from) == Some(edge.to) && path.last().map(|last| last.to) == Some(edge.from);
    let reads = combination.reads_from.contains(&(edge.to, edge.from));
    edge.reason == Reason::ReadsFrom && ends && reads && combination.different_threads(edge.to, edge.from)
}

/// Calls `told` with the explanations of each answer.
fn explain(
    program: &Program,
    never: Option<&Proposition>,
    options: &Options,
    mut told: impl FnMut(&System, &Facts<IntervalDomain>, &[Explanation]),
) {
    let Ok(cells) = cells(program) else { return };
    let observed = observed_cells(never);
    let mut system = System::of(&cells, &observed, options.model, &options.budget).expect("no recursion");
    system.dropped = Some(Vec::new());
    let facts: Facts<IntervalDomain> = match options.method {
        Method::AllThreads => system.invariants_in_order(),
        _ => system.invariants(),
    };
    let sections = if options.method == Method::AllThreads { system.sections(&facts) } else { Vec::new() };
    let limits = Limits { watch: &options.watch, budget: &options.budget };
    let mut places: Vec<_> = system.properties(never).iter().map(|p| (p.check(), p.span)).collect();
    places.dedup();
    for place in places {
        let (system, facts, sections) = (&system, &facts, &sections[..]);
        let prover = Prover { system, facts, sections, options, limits, explained: Some(place) };
        let about: Vec<_> = system.properties(never).into_iter().filter(|p| (p.check(), p.span) == place).collect();
        let (_, explanations) = prover.answers(&about);
        assert!(!explanations.is_empty() && !text::explanation(system, facts, &about, &explanations).is_empty());
        told(system, facts, &explanations);
    }
}

#[test]
fn every_line_of_an_explanation_follows_from_earlier_ones() {
    let mut count = Count::default();
    for source in fencepost_testing::sources("prove", &["fp"]) {
        let program = fencepost_frontend::read(&source.path).expect("it is well formed").program;
        for model in [Model::Sc, Model::Tso, Model::Pso, Model::Rmo] {
            for method in [Method::AllThreads, Method::FruitTree] {
                let options = Options { method, max_cases: 20, ..Options::new(model) };
                let mut answers = 0;
                explain(&program, None, &options, |system, facts, explanations| {
                    let checker = Checker { system, facts };
                    if answers == 0 {
                        system.dropped.iter().flatten().for_each(|dropped| checker.dropped(dropped, &mut count));
                    }
                    answers += 1;
                    explanations.iter().for_each(|explanation| checker.explanation(explanation, &mut count));
                });
            }
        }
    }
    assert!(count.cycles > 100 && count.edges > 500, "{count:?}");
    assert!(count.dropped > 50 && count.deductions > 200 && count.by_values > 20, "{count:?}");
}

//! Which event knows which writes, for one order of the pivots.
//!
//! A clock says, for each thread and location, up to which of its writes are known. It is kept in unary: one bit a
//! write, those of a thread to a location all set up to the last one known, so that a join is an OR. Knowing of a write
//! all earlier ones of its thread to its location loses nothing: co-jom orders them by po-loc.
//!
//! Going forwards, a clock is what vvo+ brings to an event (§5.2.1 of paper 004). There each event takes its clock from
//! immediate predecessors, and what pushto brings is not handed on; here it is, so that clocks agree with the
//! definition. Going backwards, `follows` is the dual: which writes would come after a write in co-jom if the event
//! knew it.

use super::bits::Bits;
use super::nodes::{Kind, NONE, Node, Nodes};

/// A thread up to some event, going forwards: what events behind it learn. Going backwards: what events before it pass
/// on to.
#[derive(Clone, Copy)]
struct Passed<const WORDS: usize> {
    /// From all its events.
    all: Bits<WORDS>,
    /// From those that are separated from the next one: by a release, acquire or volatile access (ra), by an access
    /// between a release and an acquire fence (svo), by an SC fence (spush).
    separated: Bits<WORDS>,
    /// `all`, at the last fence with which svo can begin.
    svo_begins: Bits<WORDS>,
    /// The same, with an access since.
    svo_passes: Bits<WORDS>,
    /// From its volatile accesses (volint).
    volatile: Bits<WORDS>,
    /// Along po and rf from dom(spush ∪ volint), to or from pivots.
    domain: Bits<WORDS>,
}

impl<const WORDS: usize> Passed<WORDS> {
    const NOTHING: Self = Passed {
        all: Bits::EMPTY,
        separated: Bits::EMPTY,
        svo_begins: Bits::EMPTY,
        svo_passes: Bits::EMPTY,
        volatile: Bits::EMPTY,
        domain: Bits::EMPTY,
    };

    fn join(&mut self, other: &Self) {
        self.all |= other.all;
        self.separated |= other.separated;
        self.svo_begins |= other.svo_begins;
        self.svo_passes |= other.svo_passes;
        self.volatile |= other.volatile;
        self.domain |= other.domain;
    }

    /// Goes past an event that passes on `clock`. `begins` and `ends` say whether svo can begin or end with it.
    fn pass(&mut self, node: &Node, clock: Bits<WORDS>, begins: bool, ends: bool) {
        if node.separates || node.is_sc_fence {
            self.separated |= self.all;
        }
        if ends {
            self.separated |= self.svo_passes;
        }
        if begins {
            self.svo_begins = self.all;
        }
        if node.kind != Kind::Fence {
            self.svo_passes = self.svo_begins;
        }
        if node.is_volatile {
            self.volatile |= clock;
        }
        self.all |= clock;
    }
}

/// A thread going forwards.
#[derive(Clone, Copy)]
struct Ahead<const WORDS: usize> {
    passed: Passed<WORDS>,
    /// What `pushto ; spush` and `pushto ; volint` bring, and what the last pivot will bring behind the next SC fence.
    pushed: Bits<WORDS>,
    pushed_to_volatile: Bits<WORDS>,
    pivot_brings: Bits<WORDS>,
    /// Over all its events (corw).
    known: Bits<WORDS>,
    next: u32,
}

impl<const WORDS: usize> Ahead<WORDS> {
    fn starting_with(next: u32) -> Self {
        Ahead {
            passed: Passed::NOTHING,
            pushed: Bits::EMPTY,
            pushed_to_volatile: Bits::EMPTY,
            pivot_brings: Bits::EMPTY,
            known: Bits::EMPTY,
            next,
        }
    }

    /// Goes on after another thread, too.
    fn join(&mut self, other: &Self) {
        self.passed.join(&other.passed);
        self.pushed |= other.pushed;
        self.pushed_to_volatile |= other.pushed_to_volatile;
        self.pivot_brings |= other.pivot_brings;
        self.known |= other.known;
    }
}

/// A thread going backwards.
#[derive(Clone, Copy)]
struct Back<const WORDS: usize> {
    passed: Passed<WORDS>,
    /// `all`, behind the next SC fence.
    behind_sc_fence: Bits<WORDS>,
    writes: Bits<WORDS>,
}

impl<const WORDS: usize> Back<WORDS> {
    const NOTHING: Self = Back { passed: Passed::NOTHING, behind_sc_fence: Bits::EMPTY, writes: Bits::EMPTY };

    /// Goes on before another thread, too.
    fn join(&mut self, other: &Self) {
        self.passed.join(&other.passed);
        self.behind_sc_fence |= other.behind_sc_fence;
        self.writes |= other.writes;
    }
}

pub(super) struct Visibility<const WORDS: usize> {
    /// By write: the writes that co-jom puts before it whatever pushto is, and all; of its location, without itself.
    always_before: Vec<Bits<WORDS>>,
    pub before: Vec<Bits<WORDS>>,
    /// By write: itself and the earlier ones of its thread to its location.
    chain: Vec<Bits<WORDS>>,
    /// By pivot: what dom(spush ∪ volint) up to it along po ∪ rf knows.
    pub knows: Vec<Bits<WORDS>>,
    /// By pivot: what would come after a write if the pivot knew it.
    pub follows: Vec<Bits<WORDS>>,
    /// By write: what its readers learn, and what the domain up to it knows; going backwards, what its readers pass on
    /// to.
    clock: Vec<Bits<WORDS>>,
    domain: Vec<Bits<WORDS>>,
    ahead: Vec<Ahead<WORDS>>,
    back: Vec<Back<WORDS>>,
    /// By creation or end of a thread: the thread that writes it, up to there; those that read it, from there on.
    ahead_across: Vec<Ahead<WORDS>>,
    back_across: Vec<Back<WORDS>>,
    /// The nodes, along po, rf and the order of pivots.
    line: Vec<u32>,
}

impl<const WORDS: usize> Visibility<WORDS> {
    pub const fn new() -> Self {
        Visibility {
            always_before: Vec::new(),
            before: Vec::new(),
            chain: Vec::new(),
            knows: Vec::new(),
            follows: Vec::new(),
            clock: Vec::new(),
            domain: Vec::new(),
            ahead: Vec::new(),
            back: Vec::new(),
            ahead_across: Vec::new(),
            back_across: Vec::new(),
            line: Vec::new(),
        }
    }

    /// What does not depend on pushto: po-loc in coww, cowr and corw, and corr.
    pub fn prepare(&mut self, nodes: &Nodes) {
        refill(&mut self.always_before, nodes.writes.len(), Bits::EMPTY);
        refill(&mut self.chain, nodes.writes.len(), Bits::EMPTY);
        // By thread: the writes that it made or read from, and those that it made.
        refill(&mut self.clock, nodes.first.len(), Bits::EMPTY);
        refill(&mut self.domain, nodes.first.len(), Bits::EMPTY);
        // By creation or end of a thread: both, as they are there.
        let mut across = vec![(Bits::EMPTY, Bits::EMPTY); nodes.thread_edges];
        for node in nodes.nodes.iter().filter(|node| node.kind != Kind::Fence) {
            let (thread, write) = (node.thread as usize, node.write as usize);
            if node.enters_thread() {
                let (seen, made) = across[node.thread_edge as usize];
                self.clock[thread] |= seen;
                self.domain[thread] |= made;
            }
            let location = nodes.locations[nodes.writes[write].location as usize].writes();
            self.always_before[write] |= self.clock[thread] & location;
            self.clock[thread].insert(write);
            if node.kind == Kind::Write {
                self.domain[thread].insert(write);
                self.chain[write] = self.domain[thread] & location;
            }
            if node.leaves_thread() {
                across[node.thread_edge as usize] = (self.clock[thread], self.domain[thread]);
            }
        }
        for location in &nodes.locations {
            let (start, end) = (location.start as usize, location.end as usize);
            for write in start..end {
                self.always_before[write].remove(write);
            }
            for before in &mut self.always_before[start + 1..end] {
                before.insert(start);
            }
        }
    }

    /// Computes `before` and `knows` for an order of pivots, given by the pivots before each; closes `before`. Whether
    /// co-jom is acyclic.
    pub fn go_forwards(&mut self, nodes: &Nodes, order: &[Bits<WORDS>]) -> bool {
        self.before.clone_from(&self.always_before);
        refill(&mut self.knows, nodes.pivots, Bits::EMPTY);
        refill(&mut self.clock, nodes.writes.len(), Bits::EMPTY);
        refill(&mut self.domain, nodes.writes.len(), Bits::EMPTY);
        self.ahead.clear();
        self.ahead.extend(nodes.first.iter().map(|&next| Ahead::starting_with(next)));
        refill(&mut self.ahead_across, nodes.thread_edges, Ahead::starting_with(NONE));
        self.line.clear();
        let (mut written, mut pivots) = (Bits::<WORDS>::EMPTY, Bits::<WORDS>::EMPTY);
        while self.line.len() < nodes.nodes.len() {
            let length = self.line.len();
            for thread in 0..self.ahead.len() {
                while let Some(&node) = nodes.nodes.get(self.ahead[thread].next as usize) {
                    let waits = match node.kind {
                        Kind::Read => !nodes.is_initial(node.write) && !written.contains(node.write as usize),
                        Kind::Write | Kind::Fence => false,
                    };
                    if waits || node.pivot != NONE && !order[node.pivot as usize].is_in(&pivots) {
                        break;
                    }
                    self.step_forwards(thread, &node, order);
                    if node.kind == Kind::Write {
                        written.insert(node.write as usize);
                    }
                    if node.pivot != NONE {
                        pivots.insert(node.pivot as usize);
                    }
                    self.line.push(self.ahead[thread].next);
                    self.ahead[thread].next = node.next;
                }
            }
            if self.line.len() == length {
                // po, rf and the order of pivots have a cycle.
                return false;
            }
        }
        self.close(nodes)
    }

    /// The nodes in the order in which the last pass went over them.
    pub fn line(&self) -> impl Iterator<Item = usize> {
        self.line.iter().map(|&node| node as usize)
    }

    fn step_forwards(&mut self, thread: usize, node: &Node, order: &[Bits<WORDS>]) {
        let ahead = &mut self.ahead[thread];
        if node.enters_thread() {
            ahead.join(&self.ahead_across[node.thread_edge as usize]);
        }
        let write = node.write as usize;
        let mut clock = ahead.passed.separated | ahead.pushed;
        if node.is_volatile {
            clock |= ahead.passed.volatile | ahead.pushed_to_volatile;
        }
        if node.kind == Kind::Read {
            clock |= self.clock[write];
            ahead.passed.domain |= self.domain[write];
            self.before[write] |= clock;
        }
        ahead.known |= clock;
        if node.kind == Kind::Write {
            self.before[write] |= ahead.known;
            clock |= self.chain[write];
        }
        if node.in_domain {
            ahead.passed.domain |= clock;
        }
        if node.pivot != NONE {
            let pivot = node.pivot as usize;
            self.knows[pivot] = ahead.passed.domain;
            // Its own place may be right behind an event of the domain that is no pivot.
            let brings = order[pivot].iter().fold(self.knows[pivot], |brings, earlier| brings | self.knows[earlier]);
            ahead.pivot_brings |= brings;
            if node.is_volatile {
                ahead.pushed_to_volatile |= brings;
            }
        }
        if node.kind == Kind::Write {
            self.clock[write] = clock;
            self.domain[write] = ahead.passed.domain;
        }
        if node.is_sc_fence {
            ahead.pushed |= ahead.pivot_brings;
        }
        ahead.passed.pass(node, clock, node.is_release_fence, node.is_acquire_fence);
        if node.leaves_thread() {
            self.ahead_across[node.thread_edge as usize] = *ahead;
        }
    }

    /// Turns `before` into its transitive closure. Whether it is acyclic.
    fn close(&mut self, nodes: &Nodes) -> bool {
        for location in &nodes.locations {
            let (start, end) = (location.start as usize, location.end as usize);
            let writes = location.writes();
            for write in start..end {
                self.before[write] = self.before[write] & writes;
                // co-jom is about distinct writes.
                self.before[write].remove(write);
            }
            // Initial writes come before all others, so nothing may come before them.
            if !self.before[start].is_empty() {
                return false;
            }
            for via in start + 1..end {
                let before_via = self.before[via];
                for before in &mut self.before[start + 1..end] {
                    if before.contains(via) {
                        *before |= before_via;
                    }
                }
            }
            if (start..end).any(|write| self.before[write].contains(write)) {
                return false;
            }
        }
        true
    }

    /// Computes `follows`, after [`Visibility::go_forwards`] with the same order.
    pub fn go_backwards(&mut self, nodes: &Nodes, order: &[Bits<WORDS>]) {
        refill(&mut self.follows, nodes.pivots, Bits::EMPTY);
        refill(&mut self.clock, nodes.writes.len(), Bits::EMPTY);
        refill(&mut self.domain, nodes.writes.len(), Bits::EMPTY);
        refill(&mut self.back, nodes.first.len(), Back::NOTHING);
        refill(&mut self.back_across, nodes.thread_edges, Back::NOTHING);
        for i in (0..self.line.len()).rev() {
            self.step_backwards(&nodes.nodes[self.line[i] as usize], order);
        }
    }

    fn step_backwards(&mut self, node: &Node, order: &[Bits<WORDS>]) {
        let back = &mut self.back[node.thread as usize];
        if node.leaves_thread() {
            back.join(&self.back_across[node.thread_edge as usize]);
        }
        let write = node.write as usize;
        if node.pivot != NONE {
            // `follows` of the pivot has so far what the pivots behind it push to.
            let pivot = node.pivot as usize;
            let pushes = back.behind_sc_fence | if node.is_volatile { back.passed.volatile } else { Bits::EMPTY };
            self.follows[pivot] |= pushes;
            back.passed.domain |= self.follows[pivot];
            for earlier in order[pivot].iter() {
                self.follows[earlier] |= pushes;
            }
        }
        let mut follows = back.writes | back.passed.separated;
        if node.is_volatile {
            follows |= back.passed.volatile;
        }
        if node.kind == Kind::Write {
            follows |= self.clock[write];
            back.passed.domain |= self.domain[write];
            back.writes.insert(write);
        }
        if node.kind != Kind::Fence {
            follows.insert(write);
        }
        if node.in_domain {
            follows |= back.passed.domain;
        }
        if node.kind == Kind::Read {
            self.clock[write] |= follows;
            self.domain[write] |= back.passed.domain;
        }
        if node.is_sc_fence {
            back.behind_sc_fence |= back.passed.all;
        }
        back.passed.pass(node, follows, node.is_acquire_fence, node.is_release_fence);
        if node.enters_thread() {
            self.back_across[node.thread_edge as usize].join(back);
        }
    }
}

fn refill<T: Copy>(list: &mut Vec<T>, length: usize, with: T) {
    list.clear();
    list.resize(length, with);
}

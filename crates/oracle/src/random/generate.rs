use fastrand::Rng;
use fencepost_program::Ordering::{self, *};
use fencepost_program::{self as program, Membar};

use super::shapes::{Access, SHAPES};
use super::sketch::{Cell, Comparison, Index, Place, Register, Sketch, Statement, Term};

/// Which orderings a random program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Release/acquire accesses and SC fences.
    Ra,
    /// Everything but SC accesses.
    Rc20,
    /// Everything, with SC accesses and SC fences frequent.
    Rc11,
    /// Like RC11, with membars among the fences: for the models of processors.
    Processor,
}

impl Profile {
    /// Those of the C11 models.
    pub const ALL: [Profile; 3] = [Profile::Ra, Profile::Rc20, Profile::Rc11];
}

/// A random program. Two programs of one seed and profile are equal.
pub fn random_sketch(seed: u64, profile: Profile) -> Sketch {
    let mut rng = Rng::with_seed(seed);
    let skeleton = skeleton(&mut rng);
    let cells = cells(&mut rng, &skeleton);
    let strength = *choose(&mut rng, &[0, 20, 40, 60, 80, 95]);
    let fences = *choose(&mut rng, &[0, 0, 10, 25, 50]);
    let decoration = *choose(&mut rng, &[0, 15, 40]);
    let threads = skeleton
        .iter()
        .map(|accesses| {
            let mut writer =
                ThreadWriter { rng: &mut rng, cells: &cells, profile, strength, fences, decoration, registers: 0 };
            writer.block(accesses)
        })
        .collect();
    Sketch { cells, threads }
}

fn choose<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.usize(..from.len())]
}

fn percent(rng: &mut Rng, chance: u32) -> bool {
    rng.u32(..100) < chance
}

/// More than this, and a program has too many graphs to look at all of them.
const MOST_ACCESSES: usize = 10;
const MOST_WRITES_TO_ONE_LOCATION: usize = 3;

/// Which thread accesses what: a litmus shape, changed a little, or something random.
fn skeleton(rng: &mut Rng) -> Vec<Vec<Access>> {
    let mut threads = if percent(rng, 30) { random_skeleton(rng) } else { varied_shape(rng) };
    while is_too_large(&threads) {
        if let Some(longest) = threads.iter_mut().max_by_key(|t| t.len()) {
            longest.pop();
        }
    }
    threads
}

fn is_too_large(threads: &[Vec<Access>]) -> bool {
    let accesses = || threads.iter().flatten();
    let writes = |location| accesses().filter(|&&a| a == Access::W(location)).count();
    accesses().count() > MOST_ACCESSES
        || (0..=locations_of(threads)).any(|location| writes(location) > MOST_WRITES_TO_ONE_LOCATION)
}

fn varied_shape(rng: &mut Rng) -> Vec<Vec<Access>> {
    let mut threads: Vec<Vec<Access>> = choose(rng, SHAPES).iter().map(|t| t.to_vec()).collect();
    let locations = 1 + locations_of(&threads);
    while percent(rng, 60) {
        let thread = rng.usize(..threads.len());
        let access = random_access(rng, locations.min(3));
        let length = threads[thread].len();
        match rng.u32(..4) {
            0 | 1 if length < 4 => threads[thread].insert(rng.usize(..=length), access),
            2 => threads[thread][rng.usize(..length)] = access,
            3 if threads.len() < 4 => threads.push(vec![access]),
            _ => {}
        }
    }
    rng.shuffle(&mut threads);
    threads
}

fn random_skeleton(rng: &mut Rng) -> Vec<Vec<Access>> {
    let threads = *choose(rng, &[2, 2, 2, 3, 3, 4]);
    let locations = *choose(rng, &[1, 2, 2, 2, 2, 2, 3, 3]);
    let (shortest, longest) = [(3, 4), (2, 4), (1, 3)][threads - 2];
    (0..threads)
        .map(|_| {
            let length = rng.usize(shortest..=longest);
            (0..length).map(|_| random_access(rng, locations)).collect()
        })
        .collect()
}

fn random_access(rng: &mut Rng, locations: usize) -> Access {
    let location = rng.usize(..locations);
    if rng.bool() { Access::W(location) } else { Access::R(location) }
}

fn locations_of(threads: &[Vec<Access>]) -> usize {
    let location = |a: &Access| match *a {
        Access::W(x) | Access::R(x) => x,
    };
    threads.iter().flatten().map(location).max().unwrap_or(0)
}

/// One cell for each location, or an array for the first two. Sometimes the first location is not atomic.
fn cells(rng: &mut Rng, skeleton: &[Vec<Access>]) -> Vec<Cell> {
    let locations = 1 + locations_of(skeleton);
    let largest = *choose(rng, &[None, None, None, Some(1), Some(2)]);
    let cell = |name, atomic| Cell { name, atomic, length: None, largest, initial: 0 };
    let mut cells: Vec<Cell> = ["x", "y", "z"][..locations].iter().map(|name| cell(name, true)).collect();
    if locations > 1 && percent(rng, 10) {
        cells[1].length = Some(2);
        cells[1].name = "a";
        cells.remove(0);
    } else if percent(rng, 15) {
        cells[0].atomic = false;
        cells[0].name = "d";
    }
    if percent(rng, 10) {
        let initial = rng.usize(..cells.len());
        cells[initial].initial = 1;
    }
    cells
}

struct ThreadWriter<'a> {
    rng: &'a mut Rng,
    cells: &'a [Cell],
    profile: Profile,
    /// Chances in percent: of a strong ordering, of a fence between two accesses, and of something beside accesses.
    strength: u32,
    fences: u32,
    decoration: u32,
    registers: u8,
}

impl ThreadWriter<'_> {
    fn block(&mut self, accesses: &[Access]) -> Vec<Statement> {
        let mut block = Vec::new();
        if self.chance(self.decoration / 2) {
            let to = self.new_register();
            block.push(Statement::Choose { to, largest: 1 });
        }
        for (i, &access) in accesses.iter().enumerate() {
            if i > 0 && self.chance(self.fences) {
                block.push(Statement::Fence(self.fence_order()));
            }
            if self.chance(self.decoration / 2) {
                block.push(self.branch(access));
                continue;
            }
            block.push(self.access(access));
            if self.chance(self.decoration) {
                block.extend(self.check());
            }
        }
        block
    }

    fn access(&mut self, access: Access) -> Statement {
        let place = match access {
            Access::W(location) | Access::R(location) => self.place(location),
        };
        if !self.cells[place.cell].atomic {
            return match access {
                Access::W(_) => Statement::Store { place, value: self.value(), order: NonAtomic },
                Access::R(_) => Statement::Load { to: self.new_register(), place, order: NonAtomic },
            };
        }
        match (access, self.rng.u32(..100)) {
            (Access::R(_), 0..72) => {
                let order = self.order(&[Relaxed, Acquire, SeqCst]);
                Statement::Load { to: self.new_register(), place, order }
            }
            (Access::R(_), 72..84) => {
                let order = self.order(&[Relaxed, Acquire, SeqCst]);
                Statement::Wait { place, comparison: self.sign(), value: self.value(), order }
            }
            (Access::R(_), 84..88) => self.await_loop(place),
            (Access::W(_), 0..76) => {
                let order = self.order(&[Relaxed, Release, SeqCst]);
                Statement::Store { place, value: self.value(), order }
            }
            (_, choice) => self.update(place, choice),
        }
    }

    /// An access that reads and writes.
    fn update(&mut self, place: Place, choice: u32) -> Statement {
        let all = [Relaxed, Acquire, Release, AcqRel, SeqCst];
        let order = self.order(&all);
        let expected = if self.chance(60) { Term::Const(0) } else { self.value() };
        match choice % 8 {
            0..4 => {
                let operations =
                    ["fetch_add", "fetch_add", "exchange", "exchange", "fetch_sub", "fetch_or", "fetch_max"];
                let operation = choose(self.rng, &operations);
                let operand = self.value();
                let to = self.chance(50).then(|| self.new_register());
                let when = self.chance(20).then(|| (self.sign(), self.value()));
                Statement::Rmw { to, place, operation, operand, order, when }
            }
            4..7 => {
                let failure = self.chance(40).then(|| self.order(&[Relaxed, Acquire, SeqCst]));
                let (ok, to) = (self.new_register(), self.new_register());
                let desired = self.value();
                Statement::Cas { ok, to, place, expected, desired, success: order, failure, weak: self.chance(30) }
            }
            _ => Statement::BlockingCas { place, expected, desired: self.value(), order },
        }
    }

    /// An access that does not always happen, or happens twice.
    fn branch(&mut self, access: Access) -> Statement {
        if self.registers == 0 || self.chance(15) {
            return Statement::Either(vec![self.access(access)], Vec::new());
        }
        let condition = self.comparison();
        let body = vec![self.access(access)];
        if self.chance(20) {
            return Statement::Retry { condition, body };
        }
        let otherwise = if self.chance(25) { vec![self.access(access)] } else { Vec::new() };
        Statement::If { condition, then: body, otherwise }
    }

    /// A load that is tried again until it reads another value, as a spin loop does, but only once.
    fn await_loop(&mut self, place: Place) -> Statement {
        let order = self.order(&[Relaxed, Acquire, SeqCst]);
        let to = self.new_register();
        let condition = Comparison { register: to, equal: self.chance(70), term: Term::Const(0) };
        Statement::Retry { condition, body: vec![Statement::Load { to, place, order }] }
    }

    /// Something that depends on a register, if there is one.
    fn check(&mut self) -> Option<Statement> {
        if self.registers == 0 {
            return None;
        }
        let condition = self.comparison();
        Some(match self.rng.u32(..6) {
            0 | 1 => Statement::Assert(condition),
            2 => Statement::Assume(condition),
            // Some of these can fail.
            3 | 4 => {
                let operator = *choose(self.rng, &["/", "/", "%", "<<", "-"]);
                let (known, b) = (self.value(), Term::Register(condition.register));
                let (a, b) = if self.chance(75) { (known, b) } else { (b, known) };
                Statement::Compute { to: self.new_register(), a, operator, b }
            }
            _ => Statement::Assign { to: self.new_register(), value: Term::Plus(condition.register, 1) },
        })
    }

    /// What a wait or a blocking RMW asks of the value that it reads.
    fn sign(&mut self) -> program::Comparison {
        match self.rng.u32(..10) {
            0..5 => program::Comparison::Eq,
            5..8 => program::Comparison::Ge,
            _ => program::Comparison::Ne,
        }
    }

    fn comparison(&mut self) -> Comparison {
        let register = self.register();
        Comparison { register, equal: self.rng.bool(), term: self.value() }
    }

    fn place(&mut self, location: usize) -> Place {
        let Some(array) = self.cells.iter().position(|c| c.length.is_some()) else {
            return Place { cell: location, index: Index::None };
        };
        if location >= 2 {
            return Place { cell: location - 1, index: Index::None };
        }
        let index = match self.rng.u32(..20) {
            0..4 if self.registers > 0 => Index::Masked(self.register()),
            4 if self.registers > 0 => Index::Bare(self.register()),
            _ => Index::Const(location),
        };
        Place { cell: array, index }
    }

    fn value(&mut self) -> Term {
        match self.rng.u32(..20) {
            0..3 if self.registers > 0 => Term::Register(self.register()),
            3 if self.registers > 0 => Term::Plus(self.register(), 1),
            0..14 => Term::Const(1),
            14..17 => Term::Const(2),
            _ => Term::Const(0),
        }
    }

    /// One of the orderings, which are listed from weak to strong and end with SC.
    fn order(&mut self, allowed: &[Ordering]) -> Ordering {
        let (strong, sc) = (self.chance(self.strength), self.rng.u32(..100));
        let without_sc = &allowed[..allowed.len() - 1];
        match self.profile {
            Profile::Rc11 | Profile::Processor if sc < if strong { 60 } else { 20 } => SeqCst,
            Profile::Rc20 | Profile::Rc11 | Profile::Processor if !strong => *choose(self.rng, without_sc),
            _ => without_sc[without_sc.len() - 1],
        }
    }

    fn fence_order(&mut self) -> Ordering {
        if self.profile == Profile::Ra || self.chance(45) {
            return SeqCst;
        }
        if self.profile == Profile::Processor {
            let kind = |rng: &mut Rng| *choose(rng, &Membar::KINDS);
            return Ordering::Membar(kind(self.rng) | kind(self.rng));
        }
        *choose(self.rng, &[Acquire, Release, AcqRel])
    }

    fn chance(&mut self, chance: u32) -> bool {
        percent(self.rng, chance)
    }

    fn new_register(&mut self) -> Register {
        self.registers += 1;
        Register(self.registers - 1)
    }

    fn register(&mut self) -> Register {
        Register(self.rng.u8(..self.registers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_program() {
        for seed in 0..50 {
            assert_eq!(random_sketch(seed, Profile::Rc20), random_sketch(seed, Profile::Rc20));
        }
        assert_ne!(random_sketch(1, Profile::Rc20), random_sketch(2, Profile::Rc20));
    }

    #[test]
    fn profiles_use_the_orderings_that_they_promise() {
        fn orders(block: &[Statement], found: &mut Vec<(bool, Ordering)>) {
            for statement in block {
                let fence = matches!(statement, Statement::Fence(_));
                found.extend(statement.clone().orders_mut().into_iter().map(|o| (fence, *o)));
                statement.blocks().into_iter().for_each(|inner| orders(inner, found));
            }
        }
        let of = |profile| {
            let mut found = Vec::new();
            for seed in 0..300 {
                random_sketch(seed, profile).threads.iter().for_each(|t| orders(t, &mut found));
            }
            found
        };
        assert!(of(Profile::Ra).iter().all(|&(fence, o)| o != Relaxed && (o != SeqCst || fence)));
        assert!(of(Profile::Rc20).iter().all(|&(fence, o)| o != SeqCst || fence));
        let rc11 = of(Profile::Rc11);
        let sc = rc11.iter().filter(|&&(fence, o)| o == SeqCst && !fence).count();
        assert!(sc * 4 > rc11.len(), "{sc} of {}", rc11.len());
    }

    #[test]
    fn every_kind_of_statement_is_generated() {
        let text: String = (0..2000).map(|seed| random_sketch(seed, Profile::Rc11).to_string()).collect();
        let kinds = [
            "load(na)",
            "store(",
            "fetch_add(",
            "exchange(",
            ".cas(",
            "cas_weak(",
            "bcas(",
            "== 1, acq)",
            "!= 1, ",
            "fence(rel)",
            "fence(sc)",
            "assert(",
            "assume(",
            "choose(",
            ") / (r0",
            ") % (r0",
            ") << (r0",
            "if (",
            "else {",
            "either {",
            "while (",
            "a[r0 & 1]",
            "a[r0]",
            ": 0..1",
            "nonatomic d",
        ];
        for kind in kinds {
            assert!(text.contains(kind), "{kind}");
        }
    }

    #[test]
    fn terms_cover_small_values_and_registers() {
        let text: String = (0..500).map(|seed| random_sketch(seed, Profile::Rc20).to_string()).collect();
        for term in ["store(0,", "store(1,", "store(2,", "store(r0,", "store(r0 + 1,"] {
            assert!(text.contains(term), "{term}");
        }
    }
}

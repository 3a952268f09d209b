//! A family of litmus tests: all critical cycles of up to four threads and four locations, with fences of each kind.
//!
//! A critical cycle (Shasha and Snir, TOPLAS 1988; named as in Alglave et al., CAV 2010) goes from access to access:
//! along program order within a thread, and along communication between threads. Each stretch of communication has a
//! location of its own. The question of a test is whether an execution can have the cycle.

use std::collections::BTreeSet;

use fencepost_frontend::parse_fp;
use fencepost_program::question::{Proposition, Term};
use fencepost_program::{Program, Reg, Register};

/// How one thread's last access and the next thread's first are related, at one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Communication {
    /// A write, and a read of it.
    Rf,
    /// A read, and a write that overwrites what it read.
    Fr,
    /// A write, and a later write.
    Co,
    /// A read, a write of a thread that does nothing else, and a read of that.
    FrRf,
    /// A write, a later write of a thread that does nothing else, and a read of that.
    CoRf,
}

use Communication::*;

impl Communication {
    const ALL: [Communication; 5] = [Rf, Fr, Co, FrRf, CoRf];

    fn name(self) -> &'static str {
        match self {
            Rf => "Rfe",
            Fr => "Fre",
            Co => "Coe",
            FrRf => "FreRfe",
            CoRf => "CoeRfe",
        }
    }

    fn starts_with_write(self) -> bool {
        matches!(self, Rf | Co | CoRf)
    }

    fn ends_with_write(self) -> bool {
        matches!(self, Fr | Co)
    }

    fn has_own_thread(self) -> bool {
        matches!(self, FrRf | CoRf)
    }
}

pub struct Litmus {
    pub name: String,
    pub program: Program,
    /// The final states in which the cycle shows.
    pub never: Proposition,
}

/// Fences that go between the two accesses of each thread. `own` is the membar for that thread's accesses.
const FENCES: [&str; 8] =
    ["", "sc", "own", "LoadLoad", "LoadStore", "StoreLoad", "StoreStore", "sc in the first thread"];

pub fn family() -> Vec<Litmus> {
    let mut tests = Vec::new();
    let mut seen = BTreeSet::new();
    for length in 2..=4 {
        for cycle in cycles(length) {
            for fence in FENCES {
                let text = program(&cycle, fence);
                if seen.insert(text.clone()) {
                    tests.push(litmus(&cycle, fence, &text));
                }
            }
        }
    }
    tests
}

/// Cycles with this many stretches of communication and at most four threads, each once up to rotation.
fn cycles(length: usize) -> Vec<Vec<Communication>> {
    let mut found: Vec<Vec<Communication>> = Vec::new();
    for number in 0..Communication::ALL.len().pow(length as u32) {
        let digit = |i: usize| Communication::ALL[number / Communication::ALL.len().pow(i as u32) % 5];
        let cycle: Vec<Communication> = (0..length).map(digit).collect();
        let threads = length + cycle.iter().filter(|c| c.has_own_thread()).count();
        let rotations = (0..length).map(|by| [&cycle[by..], &cycle[..by]].concat());
        if threads <= 4 && rotations.min().as_ref() == Some(&cycle) {
            found.push(cycle);
        }
    }
    found
}

const CELLS: [&str; 4] = ["x", "y", "z", "w"];

/// Thread `i` ends the stretch `i - 1` and starts the stretch `i`; the location of stretch `i` is `CELLS[i]`.
fn program(cycle: &[Communication], fence: &str) -> String {
    let n = cycle.len();
    let mut text = format!("atomic {};\n", CELLS[..n].join(", "));
    for i in 0..n {
        let (before, after) = (cycle[(i + n - 1) % n], cycle[i]);
        let cell = CELLS[(i + n - 1) % n];
        let first = match before {
            Fr => format!("{cell}.store(1, rlx);"),
            Co => format!("{cell}.store(2, rlx);"),
            Rf | FrRf | CoRf => format!("r0 = {cell}.load(rlx);"),
        };
        let cell = CELLS[i];
        let second = if after.starts_with_write() {
            format!("{cell}.store(1, rlx);")
        } else {
            format!("r1 = {cell}.load(rlx);")
        };
        let kind = |write: bool| if write { "Store" } else { "Load" };
        let own = format!("{}{}", kind(before.ends_with_write()), kind(after.starts_with_write()));
        let fence = match fence {
            "" => String::new(),
            "own" => format!("fence({own});"),
            "sc in the first thread" if i == 0 => "fence(sc);".into(),
            "sc in the first thread" => String::new(),
            other => format!("fence({other});"),
        };
        text.push_str(&format!("thread t{i} {{ {first} {fence} {second} }}\n"));
    }
    for (i, communication) in cycle.iter().enumerate().filter(|(_, c)| c.has_own_thread()) {
        let value = if *communication == CoRf { 2 } else { 1 };
        text.push_str(&format!("thread u{i} {{ {}.store({value}, rlx); }}\n", CELLS[i]));
    }
    text
}

fn litmus(cycle: &[Communication], fence: &str, text: &str) -> Litmus {
    let mut program = parse_fp("family.fp", text).expect("the family is well formed").program;
    for function in &mut program.functions {
        let named = |register: &Register| register.name().is_some_and(|name| name.starts_with('r'));
        let registers = function.registers.iter().enumerate().filter(|(_, r)| named(r));
        function.observed = registers.map(|(i, _)| Reg(i as u32)).collect();
    }
    let n = cycle.len();
    let register = |thread: usize, name: &str| {
        let function = program.function(program.threads[thread].func);
        let reg = function
            .registers
            .iter()
            .position(|register| register.name() == Some(name))
            .expect("the thread has this load");
        Term::register(thread, Reg(reg as u32))
    };
    let mut facts = Vec::new();
    let mut is = |term: Term, value: i64| facts.push(Proposition::Equal(term, Term::Value(value)));
    for (i, communication) in cycle.iter().enumerate() {
        let next = (i + 1) % n;
        let cell = Term::cell(program.objects[i].first);
        match communication {
            Rf => is(register(next, "r0"), 1),
            Fr => is(register(i, "r1"), 0),
            Co => is(cell, 2),
            FrRf => {
                is(register(i, "r1"), 0);
                is(register(next, "r0"), 1);
            }
            CoRf => {
                is(register(next, "r0"), 2);
                is(cell, 2);
            }
        }
    }
    let names: Vec<&str> = cycle.iter().map(|c| c.name()).collect();
    let fence = if fence.is_empty() { String::new() } else { format!(" with {fence}") };
    Litmus { name: format!("{}{fence}", names.join(" ")), program, never: Proposition::All(facts) }
}

//! Random programs with assertions that are worth proving, and whether an execution fails them.
// Not every test uses all of it.
#![allow(dead_code)]

use std::collections::BTreeSet;

use fastrand::Rng;
use fencepost_explore::{Options as Exploring, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, loads_as_waits, random_sketch};
use fencepost_program::question::{Observable, Proposition, Term};
use fencepost_program::{Inst, Program, Reg, Register, Span, Value};
use fencepost_prove::{Check, Method, Options, Question, find_execution, prove};
use fencepost_story::{Outcome, Properties};
use fencepost_testing::trials;

/// How far loops are followed where executions are looked at.
const UNROLL: u32 = 4;
const MOST_EXECUTIONS: u64 = 2_000;

/// The values of the registers of each thread.
type FinalState = Vec<Vec<Value>>;

/// A program with something to prove: its assertions, or that it never ends so.
pub struct Asked {
    pub text: String,
    pub never: Option<Proposition>,
}

/// The first line of a program whose loads are waits that return what they read, for which `.fp` has no words.
const WAITS: &str = "// Loads are waits.\n";

/// A program without loops but those of the sketches.
pub fn loop_free(seed: u64) -> Option<Asked> {
    let text = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
    asked(if seed % 8 == 7 { format!("{WAITS}{text}") } else { text }, seed)
}

/// A program some threads of which are repeated, and wait for some of their loads.
pub fn with_loops(seed: u64) -> Option<Asked> {
    let mut rng = Rng::with_seed(seed);
    let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
    let mut text = String::new();
    let mut close = "";
    for line in sketch.lines() {
        if line == "}" {
            text.push_str(close);
            close = "";
        }
        let load = line.trim().split_once(" = ").filter(|(_, rest)| rest.contains(".load("));
        match load {
            Some((register, _)) if rng.u32(..3) == 0 => text.push_str(&match rng.u32(..3) {
                0 => format!("  loop {{ {line} if ({register} != 0) break; }}\n"),
                1 => format!("  while ({register} == 0) {{ {line} }}\n"),
                _ => format!("  {line} while ({register} == 0) {{ {line} }}\n"),
            }),
            _ => text.push_str(&format!("{line}\n")),
        }
        if line.starts_with("thread ") {
            let (open, end) = match rng.u32(..5) {
                0 => ("  loop {\n", "  }\n"),
                1 => ("  k = 0; while (k < 3) {\n", "  k = k + 1; }\n"),
                2 => ("  k = 0; loop {\n", "  k = choose(0..1); if (k == 0) break; }\n"),
                _ => ("", ""),
            };
            text.push_str(open);
            close = end;
        }
    }
    asked(text, seed)
}

/// What is asked depends on the model, where it can: final values that PSO allows and SC does not, of the registers of
/// all threads or, as an assertion, of one. Where there are none, values of executions that are mixed. Threads that
/// never end keep the assertions that they have.
fn asked(text: String, seed: u64) -> Option<Asked> {
    let mut rng = Rng::with_seed(seed ^ 0x5eed);
    let kept: String = text.lines().filter(|line| !line.contains("assert(")).map(|line| format!("{line}\n")).collect();
    let program = parse(&kept);
    let strong = final_registers(&program, Model::Sc)?;
    let weak = final_registers(&program, Model::Pso)?;
    if weak.is_empty() {
        return Some(Asked { text, never: None });
    }
    let thread = rng.bool().then(|| rng.usize(..program.threads.len()));
    let of_thread = |states: &BTreeSet<FinalState>| -> BTreeSet<FinalState> {
        let part = |(t, values): (usize, &Vec<Value>)| {
            if thread.is_none_or(|wanted| wanted == t) { values.clone() } else { Vec::new() }
        };
        states.iter().map(|state| state.iter().enumerate().map(part).collect()).collect()
    };
    let state = unusual(&mut rng, &of_thread(&strong), &of_thread(&weak))?;
    let equal = equalities(&program, &state);
    match thread {
        None => {
            let never = Proposition::All(equal.into_iter().map(|(equal, _)| equal).collect());
            Some(Asked { text: kept, never: Some(never) })
        }
        Some(_) if equal.is_empty() => None,
        Some(thread) => {
            let equal: Vec<String> = equal.into_iter().map(|(_, text)| text).collect();
            let end = kept.match_indices("\n}").map(|(at, _)| at + 1).nth(thread)?;
            let text = format!("{}  assert(!({}));\n{}", &kept[..end], equal.join(" && "), &kept[end..]);
            Some(Asked { text, never: None })
        }
    }
}

/// A state that only the weak model has; or else a mixture that neither has; or else, sometimes, one that both have.
fn unusual(rng: &mut Rng, strong: &BTreeSet<FinalState>, weak: &BTreeSet<FinalState>) -> Option<FinalState> {
    let only_weak: Vec<&FinalState> = weak.difference(strong).collect();
    if !only_weak.is_empty() && rng.bool() {
        return Some(only_weak[rng.usize(..only_weak.len())].clone());
    }
    let all: Vec<&FinalState> = weak.iter().collect();
    for _ in 0..8 {
        let mut mixed = all[rng.usize(..all.len())].clone();
        for (thread, values) in mixed.iter_mut().enumerate() {
            for (register, value) in values.iter_mut().enumerate() {
                *value = all[rng.usize(..all.len())][thread][register];
            }
        }
        if !weak.contains(&mixed) {
            return Some(mixed);
        }
    }
    (rng.u32(..4) == 0).then(|| all[rng.usize(..all.len())].clone())
}

/// That each register of each thread has its value: for final states, and as an expression of its thread.
fn equalities(program: &Program, state: &FinalState) -> Vec<(Proposition, String)> {
    let mut found = Vec::new();
    for (thread, values) in state.iter().enumerate() {
        let function = program.function(program.threads[thread].func);
        for (&reg, &value) in function.observed.iter().zip(values) {
            let equal = Proposition::Equal(Term::register(thread, reg), Term::Value(value));
            found.push((
                equal,
                format!("{} == {value}", function.registers[reg.0 as usize].name().expect("a variable")),
            ));
        }
    }
    found
}

/// The program, its named registers observed.
fn parse(text: &str) -> Program {
    let mut program = parse_fp("random.fp", text).unwrap_or_else(|_| panic!("well formed\n{text}")).program;
    if text.starts_with(WAITS) {
        loads_as_waits(&mut program);
    }
    for function in &mut program.functions {
        let named = |register: &Register| register.name().is_some_and(|name| name.starts_with('r'));
        let registers = function.registers.iter().enumerate().filter(|(_, r)| named(r));
        function.observed = registers.map(|(i, _)| Reg(i as u32)).collect();
    }
    program
}

fn exploring(model: Model, assertions: bool) -> Exploring {
    let max_executions = Some(MOST_EXECUTIONS);
    Exploring {
        properties: Properties { assertions, ..Properties::NONE },
        unroll: Some(UNROLL),
        max_executions,
        ..Exploring::new(model)
    }
}

/// For each execution that ends, and each thread, the values of its registers; `None` if there are too many executions.
fn final_registers(program: &Program, model: Model) -> Option<BTreeSet<FinalState>> {
    let mut found = BTreeSet::new();
    let exploration = explore(program, &exploring(model, false), &Default::default(), |execution| {
        found.insert((0..program.threads.len()).map(|t| execution.registers(t).to_vec()).collect());
    })
    .unwrap();
    (exploration.verdict.outcome == Outcome::Holds).then_some(found)
}

/// Whether some execution fails, as far as loops are followed; `None` if there are too many of them.
fn fails(program: &Program, model: Model, never: Option<&Proposition>) -> Option<bool> {
    if !model.descriptor().engines.contains(&Engine::Explore) {
        return fails_by_axioms(program, model, never);
    }
    if let Some(never) = never {
        let found = final_registers(program, model)?;
        let value = |state: &FinalState, observable| match observable {
            Observable::Register { thread, reg } => {
                state[thread][program.observed_index(thread, reg).expect("it is observed")]
            }
            Observable::Cell(_) => unreachable!("nothing is asked about cells"),
        };
        return Some(found.iter().any(|state| never.holds(&|observable| value(state, observable))));
    }
    match explore(program, &exploring(model, true), &Default::default(), |_| {}).unwrap().verdict.outcome {
        Outcome::Holds => Some(false),
        Outcome::Violated => Some(true),
        Outcome::Unknown(_) => None,
    }
}

fn fails_by_axioms(program: &Program, model: Model, never: Option<&Proposition>) -> Option<bool> {
    let find = |question| find_execution(program, model, question, 2_000);
    if let Some(never) = never {
        return Some(find(Question::Ends(never)).ok()?.is_some());
    }
    let asserts = |span: &Span, inst: &Inst| matches!(inst, Inst::Assert { .. }).then_some(*span);
    for function in &program.functions {
        for span in function.spans.iter().zip(&function.code).filter_map(|(span, inst)| asserts(span, inst)) {
            if find(Question::Fails(span)).ok()?.is_some() {
                return Some(true);
            }
        }
    }
    Some(false)
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    pub proved: u32,
    pub true_alarms: u32,
    pub bogus_alarms: u32,
    pub bogus_proofs: u32,
}

impl Count {
    pub fn compared(&self) -> u32 {
        self.proved + self.true_alarms + self.bogus_alarms + self.bogus_proofs
    }

    /// Compares a proof of a program with its executions; whether it is bogus. Nothing is compared if there are too
    /// many.
    pub fn compare(&mut self, asked: &Asked, model: Model, method: Method, max_cases: u64) -> bool {
        let program = parse(&asked.text);
        let never = asked.never.as_ref();
        let options = Options { method, max_cases, ..Options::new(model) };
        let mut answers = prove(&program, never, &options).expect("no recursion").answers;
        answers.retain(|a| never.is_none() || a.check == Check::Condition);
        if answers.is_empty() {
            return false;
        }
        let proved = answers.iter().all(|a| a.is_proved());
        let Some(fails) = fails(&program, model, never) else { return false };
        *match (proved, fails) {
            (true, false) => &mut self.proved,
            (false, true) => &mut self.true_alarms,
            (false, false) => &mut self.bogus_alarms,
            (true, true) => &mut self.bogus_proofs,
        } += 1;
        proved && fails
    }
}

/// Compares proofs of random programs with their executions. A sound method proves nothing bogus.
pub fn compare(
    generate: fn(u64) -> Option<Asked>,
    model: Model,
    method: Method,
    programs: u32,
    max_cases: u64,
) -> Count {
    let mut count = Count::default();
    let mut seed = 0;
    while u64::from(count.compared()) < trials(u64::from(programs)) {
        if let Some(asked) = generate(seed)
            && count.compare(&asked, model, method, max_cases)
        {
            assert!(!method.is_sound(model), "seed {seed}, model {model}: a bogus proof\n{}", asked.text);
        }
        seed += 1;
    }
    println!("{model} by {}: {count:?}", method.name());
    count
}

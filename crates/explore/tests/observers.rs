//! What an observationally robust C program shows, it shows under SC: random readers that hand on what they read in
//! many ways, and in the end divide by it, print it, exit with it, or drop it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;

use fastrand::Rng;
use fencepost_check::{Model, Options as Checking, Properties, check};
use fencepost_explore::{Options, explore};
use fencepost_frontend::read_with;
use fencepost_models::Model as Definition;
use fencepost_program::memory::{Region, region};
use fencepost_program::{Address, Program, Value};
use fencepost_story::{FindingKind, Outcome, Reason};
use fencepost_testing::{seeds, trials};

/// What is seen outside is printed, or is the exit status; with `STORED` it is stored where no thread reads it, so
/// that it is among the final values of an exploration.
const PRELUDE: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static atomic_int x, y, z, shared[3];
static int seen[2];
#ifdef STORED
#define PRINT(t, v) (seen[t] = (v))
#define EXIT(t, v) (seen[t] = (v), exit(0))
#else
#define PRINT(t, v) printf("%d\n", (v))
#define EXIT(t, v) exit(v)
#endif
struct two { long a; int b; };
struct three { int a, b, c; };
static int id(int v) { return v; }
static void out(int *to, atomic_int *from) { *to = atomic_load_explicit(from, memory_order_relaxed); }
static struct two in_two(int v) { struct two s = { v, 1 }; return s; }
static struct three in_three(int v) { struct three s = { 1, v, 2 }; return s; }
"#;

fn any<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.usize(..of.len())]
}

fn order(rng: &mut Rng, strong: &str) -> String {
    let order = if rng.u32(..100) < 20 { strong } else { "relaxed" };
    format!("memory_order_{order}")
}

fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut out = PRELUDE.to_owned();
    let _ = writeln!(out, "static void *t0(void *p) {{");
    for location in if rng.bool() { ["x", "y", "z"] } else { ["x", "z", "y"] } {
        let (value, order) = (rng.u32(1..3), order(&mut rng, "release"));
        if rng.u32(..100) < 15 {
            let _ = writeln!(out, "  atomic_thread_fence(memory_order_release);");
        }
        let _ = match rng.u32(..4) {
            0 => writeln!(out, "  atomic_fetch_add_explicit(&{location}, {value}, {order});"),
            _ => writeln!(out, "  atomic_store_explicit(&{location}, {value}, {order});"),
        };
    }
    let _ = writeln!(out, "  return p;\n}}");
    let readers = if rng.u32(..4) == 0 { 2 } else { 1 };
    for t in 1..=readers {
        let _ = writeln!(out, "static void *t{t}(void *p) {{\n  int a = 1, b = 1, c = 1; (void)a; (void)b; (void)c;");
        let first = any(&mut rng, &["y", "y", "z"]);
        let _ = writeln!(out, "  while (!atomic_load_explicit(&{first}, {})) {{}}", order(&mut rng, "acquire"));
        for register in ["a", "b"] {
            let _ = writeln!(out, "  {}", read(&mut rng, register));
            if rng.u32(..100) < 15 {
                let _ =
                    writeln!(out, "  atomic_thread_fence(memory_order_{});", any(&mut rng, &["acquire", "seq_cst"]));
            }
        }
        let _ = writeln!(out, "  {}", hand_on(&mut rng));
        let _ = writeln!(out, "  {}", observe(&mut rng, t - 1));
        let _ = writeln!(out, "  return p;\n}}");
    }
    let _ = writeln!(out, "int main(void) {{\n  pthread_t t[3];");
    for call in ["pthread_create(&t[N], 0, tN, 0);", "pthread_join(t[N], 0);"] {
        for t in 0..=readers {
            let _ = writeln!(out, "  {}", call.replace('N', &t.to_string()));
        }
    }
    out + "  return 0;\n}\n"
}

fn read(rng: &mut Rng, register: &str) -> String {
    let location = any(rng, &["x", "x", "y", "z"]);
    let order = order(rng, "acquire");
    match rng.u32(..5) {
        0 => format!("out(&{register}, &{location});"),
        1 => format!("struct three s{register}; out(&s{register}.b, &{location}); {register} = s{register}.b;"),
        2 => format!("int m{register}[2]; out(&m{register}[1], &{location}); memcpy(&{register}, &m{register}[1], 4);"),
        _ => format!("{register} = atomic_load_explicit(&{location}, {order});"),
    }
}

/// Sets `c`.
fn hand_on(rng: &mut Rng) -> &'static str {
    const WAYS: [&str; 13] = [
        "c = b;",
        "c = a + b;",
        "c = id(b);",
        "c = in_two(b).a;",
        "c = in_two(b).b;",
        "c = in_three(b).b;",
        "c = in_three(b).c;",
        "int w[3] = { a, b, 1 }, v[3]; memcpy(v, w, sizeof v); c = v[1];",
        "int w[3] = { a, b, 1 }, v[3]; memcpy(v, w, sizeof v); c = v[2];",
        "static _Thread_local int own; own = b; c = own;",
        "int w = b; int *pointer = &w; *pointer = 1; c = w;",
        "c = atomic_load_explicit(&shared[0], memory_order_relaxed) ? b : 1;",
        "c = b * 0 + 1; c = 2;",
    ];
    WAYS[rng.usize(..WAYS.len())]
}

fn observe(rng: &mut Rng, thread: usize) -> String {
    let dividend = any(rng, &["1", "7", "a"]);
    match rng.u32(..16) {
        0 | 1 => format!("int q = {dividend} / c; (void)q;"),
        2 | 3 => format!("int q = {dividend} % c; (void)q;"),
        4 => format!("unsigned q = {dividend} / (unsigned)c; (void)q;"),
        5 => "int q = b / 2; (void)q;".to_owned(),
        6 => "int local[2] = { 1, 2 }; int q = local[c - 1]; (void)q;".to_owned(),
        7 => "char *q = malloc(c); q[0] = 1;".to_owned(),
        8 | 9 => format!("PRINT({thread}, c);"),
        10 => format!("EXIT({thread}, c);"),
        11 => "atomic_store_explicit(&shared[1], c, memory_order_relaxed);".to_owned(),
        12 => "assert(c);".to_owned(),
        13 => format!(
            "switch (c) {{ case 1: PRINT({thread}, 7); break; case 2: PRINT({thread}, 8); break; case 0: break; }}"
        ),
        14 => format!("int n = 0; for (int i = 0; i < c; i++) n++; PRINT({thread}, n);"),
        _ => String::new(),
    }
}

/// Whether something goes wrong, and the final values of global variables.
fn outcomes(program: &Program, model: Definition) -> Result<(bool, BTreeSet<BTreeMap<Address, Value>>), String> {
    let mut found = BTreeSet::new();
    let exploration = explore(program, &Options::new(model), &Default::default(), |execution| {
        let graph = execution.graph();
        let global = |at: Address| at.pointer_and_size().is_some_and(|(pointer, _)| region(pointer) == Region::Global);
        let orders = graph.modification_orders().filter(|(at, _)| global(*at));
        let last = |writes: &[_]| writes.last().and_then(|&write| graph.event(write).label.written).unwrap_or_default();
        found.insert(orders.map(|(at, writes)| (at, last(writes))).filter(|&(_, value)| value != 0).collect());
    })
    .unwrap();
    match exploration.verdict.outcome {
        Outcome::Unknown(reason) => Err(format!("explore: {reason}")),
        outcome => Ok((outcome == Outcome::Violated, found)),
    }
}

/// Whether the program is observationally robust and not robust, so that there was something to compare.
fn shows_what_sc_shows(text: &str, model: Model) -> Result<bool, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("reader.c");
    std::fs::write(&path, text).expect("a file");
    let read =
        |arguments: &[OsString]| read_with(&path, arguments).map(|input| input.program).map_err(|e| e.to_string());
    let program = read(&[])?;
    let verdict = |observational| {
        let properties = Properties { deadlocks: false, ..Properties::default() };
        let options = Checking { model, observational, properties, ..Checking::default() };
        check(&program, &options, &Default::default()).map_err(|e| e.to_string())
    };
    let plain = verdict(false)?;
    if !plain.violations.iter().any(|violation| violation.kind == FindingKind::Robustness) {
        return Ok(false);
    }
    match verdict(true)?.outcome {
        Outcome::Violated => return Ok(false),
        Outcome::Holds | Outcome::Unknown(Reason::NoExecution(_)) => {}
        Outcome::Unknown(reason) => return Err(format!("check: {reason}")),
    }
    let stored = read(&[OsString::from("-DSTORED")])?;
    let (weak, sc) = (outcomes(&stored, model)?, outcomes(&stored, Definition::Sc)?);
    if weak.0 && !sc.0 {
        return Err("it holds, and something goes wrong that does not under SC".to_owned());
    }
    match weak.1.difference(&sc.1).next() {
        Some(only) if !sc.0 => Err(format!("it holds, and ends with {only:x?}, as it does not under SC")),
        _ => Ok(true),
    }
}

#[test]
fn what_observationally_robust_c_programs_show_they_show_under_sc() {
    let count = trials(60).min(20_000);
    let mut compared = 0;
    for seed in seeds(count) {
        let text = program(seed);
        let model = if seed % 2 == 0 { Model::Rc11 } else { Model::Rc20 };
        match shows_what_sc_shows(&text, model) {
            Ok(is_compared) => compared += is_compared as u64,
            Err(why) => panic!("seed {seed}, {model}: {why}\n{}", text.trim_start_matches(PRELUDE)),
        }
    }
    println!("{compared} of {count} programs are observationally robust and not robust");
    assert!(compared * 20 > count, "only {compared} of {count} programs had something to compare");
}

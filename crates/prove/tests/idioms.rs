//! Programs in the manner of drivers: what is set up is published by flags, what is shared is under locks, and either
//! may be done wrongly. What is proved of them does not fail in any execution.

mod random;

use fastrand::Rng;
use fencepost_models::Engine;
use fencepost_prove::{Method, Model};
use fencepost_testing::{at_least, trials};
use random::{Asked, Count};

const MAX_CASES: u64 = 100;

fn pick<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.usize(..of.len())]
}

/// One thread sets up cells and raises a flag, perhaps twice or only sometimes; one passes that on; one asks for what
/// it sees behind a flag.
fn publication(seed: u64) -> Asked {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let mut text = String::from("atomic a, b, f, g;\nthread setup {\n");
    for round in 0..rng.usize(1..3) {
        let mut lines =
            vec![format!("  a.store({}, rlx);\n", rng.u32(1..3)), format!("  b.store({}, rlx);\n", round + 1)];
        rng.shuffle(&mut lines);
        if rng.u32(..4) == 0 {
            lines[0] = format!("  r9 = choose(0..1); if (r9) {{ {} }}\n", lines[0].trim());
        }
        if rng.u32(..5) == 0 {
            lines.pop();
        }
        let flag =
            format!("  {}.store({}, {});\n", pick(rng, &["f", "f", "g"]), rng.u32(1..3), pick(rng, &["rel", "rlx"]));
        lines.insert(if rng.u32(..6) == 0 { 0 } else { lines.len() }, flag);
        text.push_str(&lines.concat());
    }
    text.push_str("}\n");
    if rng.bool() {
        let (see, tell) = (pick(rng, &["acq", "rlx"]), pick(rng, &["rel", "rlx"]));
        let unless = pick(rng, &["if (r0) { g.store(1, @); }", "if (r0 == 1) { g.store(2, @); }", "g.store(r0, @);"]);
        text.push_str(&format!("thread relay {{\n  r0 = f.load({see});\n  {}\n}}\n", unless.replace('@', tell)));
    }
    text.push_str("thread user {\n");
    let (flag, see) = (pick(rng, &["f", "g"]), pick(rng, &["acq", "acq", "rlx"]));
    let own = if rng.u32(..4) == 0 { "a.store(3, rlx); " } else { "" };
    let asked = pick(rng, &["r2 != 0", "r2 == 1", "r2 == r3", "r2 <= r3", "r2 + r3 != 1"]);
    let inside = format!("{own}r2 = a.load(rlx); r3 = b.load(rlx); assert({asked});");
    match rng.u32(..4) {
        0 => text.push_str(&format!("  r1 = {flag}.load({see});\n  if (r1) {{ {inside} }}\n")),
        1 => text.push_str(&format!("  r1 = {flag}.load({see});\n  if (r1 == 1) {{ {inside} }}\n")),
        2 => text.push_str(&format!("  loop {{ r1 = {flag}.load({see}); if (r1 != 0) break; }}\n  {inside}\n")),
        _ => text.push_str(&format!(
            "  r4 = 0; while (r4 < 2) {{ r1 = {flag}.load({see}); if (r1) {{ {inside} }} r4 = r4 + 1; }}\n"
        )),
    }
    text.push_str("}\n");
    Asked { text, never: None }
}

/// Threads change and compare cells under a lock, which some of them forget, take late or leave early.
fn lock(seed: u64) -> Asked {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let mut text = String::from("atomic l, a, b;\n");
    for thread in 0..rng.usize(2..4) {
        text.push_str(&format!("thread t{thread} {{\n"));
        if rng.u32(..6) == 0 {
            text.push_str("  a.store(3, rlx);\n");
        }
        let repeated = rng.u32(..4) == 0;
        if repeated {
            text.push_str("  r9 = 0; while (r9 < 2) {\n");
        }
        let forgets = rng.u32(..8) == 0;
        let (taking, release) = (pick(rng, &["acq", "acq", "rlx"]), pick(rng, &["rel", "rel", "rlx"]));
        let body = section(rng, thread);
        let unlock = format!("  l.store(0, {release});\n");
        text.push_str(&match rng.u32(..3) {
            _ if forgets => body,
            0 => format!("  l.bcas(0, 1, {taking});\n{body}{unlock}"),
            1 => format!("  loop {{ r8 = l.exchange(1, {taking}); if (r8 == 0) break; }}\n{body}{unlock}"),
            _ => format!("  r8 = l.exchange(1, {taking});\n  if (r8 == 0) {{\n{body}{unlock}  }}\n"),
        });
        if repeated {
            text.push_str("  r9 = r9 + 1; }\n");
        }
        text.push_str("}\n");
    }
    Asked { text, never: None }
}

fn section(rng: &mut Rng, thread: usize) -> String {
    let value = thread as u32 + 1;
    let lines = [
        "  r1 = choose(1..6); a.store(r1, rlx); r2 = a.load(rlx); assert(r1 == r2);\n".to_owned(),
        "  r3 = a.load(rlx); r4 = a.load(rlx); assert(r3 == r4);\n".to_owned(),
        format!("  a.store({value}, rlx); b.store({value}, rlx);\n"),
        "  r5 = a.load(rlx); r6 = b.load(rlx); assert(r5 == r6);\n".to_owned(),
        "  r3 = a.load(rlx); a.store(r3 + 1, rlx); r4 = a.load(rlx); assert(r4 == r3 + 1);\n".to_owned(),
        format!("  b.store(9, rlx); r7 = choose(0..1); if (r7) {{ a.store({value}, rlx); }} b.store(0, rlx);\n"),
        "  r5 = b.load(rlx); assert(r5 != 9);\n".to_owned(),
    ];
    (0..rng.usize(1..3)).map(|_| lines[rng.usize(..lines.len())].as_str()).collect()
}

fn compare(model: Model, method: Method, programs: u32, make: fn(u64) -> Asked) -> Count {
    let mut count = Count::default();
    let mut seed = 0;
    while u64::from(count.compared()) < trials(u64::from(programs)) {
        let asked = make(seed);
        if count.compare(&asked, model, method, MAX_CASES) {
            assert!(!method.is_sound(model), "seed {seed}, model {model}: a bogus proof\n{}", asked.text);
        }
        seed += 1;
    }
    println!("{model} by {}: {count:?}", method.name());
    count
}

fn nothing_bogus_is_proved(make: fn(u64) -> Asked, models: &[Model], programs: u32) {
    for &model in models {
        let count = compare(model, Method::AllThreads, programs, make);
        let tenth = count.compared() / 10;
        assert!(count.proved > tenth && count.true_alarms > tenth, "the programs are all alike: {count:?}");
    }
}

#[test]
fn what_is_proved_behind_a_flag_holds() {
    nothing_bogus_is_proved(publication, &Model::of(Engine::Prove).collect::<Vec<_>>(), 200);
}

#[test]
fn what_is_proved_under_a_lock_holds() {
    nothing_bogus_is_proved(lock, &[Model::Sc, Model::Tso, Model::Pso], 80);
}

/// That the comparison finds bogus proofs at all: an unsound method has some.
#[test]
fn bogus_proofs_behind_a_flag_are_found() {
    let count = compare(Model::Pso, Method::Watts, 200, publication);
    assert!(u64::from(count.bogus_proofs) >= at_least(1, 200), "{count:?}");
}

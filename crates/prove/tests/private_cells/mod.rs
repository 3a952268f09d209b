//! Cells that only one thread accesses, put into random programs. Their values matter to no other thread, but the
//! accesses may keep other accesses in order.

use std::fmt::Write;

use fastrand::Rng;

const NAMES: [&str; 4] = ["p", "q", "u", "v"];
const UPDATES: [&str; 7] = ["fetch_add", "fetch_sub", "fetch_or", "fetch_and", "fetch_xor", "fetch_max", "exchange"];

/// Two threads of two accesses each, one of which reads; what they read is told to a third, which must not see the last
/// two values.
const SHAPES: [[&str; 6]; 4] = [
    // Store buffering.
    ["x.store(1, rlx);", "r = y.load(rlx);", "y.store(1, rlx);", "r = x.load(rlx);", "0", "0"],
    // Message passing.
    ["x.store(1, rlx);", "y.store(1, rlx);", "r = y.load(rlx);", "s = x.load(rlx); r = 2 * r + s;", "0", "2"],
    // Load buffering.
    ["r = y.load(rlx);", "x.store(1, rlx);", "r = x.load(rlx);", "y.store(1, rlx);", "1", "1"],
    // An update in place of a store.
    ["x.exchange(1, rlx);", "r = y.load(rlx);", "y.store(1, rlx);", "r = x.fetch_add(0, rlx);", "0", "0"],
];

/// A shape in which order matters, with accesses to private cells in place of fences; and the same without them.
pub fn shape(seed: u64) -> [String; 2] {
    let mut rng = Rng::with_seed(seed ^ 0x5ba9e);
    let [a, b, c, d, first, second] = SHAPES[rng.usize(..SHAPES.len())];
    let mut gap = |cell: &str| if rng.u32(..6) == 0 { String::new() } else { access(&mut rng, cell) };
    let gaps = [gap("p"), gap("q")];
    [gaps, [String::new(), String::new()]].map(|[p, q]| {
        format!(
            "atomic x; atomic y; atomic p; atomic q; atomic m = 9; atomic n = 9;
            thread one {{ r = 0; {a} {p} {b} m.store(r, sc); }}
            thread two {{ r = 0; {c} {q} {d} n.store(r, sc); }}
            thread three {{ a = m.load(sc); b = n.load(sc); assert(!(a == {first} && b == {second})); }}"
        )
    })
}

/// The text with one such cell for each thread, and accesses to it between those that the thread has.
pub fn with_private_cells(text: &str, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed ^ 0x9_417a7e);
    let mut out = String::new();
    for name in NAMES {
        writeln!(out, "atomic {name};").expect("memory");
    }
    let mut threads = NAMES.iter();
    let mut cell = "";
    let mut first = true;
    for line in text.lines() {
        if line.starts_with("thread ") {
            (cell, first) = (threads.next().expect("at most four threads"), true);
        } else if line.starts_with("  ") && !line.starts_with("   ") && !line.starts_with("  }") {
            if !first && rng.u32(..3) > 0 {
                writeln!(out, "  {}", access(&mut rng, cell)).expect("memory");
            }
            first = false;
        }
        writeln!(out, "{line}").expect("memory");
    }
    out
}

/// An update, a lock that is taken and given back, or a store.
fn access(rng: &mut Rng, cell: &str) -> String {
    let value = rng.u32(..3);
    let mut one = |of: &[&'static str]| of[rng.usize(..of.len())];
    match one(&["update", "update", "update", "lock", "store", "wait"]) {
        "update" => {
            let (operation, order) = (one(&UPDATES), one(&["rlx", "acq", "rel", "acqrel", "sc"]));
            format!("{cell}.{operation}({value}, {order});")
        }
        "lock" => format!("{cell}.store(0, rlx); {cell}.bcas(0, 1, acq); {cell}.store(0, rel);"),
        "store" => format!("{cell}.store({value}, {});", one(&["rlx", "rel", "sc"])),
        _ => format!("{cell}.store({value}, rlx); wait({cell} == {value}, {});", one(&["rlx", "acq", "sc"])),
    }
}

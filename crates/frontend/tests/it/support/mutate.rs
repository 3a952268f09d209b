//! Texts that are almost programs.

use fastrand::Rng;

const SCRAPS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    "==",
    "..",
    "->",
    "*",
    "&",
    "&&",
    "-",
    "!",
    "~",
    "?",
    "/*",
    "*/",
    "//",
    "(*",
    "*)",
    "/\\",
    "\\/",
    "\"",
    "\n",
    "\r",
    "\0",
    "\u{feff}",
    "é",
    "\u{a0}",
    "𝄞",
    "0",
    "1",
    "-1",
    "63",
    "64",
    "65",
    "4096",
    "4097",
    "9223372036854775807",
    "9223372036854775808",
    "0xffffffffffffffff",
    "0x",
    "self",
    "true",
    "const",
    "atomic",
    "nonatomic",
    "fn",
    "thread",
    "var",
    "wait(",
    "fence(",
    "assert(",
    "choose(",
    "either {",
    "or {",
    "if (",
    "else",
    "while (",
    "loop",
    "break;",
    "continue;",
    "goto l;",
    "l:",
    "return",
    "na",
    "rlx",
    "acq",
    "sc",
    ".load(",
    ".store(",
    ".cas(",
    ".cas_weak(",
    ".bcas(",
    ".fetch_add(",
    "x",
    "x[0]",
    "u8",
    "bool",
    "0..1",
    "1..0",
    "C t\n{}\n",
    "P0 (",
    "P1",
    "atomic_int *x",
    "int *y",
    "int r0 = ",
    "atomic_load(x)",
    "atomic_store(x, 1);",
    "atomic_load_explicit(",
    "atomic_compare_exchange_weak(x, &r0, 1)",
    "atomic_thread_fence(memory_order_seq_cst);",
    "memory_order_relaxed",
    "exists (",
    "~exists",
    "forall",
    "locations [",
    "filter",
    "0:r0=1",
    "not",
    "=>",
    "do",
    "(int)",
    "*x",
    "&r0",
    "_Atomic(",
    "unsigned",
];

/// One text from the corpus, mistreated.
pub fn mutated(corpus: &[String], rng: &mut Rng) -> String {
    if rng.u32(0..20) == 0 {
        return noise(rng);
    }
    let mut text = corpus[rng.usize(..corpus.len())].clone();
    for _ in 0..rng.u32(1..6) {
        let (a, b) = (position(&text, rng), position(&text, rng));
        let (start, end) = (a.min(b), a.max(b));
        let near = boundary(&text, start + rng.usize(0..12));
        match rng.u32(0..9) {
            0 => text.truncate(end),
            1 => text.replace_range(start..near, ""),
            2 => text.replace_range(start..end, ""),
            3 => text.insert_str(a, &text[start..near].repeat(rng.usize(1..5))),
            4 => {
                let other = &corpus[rng.usize(..corpus.len())];
                text = format!("{}{}", &text[..start], &other[position(other, rng)..]);
            }
            5 => text = format!("{}{}", &text[..a], &text[b..]),
            _ => text.replace_range(start..near, SCRAPS[rng.usize(..SCRAPS.len())]),
        }
    }
    text
}

fn noise(rng: &mut Rng) -> String {
    match rng.bool() {
        true => String::from_utf8_lossy(&(0..rng.usize(0..200)).map(|_| rng.u8(..)).collect::<Vec<_>>()).into_owned(),
        false => (0..rng.usize(0..60)).map(|_| SCRAPS[rng.usize(..SCRAPS.len())]).collect::<Vec<_>>().join(" "),
    }
}

fn position(text: &str, rng: &mut Rng) -> usize {
    boundary(text, rng.usize(..=text.len()))
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

//! Programs that were mistreated: mostly in whole words and lines, so that many of them are still programs.

use fastrand::Rng;

use crate::Format;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "256",
    "4095",
    "4096",
    "4097",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "1099511627776",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "00",
    "1e308",
];

const ANY: &[&str] = &[
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
    "*",
    "&",
    "-",
    "!",
    "~",
    "?",
    "/*",
    "*/",
    "//",
    "\"",
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "é",
    "\u{a0}",
    "𝄞",
    "\u{1b}[31m",
    "\u{202e}",
    "0x",
    "'",
    "\\",
    "#",
    "%",
    "@",
    "$",
    "x",
    "main",
];

const FP: &[&str] = &[
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
    "assume(",
    "choose(",
    "choose(0..9223372036854775807)",
    "either {",
    "or {",
    "if (",
    "else",
    "while (",
    "loop {",
    "break;",
    "continue;",
    "goto l;",
    "l:",
    "return",
    "na",
    "rlx",
    "acq",
    "rel",
    "acqrel",
    "sc",
    ".load(",
    ".store(",
    ".cas(",
    ".cas_weak(",
    ".bcas(",
    ".fetch_add(",
    ".swap(",
    "x[0]",
    "[4096]",
    "u8",
    "u32",
    "i64",
    "bool",
    "0..1",
    "1..0",
    "->",
    "..",
    "/",
    "%",
    "<<",
    ">>",
    "&&",
    "||",
    "==",
    "thread t[64] {",
    "//! expect: robust",
];

const LITMUS: &[&str] = &[
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
    "atomic_fetch_add_explicit(x, 1, memory_order_relaxed)",
    "memory_order_relaxed",
    "memory_order_consume",
    "exists (",
    "~exists",
    "forall",
    "locations [",
    "filter",
    "0:r0=1",
    "not",
    "=>",
    "/\\",
    "\\/",
    "do",
    "(int)",
    "*x",
    "&r0",
    "_Atomic(",
    "unsigned",
    "smp_mb();",
    "READ_ONCE(",
    "WRITE_ONCE(",
    "(*",
    "*)",
    "while (",
    "if (",
    "else",
    "{ x=1; }",
    "int64_t",
];

const LL: &[&str] = &[
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "i8388607",
    "i8388608",
    "ptr",
    "void",
    "float",
    "double",
    "x86_fp80",
    "<4 x i32>",
    "<vscale x 4 x i32>",
    "[0 x i8]",
    "[4611686018427387904 x i8]",
    "[1099511627776 x i8]",
    "{ i32, i64 }",
    "<{ i8, i64 }>",
    "{}",
    "null",
    "undef",
    "poison",
    "zeroinitializer",
    "true",
    "false",
    "atomic",
    "volatile",
    "seq_cst",
    "acquire",
    "release",
    "monotonic",
    "acq_rel",
    "unordered",
    "singlethread",
    "syncscope(\"singlethread\")",
    "align 1",
    "align 4294967296",
    "weak",
    "phi",
    "br label %0",
    "ret void",
    "ret i32 0",
    "unreachable",
    "switch i32 %0, label %1 []",
    "select",
    "freeze",
    "alloca",
    "load",
    "store",
    "cmpxchg",
    "atomicrmw",
    "fence seq_cst",
    "getelementptr",
    "inbounds",
    "extractvalue",
    "insertvalue",
    "call void @abort()",
    "invoke",
    "landingpad",
    "resume",
    "thread_local",
    "external",
    "internal",
    "constant",
    "global",
    "alias",
    "define",
    "declare",
    "sdiv",
    "udiv",
    "srem",
    "shl",
    "ashr",
    "trunc",
    "zext",
    "sext",
    "bitcast",
    "ptrtoint",
    "inttoptr",
    "!0",
    "!1",
    "!dbg !5",
    "distinct",
    "!DILocation(line: 4294967296, column: 1, scope: !3)",
    "!{!0}",
    "c\"a\\00\"",
    "opaque",
    "%struct.s",
    "%struct.s = type { %struct.s }",
    "byval(i32)",
    "...",
    "asm \"\", \"\"()",
    "addrspace(1)",
    "blockaddress",
    "@llvm.memcpy.p0.p0.i64",
    "@malloc",
    "@free",
    "@pthread_create",
    "@pthread_join",
    "@pthread_mutex_lock",
];

const C: &[&str] = &[
    "int",
    "long",
    "char",
    "unsigned",
    "_Bool",
    "float",
    "double",
    "long double",
    "__int128",
    "_BitInt(77)",
    "void",
    "struct s {",
    "union u {",
    "_Atomic",
    "volatile",
    "static",
    "_Thread_local",
    "extern",
    "const",
    "atomic_load(&x)",
    "atomic_store(&x, 1);",
    "atomic_fetch_add(&x, 1);",
    "memory_order_relaxed",
    "if (x)",
    "while (1)",
    "for (;;)",
    "return",
    "break;",
    "goto l;",
    "switch (x) {",
    "sizeof x",
    "malloc(8)",
    "malloc(-1)",
    "free(p);",
    "memset(p, 0, 100);",
    "memcpy(p, q, 16);",
    "assert(x);",
    "abort();",
    "exit(1);",
    "pthread_create(&t, 0, f, 0);",
    "pthread_join(t, 0);",
    "pthread_mutex_lock(&m);",
    "1 / 0",
    "1 << 64",
    "*(int *)0 = 1;",
    "a[1000]",
    "[1UL << 36]",
    "__builtin_trap();",
    "asm(\"\");",
    "__attribute__((packed))",
    "int b : 3;",
    "printf(\"%d\", x);",
    "(void *)1",
    "&x",
    "*p",
    "->",
    "#include <stdlib.h>\n",
    "#define X\n",
    "#line 7 \"/etc/passwd\"\n",
];

fn scraps(format: Format) -> &'static [&'static str] {
    match format {
        Format::Fp => FP,
        Format::Litmus => LITMUS,
        Format::Ll => LL,
        Format::C => C,
    }
}

/// One text of the corpus, mistreated.
pub fn mutated(format: Format, corpus: &[String], seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let rng = &mut rng;
    let mut text = corpus[rng.usize(..corpus.len())].clone();
    if rng.u32(..50) == 0 {
        return noise(format, rng);
    }
    // Mostly one change or two: what has more is hardly ever read.
    for _ in 0..1 + rng.u32(..6).saturating_sub(2) {
        text = match rng.u32(..10) {
            0..=5 => words(format, &text, rng),
            6..=7 => lines(&text, corpus, rng),
            8 => characters(&text, rng),
            _ => deep(format, &text, rng),
        };
        text.truncate(boundary(&text, 100_000));
    }
    text
}

/// Changes a word: a number to another, a name to another name of the text, or anything to something of the language.
fn words(format: Format, text: &str, rng: &mut Rng) -> String {
    let words = split(text);
    let visible: Vec<usize> = (0..words.len()).filter(|&i| !words[i].trim().is_empty()).collect();
    if visible.is_empty() {
        return noise(format, rng);
    }
    let at = visible[rng.usize(..visible.len())];
    let other = visible[rng.usize(..visible.len())];
    let mut out: Vec<&str> = words.clone();
    let scraps = scraps(format);
    let is_number = |word: &str| word.bytes().next().is_some_and(|b| b.is_ascii_digit());
    match rng.u32(..10) {
        0..=2 if is_number(words[at]) => out[at] = NUMBERS[rng.usize(..NUMBERS.len())],
        0..=4 => {
            // Of the same kind, so that it is likely to fit.
            let kind =
                |word: &str| word.bytes().next().map(|b| (b.is_ascii_alphabetic() || b == b'_', b.is_ascii_digit()));
            let alike: Vec<usize> = visible.iter().copied().filter(|&i| kind(words[i]) == kind(words[at])).collect();
            out[at] = words[alike[rng.usize(..alike.len())]];
        }
        5 => out[at] = scraps[rng.usize(..scraps.len())],
        6 => out[at] = ANY[rng.usize(..ANY.len())],
        7 => out.swap(at, other),
        8 => {
            let end = (at + rng.usize(1..8)).min(out.len());
            out.drain(at..end);
        }
        _ => {
            let end = (at + rng.usize(1..30)).min(out.len());
            let copied: Vec<&str> = words[at..end].to_vec();
            out.splice(other..other, copied);
        }
    }
    out.concat()
}

fn lines(text: &str, corpus: &[String], rng: &mut Rng) -> String {
    let mut out: Vec<&str> = text.split_inclusive('\n').collect();
    if out.is_empty() {
        return String::new();
    }
    let (at, other) = (rng.usize(..out.len()), rng.usize(..out.len()));
    let donor: Vec<&str> = corpus[rng.usize(..corpus.len())].split_inclusive('\n').collect();
    match rng.u32(..6) {
        0 => drop(out.remove(at)),
        1 => out.insert(other, out[at]),
        2 => out.swap(at, other),
        3 => out.truncate(at),
        4 if !donor.is_empty() => {
            let from = rng.usize(..donor.len());
            let end = (from + rng.usize(1..6)).min(donor.len());
            out.splice(at..at, donor[from..end].iter().copied());
        }
        _ if !donor.is_empty() => {
            out.truncate(at);
            out.extend(&donor[rng.usize(..donor.len())..]);
        }
        _ => {}
    }
    out.concat()
}

fn characters(text: &str, rng: &mut Rng) -> String {
    let mut out = text.to_owned();
    let (a, b) = (boundary(text, rng.usize(..=text.len())), boundary(text, rng.usize(..=text.len())));
    let near = boundary(text, (a + rng.usize(0..12)).min(text.len())).max(a);
    match rng.u32(..5) {
        0 => out.replace_range(a..near, ""),
        1 => out.insert_str(b, &text[a..near].repeat(rng.usize(1..6))),
        2 => out.replace_range(a..near, ANY[rng.usize(..ANY.len())]),
        3 => out = out.replace('\n', "\r\n"),
        _ => out.insert_str(b, &"a".repeat(rng.usize(1..5000))),
    }
    out
}

/// Something that nests, or goes on, for very long.
fn deep(format: Format, text: &str, rng: &mut Rng) -> String {
    let words = split(text);
    let scraps = scraps(format);
    let count = rng.usize(50..3000);
    let piece = match rng.u32(..4) {
        0 => ["(", "{", "[", "-", "*", "<", "!{", "if (1) ", "1 + ", "x[", "&&", "<{"][rng.usize(..12)],
        1 => scraps[rng.usize(..scraps.len())],
        _ if words.is_empty() => "x",
        _ => words[rng.usize(..words.len())],
    };
    let at = boundary(text, rng.usize(..=text.len()));
    let space = if rng.bool() { " " } else { "" };
    format!("{}{}{}", &text[..at], format!("{piece}{space}").repeat(count), &text[at..])
}

fn noise(format: Format, rng: &mut Rng) -> String {
    let scraps = scraps(format);
    match rng.bool() {
        true => String::from_utf8_lossy(&(0..rng.usize(0..200)).map(|_| rng.u8(..)).collect::<Vec<_>>()).into_owned(),
        false => (0..rng.usize(0..60)).map(|_| scraps[rng.usize(..scraps.len())]).collect::<Vec<_>>().join(" "),
    }
}

/// Names and numbers, runs of space, and single other characters.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || matches!(c, '_' | '.') => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if last.is_some_and(|last| last != now || now == 0) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    words.push(&text[start..]);
    words
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

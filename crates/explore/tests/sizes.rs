//! Accesses of different sizes to the same bytes give what the bytes say.

use std::fmt::Write;

use fastrand::Rng;
use fencepost_explore::{Options, Watch, count, explore};
use fencepost_models::Model;
use fencepost_program::Address;
use fencepost_story::Outcome;
use fencepost_testing::{compiled, trials};

const BYTES: usize = 48;
const TYPES: [(&str, usize); 5] = [("char", 1), ("short", 2), ("int", 4), ("long", 8), ("wide", 16)];

/// Where atomic accesses may go in the first array, and their types.
const ATOMICS: [(usize, &str, usize); 5] =
    [(0, "long", 8), (8, "int", 4), (12, "short", 2), (16, "wide", 16), (32, "wide", 16)];

/// The number that bytes hold, as C writes it.
fn number(ty: &str, bytes: &[u8]) -> String {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    let value = u128::from_le_bytes(all);
    format!("({ty})((unsigned wide){}ULL << 64 | {}ULL)", (value >> 64) as u64, value as u64)
}

/// Steps on two arrays of bytes, each with what it must find.
fn steps(random: &mut Rng, memory: &mut [[u8; BYTES]; 2], count: usize, atomics: bool, text: &mut String) {
    for _ in 0..count {
        if atomics && random.u8(..3) == 0 {
            let (at, ty, size) = ATOMICS[random.usize(..ATOMICS.len())];
            let place = format!("({ty} *)(m[0] + {at})");
            let bytes = &mut memory[0][at..at + size];
            let old = number(ty, bytes);
            let mut before = [0; 16];
            before[..size].copy_from_slice(bytes);
            let (before, operand) = (u128::from_le_bytes(before), random.u128(..));
            let (operation, after) = match random.u8(..8) {
                0..4 => ("exchange_n", operand),
                4 => ("fetch_add", before.wrapping_add(operand)),
                5 => ("fetch_sub", before.wrapping_sub(operand)),
                6 => ("fetch_xor", before ^ operand),
                _ => ("fetch_nand", !(before & operand)),
            };
            bytes.copy_from_slice(&after.to_le_bytes()[..size]);
            let operand = number(ty, &operand.to_le_bytes()[..size]);
            let update = format!("__atomic_{operation}({place}, {operand}, __ATOMIC_SEQ_CST)");
            writeln!(text, "    assert({update} == {old});").expect("a string");
            continue;
        }
        let (array, other) = (random.usize(..2), random.usize(..2));
        let (ty, size) = TYPES[random.usize(..TYPES.len())];
        // At a multiple of its size, or as in a packed struct anywhere.
        let packed = random.bool();
        let at = if packed { random.usize(..=BYTES - size) } else { random.usize(..BYTES / size) * size };
        let place = format!("*({}{ty} *)(m[{array}] + {at})", if packed { "packed_" } else { "" });
        let bytes = at..at + size;
        let length = random.usize(1..BYTES);
        let (from, to) = (random.usize(..=BYTES - length), random.usize(..=BYTES - length));
        let step = match random.u8(..6) {
            0 | 1 => {
                let value = &random.u128(..).to_le_bytes()[..size];
                memory[array][bytes].copy_from_slice(value);
                format!("{place} = {};", number(ty, value))
            }
            2 | 3 => format!("assert({place} == {});", number(ty, &memory[array][bytes])),
            4 => {
                let byte = random.u8(..);
                memory[array][to..to + length].fill(byte);
                format!("memset(m[{array}] + {to}, {byte}, {length});")
            }
            _ => {
                let copy = memory[other][from..from + length].to_vec();
                memory[array][to..to + length].copy_from_slice(&copy);
                format!("memmove(m[{array}] + {to}, m[{other}] + {from}, {length});")
            }
        };
        writeln!(text, "    {step}").expect("a string");
    }
}

#[test]
fn accesses_of_all_sizes_find_the_bytes_that_were_written() {
    find_the_bytes_that_were_written(false);
}

#[test]
fn plain_accesses_to_parts_of_atomics_find_the_bytes_that_were_written() {
    find_the_bytes_that_were_written(true);
}

fn find_the_bytes_that_were_written(atomics: bool) {
    let programs = trials(150) as usize;
    let mut random = Rng::with_seed(3);
    let (mut before, mut beside, mut after) = (String::new(), String::new(), String::new());
    for program in 0..programs {
        let mut memory = [[0; BYTES]; 2];
        for part in [&mut before, &mut beside, &mut after] {
            writeln!(part, "  case {program}:").expect("a string");
            steps(&mut random, &mut memory, 4, atomics, part);
            writeln!(part, "    break;").expect("a string");
        }
    }
    // Each as steps of `main`, of a thread that it makes, and of `main` when that has ended.
    let text = format!(
        "#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <fencepost.h>
typedef char packed_char;
typedef short __attribute__((aligned(1))) packed_short;
typedef int __attribute__((aligned(1))) packed_int;
typedef long __attribute__((aligned(1))) packed_long;
#define wide __int128
typedef wide __attribute__((aligned(1))) packed_wide;
static _Alignas(16) char m[2][{BYTES}];
static int which;
static void *beside(void *unused) {{
  switch (which) {{
{beside}  }}
  return 0;
}}
int main(void) {{
  which = fencepost_choose(0, {});
  switch (which) {{
{before}  }}
  pthread_t thread;
  pthread_create(&thread, 0, beside, 0);
  pthread_join(thread, 0);
  switch (which) {{
{after}  }}
  return 0;
}}
",
        programs - 1
    );
    let program = compiled(if atomics { "sizes-atomic" } else { "sizes" }, &text);
    let exploration = count(&program, &Options::new(Model::Rc11), &Watch::default()).unwrap();
    assert_eq!(exploration.verdict.outcome, Outcome::Holds, "{:?}", exploration.verdict.violations.first());
    assert_eq!(exploration.complete, programs as u64);
}

/// That a variable is read by its bytes shows only in executions in which the flag is seen.
#[test]
fn executions_are_shown_also_if_sizes_differ_only_in_some_of_them() {
    let text = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int whole = 0x102;
long seen;
static void *reader(void *unused) {
  if (atomic_load(&flag)) seen = ((char *)&whole)[1];
  return 0;
}
int main(void) {
  pthread_t thread;
  whole = 0x304;
  pthread_create(&thread, 0, reader, 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
}
";
    let program = compiled("sizes-shown", text);
    let seen = program.globals.iter().find(|global| global.name == "seen").expect("it is there").pointer;
    let mut values = Vec::new();
    let exploration = explore(&program, &Options::new(Model::Rc11), &Watch::default(), |execution| {
        values.push(execution.value(Address::of_memory(seen, 8)));
    })
    .unwrap();
    assert_eq!(exploration.verdict.outcome, Outcome::Holds);
    values.sort_unstable();
    assert_eq!(values, [0, 3], "each execution is shown once");
}

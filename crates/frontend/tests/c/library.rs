//! Calls of the C library with random arguments return and write what they do natively.

use std::path::PathBuf;

use fencepost_frontend::read;
use fencepost_testing::{seeds, trials};

use crate::differential::native;
use crate::library_calls::call;
use crate::runner::{Ending, Run};

/// Calls in one program.
const BATCH: usize = 150;

const PRELUDE: &str = "#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#define MOST 20000
unsigned long results[MOST], count;
static void r(long value) { results[count++] = (unsigned long)value; }
static int sign(long value) { return value < 0 ? -1 : value > 0; }
static void bytes(const void *from, long size) {
  unsigned long hash = 1469598103934665603UL;
  for (long i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)from)[i]) * 1099511628211UL;
  r((long)hash);
}
static void text(const char *t) { r((long)strlen(t)); bytes(t, (long)strlen(t)); }
static void at(const void *found, const void *base) { r(found ? (const char *)found - (const char *)base : -1); }
static void d(double value) { unsigned long bits; if (value != value) value = 0.25; memcpy(&bits, &value, 8); r((long)bits); }
static void f(float value) { d(value); }
static void e(void) { r(errno); errno = 0; }
static double of(unsigned long bits) { double value; memcpy(&value, &bits, 8); return value; }
static float single(unsigned bits) { float value; memcpy(&value, &bits, 4); return value; }
static int by_first(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static void formats(char *to, int size, const char *format, ...) {
  va_list arguments; va_start(arguments, format); r(vsnprintf(to, (unsigned long)size, format, arguments)); va_end(arguments);
}
";

/// A program that makes these calls, each in a function of its own.
fn program(seeds: &[u64]) -> String {
    let mut out = PRELUDE.to_owned();
    for (i, &seed) in seeds.iter().enumerate() {
        let body = call(&mut fastrand::Rng::with_seed(seed));
        out += &format!("static void call_{i}(void) {{ errno = 0; {body} }}\n");
    }
    out += "int main(void) {\n";
    for i in 0..seeds.len() {
        out += &format!("  call_{i}(); results[count++] = 0xabcdUL + {i}UL;\n");
    }
    out += "#ifndef __FENCEPOST__\n  for (unsigned long i = 0; i < count; i++) printf(\"%ld\\n\", (long)results[i]);\n#endif\n";
    out + "  return 0;\n}\n"
}

#[test]
fn calls_of_the_c_library_return_and_write_what_they_do_natively() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let seeds: Vec<u64> = seeds(trials(20 * BATCH as u64)).collect();
    for seeds in seeds.chunks(BATCH) {
        let path = directory.join(format!("library-{}-{}.c", std::process::id(), seeds[0]));
        std::fs::write(&path, program(seeds)).expect("the target directory can be written");
        let expected = native(&path);
        let program = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
        let (run, ending) = Run::of(&program);
        let reached = run.global("count", 8) as usize;
        let found: Vec<i64> = (0..reached).map(|i| run.element("results", i)).collect();
        let calls = |results: &[i64]| results.iter().filter(|&&value| (0xabcd..0xbbcd).contains(&value)).count();
        let differ = found.iter().zip(&expected).position(|(a, b)| a != b);
        let which = differ.or((ending != Ending::Ended).then_some(reached)).map(|at| calls(&found[..at]));
        if let Some(which) = which {
            let text = call(&mut fastrand::Rng::with_seed(seeds[which]));
            let at = differ.unwrap_or(reached);
            panic!(
                "seed {}: {text}\n{:?}, here {:?}, natively {:?} ({ending:?}, {:?})",
                seeds[which],
                path,
                found.get(at),
                expected.get(at),
                program.constructs
            );
        }
        assert_eq!(found.len(), expected.len());
        std::fs::remove_file(&path).expect("it was just written");
    }
}

#[test]
fn ir_that_was_made_for_macos_finds_the_library() {
    let text = "target triple = \"arm64-apple-macosx14.0.0\"
%mutex = type { i64, [56 x i8] }
@mutex = global %mutex { i64 850045863, [56 x i8] zeroinitializer }, align 8
@result = global i64 0
declare i32 @pthread_mutex_lock(ptr)
declare i32 @_pthread_create(ptr, ptr, ptr, ptr)
declare i32 @\"\\01_pthread_join$UNIX2003\"(i64, ptr)
declare ptr @__error()
define ptr @work(ptr %argument) {
  %1 = call i32 @pthread_mutex_lock(ptr @mutex)
  store i64 7, ptr @result
  %2 = call ptr @__error()
  store i32 5, ptr %2
  ret ptr null
}
define i32 @main() {
  %thread = alloca i64
  %1 = call i32 @_pthread_create(ptr %thread, ptr null, ptr @work, ptr null)
  %2 = load i64, ptr %thread
  %3 = call i32 @\"\\01_pthread_join$UNIX2003\"(i64 %2, ptr null)
  ret i32 0
}
";
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("macos-{}.ll", std::process::id()));
    std::fs::write(&path, text).expect("the target directory can be written");
    let program = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
    let (run, ending) = Run::of(&program);
    assert_eq!(ending, Ending::Ended, "{:?}", program.constructs);
    assert_eq!(run.global("result", 8), 7);
    std::fs::remove_file(&path).expect("it was just written");
}

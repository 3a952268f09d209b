//! Programs that compute a `result`, here and natively: integers of 128 bits, vectors, inline assembly, addresses of
//! labels.

use std::path::PathBuf;
use std::process::Command;

use fencepost_program::{Failure, Program};
use fencepost_testing::compiled;

use crate::runner::{Ending, Run};

/// What the program prints if a compiler builds it.
fn natively(name: &str, text: &str, compiler: &str) -> i64 {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("native-{}-{name}.c", std::process::id()));
    let print = "\n#include <stdio.h>\n__attribute__((destructor)) static void print(void) { printf(\"%ld\\n\", (long)result); }\n";
    std::fs::write(&path, format!("{text}{print}")).expect("the target directory can be written");
    let binary = path.with_extension("out");
    let status = Command::new(compiler)
        .args(["-O1", "-w", "-mcx16", "-o"])
        .arg(&binary)
        .arg(&path)
        .args(["-lm", "-latomic"])
        .status();
    assert!(status.expect("the compiler runs").success(), "{compiler} compiles {}", path.display());
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "{} ends well", path.display());
    std::fs::remove_file(&binary).expect("it was just made");
    std::fs::remove_file(&path).expect("it was just written");
    String::from_utf8(output.stdout).expect("a number").trim().parse().expect("a number")
}

fn computed(program: &Program) -> i64 {
    let (run, ending) = Run::of(program);
    assert_eq!(ending, Ending::Ended, "{:?}", program.constructs);
    run.global("result", 8)
}

fn same(name: &str, text: &str, compiler: &str) {
    assert_eq!(computed(&compiled(name, text)), natively(name, text, compiler), "{name}");
}

/// Random words, and a result that depends on all that is mixed into it.
const RANDOM: &str = "
#include <stdint.h>
#include <string.h>
typedef __int128 i128;
typedef unsigned __int128 u128;
uint64_t result, state = 42;
static uint64_t word(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = state >> 29;
  switch (x & 7) {
    case 0: return x >> 8 & 3;
    case 1: return -(x >> 8 & 3);
    case 2: return 1ul << (x >> 8 & 63);
    default: return state ^ state >> 31;
  }
}
static void mix(uint64_t x) { result = (result ^ x) * 0x9e3779b97f4a7c15u + (result >> 32); }
";

#[test]
fn integers_of_128_bits_compute_what_they_compute_natively() {
    let text = format!(
        "{RANDOM}
static i128 wide(void) {{ i128 high = (i128)word() << 64; return high | word(); }}
static void mix_wide(u128 x) {{ mix((uint64_t)x); mix((uint64_t)(x >> 64)); }}
static i128 constants[3] = {{ ((i128)0x0123456789abcdef << 64) | 0xfedcba9876543210, -5, (i128)1 << 127 }};
struct holder {{ char c; i128 wide; short s; }} global = {{ 1, -2, 3 }};
static i128 handed(char c, i128 a, struct holder h, u128 b) {{ return a * 3 - (i128)b + c + h.wide + h.s; }}
static u128 power(u128 base, int n) {{ return n == 0 ? 1 : base * power(base, n - 1); }}
int main(void) {{
  i128 (*pointer)(char, i128, struct holder, u128) = handed;
  for (int i = 0; i < 120; i++) {{
    i128 a = wide(), b = wide();
    u128 x = a, y = b;
    mix_wide(a + b); mix_wide(a - b); mix_wide(a * b); mix_wide(-a); mix_wide(~a);
    mix_wide(a & b); mix_wide(a | b); mix_wide(a ^ b);
    int n = word() & 127;
    mix_wide(x << n); mix_wide(x >> n); mix_wide(a >> n); mix_wide(x << 64); mix_wide(a >> 64);
    if (b != 0 && !(b == -1 && a == (i128)1 << 127)) {{ mix_wide(a / b); mix_wide(a % b); }}
    if (y != 0) {{ mix_wide(x / y); mix_wide(x % y); }}
    if (y >> 70) mix_wide(x / (y >> 70));
    mix_wide(x / 10); mix_wide(a % 7);
    mix((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b));
    mix((x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y));
    mix((int)a); mix((short)x); mix((uint64_t)(a + 1)); mix(!a); mix(a ? 1 : 2);
    mix_wide((int)word()); mix_wide((unsigned)word()); mix_wide((long)word()); mix_wide((signed char)word());
    mix_wide(constants[i % 3] + global.wide);
    global.wide = (global.wide * 5) ^ a; global.c += i;
    mix_wide(pointer((char)i, a, global, y)); mix_wide(power(x | 1, 5));
    mix_wide(i & 1 ? a : b);
    a += 1; a <<= 3; a--; mix_wide(a); mix_wide(a++); mix_wide(a);
    unsigned char bytes[sizeof a]; memcpy(bytes, &a, sizeof a); mix(bytes[9]); mix(bytes[0]);
    mix((uint64_t)((u128)word() * word() >> 64));
  }}
  return 0;
}}"
    );
    same("wide", &text, "clang-19");
}

#[test]
fn a_division_of_128_bits_by_zero_fails() {
    let text = "unsigned __int128 a = 5, b; long result;\nint main(void) { result = (long)((a << 70) / b); return 0; }";
    match Run::of(&compiled("wide-zero", text)).1 {
        Ending::Failed(Failure::DivisionByZero, _) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn vectors_compute_what_they_compute_natively() {
    let text = format!(
        "{RANDOM}
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef char c8 __attribute__((vector_size(8)));
typedef long l2 __attribute__((vector_size(16)));
struct point {{ float x, y; }};
struct three {{ float x, y, z; }};
static v4 global = {{ 1, 2, 3, -4 }}, zero;
static struct point moved(struct point p, float by) {{ p.x += by; p.y -= by; return p; }}
static struct three turned(struct three t) {{ struct three u = {{ t.z, t.x, t.y }}; return u; }}
static void mix4(v4 v) {{ for (int i = 0; i < 4; i++) mix(v[i]); }}
static void mix_floats(f4 v) {{ for (int i = 0; i < 4; i++) mix((uint64_t)(int64_t)v[i]); }}
static f4 scaled(f4 v, float by) {{ return v * by; }}
int main(void) {{
  for (int i = 0; i < 100; i++) {{
    v4 a = {{ word() & 0xffff, word() & 0xffff, word() & 0xff, -(word() & 0xfff) }}, b = {{ word() & 7, 1, 2, i }};
    mix4(a + b); mix4(a - b); mix4(a * b); mix4(a & b); mix4(a ^ b); mix4(a << (b & 7)); mix4(a >> (b & 3));
    mix4(a < b); mix4(a == b); mix4(-a); mix4(~b); mix4(a / (b + 1)); mix4(a + 3);
    u4 x = (u4)a, y = (u4)b;
    mix4((v4)(x >> 1)); mix4((v4)(x % (y + 1))); mix4((v4)(x < y));
    mix4(__builtin_shufflevector(a, b, 3, 4, 1, 6)); mix4(__builtin_shufflevector(a, b, 0, 0, 7, 7));
    a[i & 3] = i; mix(a[(i + 1) & 3]); global = global * 3 + a; mix4(global + zero);
    f4 f = __builtin_convertvector(a, f4); mix_floats(f + 2.5f); mix_floats(scaled(f, 0.5f)); mix_floats(-f);
    mix4(__builtin_convertvector(f, v4)); mix4(f < 100.0f);
    d2 d = {{ f[0], f[1] }}; d = d * 1.5 + 1; mix((uint64_t)(int64_t)d[0]); mix((uint64_t)(int64_t)d[1]);
    s8 s = (s8)a; s += 7; mix4((v4)s); l2 l = (l2)s; mix(l[0]); mix(l[1]);
    c8 c = (c8)(long)word(); c += c; mix((uint64_t)(long)c); mix(c[5]);
    v4 copy; memcpy(&copy, &a, sizeof a); mix4(copy); mix(__builtin_reduce_add(a)); mix(__builtin_reduce_max(a));
    mix(__builtin_reduce_xor(b)); mix(__builtin_reduce_min(x));
    struct point p = moved((struct point){{ i, 2 }}, 3); mix((uint64_t)(int64_t)p.x); mix((uint64_t)(int64_t)p.y);
    struct three t = turned((struct three){{ 1, i, 3 }}); mix((uint64_t)(int64_t)(t.x + 10 * t.y + 100 * t.z));
  }}
  return 0;
}}"
    );
    same("vectors", &text, "clang-19");
}

#[test]
fn builtin_functions_compute_what_they_compute_natively() {
    let text = format!(
        "{RANDOM}
#include <immintrin.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void) {{
  for (int i = 0; i < 200; i++) {{
    uint64_t x = word(), y = word(); uint32_t a = word(), b = word(); uint8_t c = word(), d = word(); int16_t s = word(), t = word();
    mix(__builtin_elementwise_add_sat(x, y)); mix(__builtin_elementwise_sub_sat(x, y));
    mix(__builtin_elementwise_add_sat(c, d)); mix(__builtin_elementwise_sub_sat(c, d));
    mix(__builtin_elementwise_add_sat(s, t)); mix(__builtin_elementwise_sub_sat(s, t));
    mix(__builtin_elementwise_add_sat((int64_t)x, (int64_t)y)); mix(__builtin_elementwise_sub_sat((int)a, (int)b));
    mix(__builtin_rotateleft64(x, y)); mix(__builtin_rotateright32(a, b)); mix(__builtin_rotateleft8(c, d)); mix(__builtin_rotateright16(s, t));
    mix(__builtin_bitreverse32(a)); mix(__builtin_ffsl(x)); mix(__builtin_parityl(x)); mix(__builtin_clrsbl(x)); mix(__builtin_popcount(a));
    mix(a ? __builtin_clz(a) : 0); mix(x ? __builtin_ctzl(x) : 0); mix(__builtin_bswap16(s));
    mix(__builtin_elementwise_abs((int)a | 1)); mix(__builtin_elementwise_max((int)a, (int)b)); mix(__builtin_elementwise_min(x, y));
    double f = __builtin_copysign((double)(int)a, (double)(int)b); mix((uint64_t)(int64_t)f);
    float g = __builtin_copysignf((float)(s & 255), (float)t); mix((uint64_t)(int64_t)g);
    mix((uint64_t)(int64_t)__builtin_fabs(f)); mix((uint64_t)(int64_t)__builtin_fmax(f, g)); mix((uint64_t)(int64_t)__builtin_floor(f / 3));
    int over; uint8_t small; int64_t large;
    mix(__builtin_add_overflow((int)a, (int)b, &over)); mix(over); mix(__builtin_mul_overflow(c, d, &small)); mix(small);
    mix(__builtin_sub_overflow((int64_t)x, (int64_t)y, &large)); mix(large); mix(__builtin_mul_overflow((int64_t)x, (int64_t)y, &large)); mix(large);
    unsigned long carry; mix(__builtin_addcl(x, y, c & 1, &carry)); mix(carry); mix(__builtin_subcl(x, y, d & 1, &carry)); mix(carry);
    v4 v = {{ a, b, c, d }}, w = {{ s, t, 3, -4 }};
    v4 m = __builtin_elementwise_max(v, w) + __builtin_elementwise_abs(w) + __builtin_elementwise_add_sat(v, w);
    for (int k = 0; k < 4; k++) mix(m[k]);
    _mm_pause(); _mm_mfence(); _mm_sfence(); _mm_lfence(); _mm_clflush(&x); _mm_prefetch((char *)&x, _MM_HINT_T0);
    if (__builtin_expect(x == 0, 0)) mix(5);
    if (!__builtin_is_aligned(x, 8)) mix(__builtin_align_up(x, 8));
  }}
  return 0;
}}"
    );
    same("builtins", &text, "clang-19");
}

#[test]
fn functions_of_libatomic_and_updates_of_floats_do_what_they_do_natively() {
    let sized: String = [1, 2, 4, 8, 16]
        .map(|size| {
            let ty = if size == 16 { "u128".to_owned() } else { format!("uint{}_t", 8 * size) };
            format!(
                "
typedef {ty} T{size};
T{size} load{size}(void *, int) __asm__(\"__atomic_load_{size}\");
void store{size}(void *, T{size}, int) __asm__(\"__atomic_store_{size}\");
T{size} exchange{size}(void *, T{size}, int) __asm__(\"__atomic_exchange_{size}\");
_Bool compare{size}(void *, void *, T{size}, int, int) __asm__(\"__atomic_compare_exchange_{size}\");
T{size} add{size}(void *, T{size}, int) __asm__(\"__atomic_fetch_add_{size}\");
T{size} nand{size}(void *, T{size}, int) __asm__(\"__atomic_nand_fetch_{size}\");
T{size} or{size}(void *, T{size}, int) __asm__(\"__atomic_or_fetch_{size}\");
static void try{size}(void *p) {{
  T{size} expected = word() & 1 ? *(T{size} *)p : word();
  mix(load{size}(p, 2)); mix_high(exchange{size}(p, SOME(T{size}), 4)); mix(compare{size}(p, &expected, SOME(T{size}), 5, 0)); mix_high(expected);
  expected = *(T{size} *)p; mix(compare{size}(p, &expected, SOME(T{size}), 5, 2)); mix(expected);
  mix_high(add{size}(p, SOME(T{size}), 0)); mix_high(nand{size}(p, SOME(T{size}), 5)); mix(or{size}(p, word(), 3)); store{size}(p, SOME(T{size}), 3);
}}
"
            )
        })
        .concat();
    let text = format!(
        "{RANDOM}
#define SOME(T) ((T)word() << (sizeof(T) == 16 ? 64 : 0) | (T)word())
static void mix_high(u128 x) {{ mix(x); mix(x >> 64); }}
{sized}
struct pair {{ int a, b; }};
struct words {{ uint64_t a, b; }};
static _Alignas(16) uint64_t cell[2];
static float f = 1.5f;
static double d = -3;
int main(void) {{
  /* Of a smaller alignment than its size, so that it is no instruction. */
  struct pair *shared = (struct pair *)cell;
  struct words *wide = (struct words *)cell;
  for (int i = 0; i < 60; i++) {{
    try1(cell); try2(cell); try4(cell); try8(cell); try16(cell);
    struct words from = {{ word(), 3 }}, to, known = *wide;
    __atomic_load(wide, &to, 2); mix(to.a + to.b); __atomic_exchange(wide, &from, &to, 4); mix(to.a + to.b);
    if (i & 1) known = *wide;
    mix(__atomic_compare_exchange(wide, &known, &to, 0, 5, 5)); mix(known.b); mix(wide->a); mix(cell[1]);
    __atomic_store(wide, &from, 0); mix(wide->b);
    mix_high(__sync_val_compare_and_swap((u128 *)cell, i & 2 ? *(u128 *)cell : 1, SOME(u128)));
    mix_high(__sync_fetch_and_add((u128 *)cell, SOME(u128))); mix_high(__sync_and_and_fetch((u128 *)cell, SOME(u128)));
    struct pair new = {{ i, 2 }}, old, expected = *shared;
    __atomic_load(shared, &old, 2); mix(old.a); __atomic_store(shared, &new, 5);
    __atomic_exchange(shared, &expected, &old, 4); mix(old.a + old.b);
    if (i & 1) expected.b++;
    mix(__atomic_compare_exchange(shared, &expected, &new, 0, 5, 5)); mix(expected.b); mix(shared->a);
    mix((uint64_t)(int64_t)(4 * __atomic_fetch_add(&f, (float)(i & 3) / 2, 5))); mix((uint64_t)(int64_t)(8 * f));
    mix((uint64_t)(int64_t)(4 * __atomic_fetch_sub(&d, i / 4.0, 0))); mix((uint64_t)(int64_t)(8 * d));
  }}
  return 0;
}}"
    );
    same("libatomic", &text, "clang-19");
}

#[test]
fn an_atomic_access_for_which_libatomic_takes_a_lock_is_refused() {
    let text = "long result; struct { char c[24]; } a, b;
int main(void) {
  __atomic_load(&a, &b, 5);
  return 0;
}";
    let program = compiled("locked", text);
    match Run::of(&program).1 {
        Ending::Failed(Failure::Unsupported { construct }, span) => {
            let construct = &program.constructs[construct as usize];
            assert!(span.line == 3 && construct.contains("24 bytes"), "{construct}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_atomic_access_to_16_bytes_that_are_not_aligned_is_refused() {
    let text = "long result; struct pair { long a, b; }; _Alignas(16) long words[4];
int main(void) {
  struct pair from = {1, 2};
  __atomic_store((struct pair *)&words[2], &from, 5);
  __atomic_store((struct pair *)&words[1], &from, 5);
  return 0;
}";
    let program = compiled("unaligned", text);
    match Run::of(&program).1 {
        Ending::Failed(Failure::Unsupported { construct }, span) => {
            let construct = &program.constructs[construct as usize];
            assert!(span.line == 5 && construct.contains("not aligned"), "{construct}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn updates_that_begin_again_have_the_results_that_llvm_says() {
    let updates = [("uinc_wrap", 7, 7, 0), ("uinc_wrap", 6, 7, 7), ("udec_wrap", 0, 5, 5), ("udec_wrap", 9, 5, 5)];
    let others = [("udec_wrap", 4, 5, 3), ("usub_cond", 4, 5, 4), ("usub_cond", 9, 5, 4), ("usub_sat", 4, 5, 0)];
    for (name, old, operand, new) in updates.into_iter().chain(others) {
        let text = format!(
            "target triple = \"x86_64-pc-linux-gnu\"\n@cell = global i64 {old}\n@result = global i64 0\n\
             define i32 @main() {{\n  %old = atomicrmw {name} ptr @cell, i64 {operand} seq_cst\n  \
             store i64 %old, ptr @result\n  ret i32 0\n}}\n"
        );
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("wraps-{}.ll", std::process::id()));
        std::fs::write(&path, text).expect("the target directory can be written");
        let program = fencepost_frontend::read(&path).unwrap_or_else(|e| panic!("{e}")).program;
        std::fs::remove_file(&path).expect("it was just written");
        let (run, ending) = Run::of(&program);
        assert_eq!(ending, Ending::Ended);
        assert_eq!((run.global("result", 8), run.global("cell", 8)), (old, new), "{name} {old} {operand}");
    }
}

/// Each with a random `x` and `y`, and `p` points to a random word.
const ASSEMBLY: [&str; 45] = [
    r#"asm volatile("lock; xaddl %0, %1" : "+r"(x), "+m"(*p) : : "memory", "cc"); mix(x);"#,
    r#"asm volatile("lock; addl %1, %0" : "+m"(*p) : "ir"(y) : "memory");"#,
    r#"asm volatile("lock; subl %1, %0; sete %b2" : "+m"(*p), "+r"(x), "=q"(c) : : "memory"); mix(c);"#,
    r#"asm volatile("lock; incl %0\n\tsete %1" : "+m"(*p), "=qm"(c) : : "memory"); mix(c);"#,
    r#"asm volatile("lock; decl %0; sets %1" : "+m"(*p), "=q"(c) : : "memory"); mix(c);"#,
    r#"asm volatile("lock; addl %2, %0; setc %1" : "+m"(*p), "=q"(c) : "r"(x) : "memory"); mix(c);"#,
    r#"asm volatile("lock; addl %2, %0; seto %1" : "+m"(*p), "=q"(c) : "r"(x) : "memory"); mix(c);"#,
    r#"asm volatile("lock; subl %2, %0; setl %1" : "+m"(*p), "=q"(c) : "r"(x) : "memory"); mix(c);"#,
    r#"asm volatile("lock; orl %1, %0" : "+m"(*p) : "r"(x) : "memory");"#,
    r#"asm volatile("lock; andl %1, %0" : "+m"(*p) : "r"(x | 0xff) : "memory");"#,
    r#"asm volatile("lock; xorl %1, %0" : "+m"(*p) : "r"(x) : "memory");"#,
    r#"{ unsigned old; asm volatile("lock; cmpxchgl %2, %1" : "=a"(old), "+m"(*p) : "r"(x), "0"(y) : "memory"); mix(old); }"#,
    r#"{ unsigned old = *p; asm volatile("lock cmpxchgl %3, %1; sete %2" : "+a"(old), "+m"(*p), "=q"(c) : "r"(x) : "memory"); mix(old + c); }"#,
    r#"{ unsigned old = i & 1 ? *p : y; _Bool z; asm volatile("lock cmpxchgl %3, %1" : "+a"(old), "+m"(*p), "=@ccz"(z) : "r"(x) : "memory"); mix(old + z); }"#,
    r#"{ uint64_t old = i & 1 ? *q : 3; asm volatile("lock; cmpxchgq %2, %1" : "+a"(old), "+m"(*q) : "r"(w) : "memory"); mix(old); }"#,
    r#"asm volatile("xchgl %0, %1" : "+r"(x), "+m"(*p) : : "memory"); mix(x);"#,
    r#"asm volatile("xchgq %0, %1" : "+r"(w), "+m"(*q) : : "memory"); mix(w);"#,
    r#"asm volatile("xchg %0, %1" : "+r"(x), "+r"(y)); mix(x - y);"#,
    r#"asm volatile("lock; xaddq %0, %1" : "+r"(w), "+m"(*q) : : "memory"); mix(w);"#,
    r#"asm volatile("lock; xaddw %w0, %1" : "+r"(h), "+m"(*s) : : "memory"); mix(h);"#,
    r#"asm volatile("lock; xaddb %b0, %1" : "+q"(b), "+m"(*t) : : "memory"); mix(b);"#,
    r#"asm volatile("lock; incb %0" : "+m"(*t) : : "memory");"#,
    r#"asm volatile("movl %1, %0" : "=r"(x) : "m"(*p) : "memory"); mix(x);"#,
    r#"asm volatile("movl %1, %0" : "=m"(*p) : "r"(x) : "memory");"#,
    r#"asm volatile("movl $77, %0" : "=m"(*p) : : "memory");"#,
    r#"asm volatile("movq (%1), %0" : "=r"(w) : "r"(q) : "memory"); mix(w);"#,
    r#"asm volatile("lock; btsl %2, %0; setc %1" : "+m"(*p), "=q"(c) : "r"(x & 31) : "memory"); mix(c);"#,
    r#"asm volatile("lock; btrl %2, %0; sbbl %1, %1" : "+m"(*p), "=r"(y) : "I"(5) : "memory"); mix(y);"#,
    r#"asm volatile("lock; btcq %2, %0; setc %1" : "+m"(array[0]), "=q"(c) : "r"((long)(x & 127)) : "memory"); mix(c);"#,
    r#"asm("btl %2, %1; setc %0" : "=q"(c) : "r"(x), "r"(y & 31)); mix(c);"#,
    r#"asm("cmpl %2, %1; setg %0" : "=q"(c) : "r"(x), "r"(y)); mix(c);"#,
    r#"asm("cmpl %2, %1; setbe %0" : "=q"(c) : "r"(x), "r"(y)); mix(c);"#,
    r#"asm("testl %1, %1; setns %0" : "=q"(c) : "r"(x)); mix(c);"#,
    r#"asm("addl %1, %0" : "+r"(x) : "r"(y)); mix(x);"#,
    r#"asm("negl %0; setc %1" : "+r"(x), "=q"(c)); mix(x + c);"#,
    r#"asm("notl %0" : "+r"(x)); mix(x);"#,
    r#"asm("bswap %0" : "+r"(w)); mix(w);"#,
    r#"asm("bsrq %2, %0; setz %1" : "=r"(w), "=q"(c) : "r"(*q | 1)); mix(w); mix(c);"#,
    r#"asm("bsfl %1, %0" : "+r"(x) : "r"(i & 1 ? y : 0)); mix(x);"#,
    r#"{ unsigned long n = 7; asm("bsr %2, %0; setnz %1" : "+r"(n), "=q"(c) : "rm"(i & 1 ? w : 0)); mix(n + c); }"#,
    r#"{ unsigned lo = i & 1 ? (unsigned)*q : x, hi = *q >> 32; asm volatile("lock; cmpxchg8b %1; setz %2" : "+a"(lo), "+m"(*q), "=q"(c), "+d"(hi) : "b"(x), "c"(y) : "memory"); mix(lo ^ hi); mix(c); }"#,
    r#"{ uint64_t lo = i & 1 ? q[0] : w, hi = q[1]; asm volatile("lock; cmpxchg16b %1; setz %2" : "+a"(lo), "+m"(*(u128 *)q), "=q"(c), "+d"(hi) : "b"(w), "c"((uint64_t)x << 32 | y) : "memory"); mix(lo ^ hi); mix(c); }"#,
    r#"{ uint64_t lo = q[0], hi = q[1] ^ (i >> 1 & 1); _Bool z; asm volatile("lock cmpxchg16b %1" : "+a"(lo), "+m"(*(u128 *)q), "+d"(hi), "=@ccz"(z) : "b"(w), "c"(word()) : "memory"); mix(lo); mix(hi + z); mix(q[1]); }"#,
    r#"asm volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc"); asm volatile("mfence" ::: "memory"); asm volatile("pause");"#,
    r#"{ void *v = p; asm("" : "+r"(v)); mix(v == p); unsigned z; asm volatile("" : "=r"(z) : "0"(x)); mix(z); }"#,
];

#[test]
fn inline_assembly_computes_what_it_computes_natively() {
    let body: String = ASSEMBLY.iter().map(|line| format!("    {line}\n    mix(*p); mix(array[1]);\n")).collect();
    let text = format!(
        "{RANDOM}
static _Alignas(16) uint64_t array[2];
int main(void) {{
  for (int i = 0; i < 150; i++) {{
    array[0] = word(); array[1] = word();
    uint64_t *q = &array[0]; unsigned *p = (unsigned *)&array[0]; uint16_t *s = (uint16_t *)q; uint8_t *t = (uint8_t *)q;
    unsigned x = word(), y = word(); uint64_t w = word(); uint16_t h = word(); uint8_t b = word(), c = 0;
{body}  }}
  return 0;
}}"
    );
    same("assembly", &text, "gcc");
}

#[test]
fn inline_assembly_that_is_not_known_is_refused_where_it_is_reached() {
    for (template, part) in [
        ("\"rdtscp\" : \"=a\"(x) : : \"ecx\", \"edx\"", "the inline assembly `rdtscp`"),
        ("\"cpuid\" : \"+a\"(x) : : \"ebx\", \"ecx\", \"edx\"", "the inline assembly `cpuid`"),
        ("\"nop; jmp 1f; 1:\" : \"+r\"(x)", "`jmp 1f` is not understood"),
        ("\"cmpxchgl %1, %0\" : \"+m\"(m) : \"r\"(x), \"a\"(1)", "the inline assembly `cmpxchgl $1, $0`"),
        ("\"movl %%fs:0, %0\" : \"=r\"(x)", "movl %fs:0, $0"),
    ] {
        let text =
            format!("long result; unsigned m;\nint main(void) {{ unsigned x = 0;\n asm volatile({template});\n}}");
        let program = compiled("assembly-refused", &text);
        match Run::of(&program).1 {
            Ending::Failed(Failure::Unsupported { construct }, span) => {
                let construct = &program.constructs[construct as usize];
                assert!(span.line == 3 && construct.contains(part), "{construct}");
            }
            other => panic!("{template}: {other:?}"),
        }
    }
}

#[test]
fn a_goto_to_the_address_of_a_label_goes_there() {
    let interpreter = "
static uint64_t interpreted(const uint8_t *code) {
  static void *const operations[] = {&&halt, &&add, &&twice, &&less};
  static const int offsets[] = {&&halt - &&halt, &&add - &&halt, &&twice - &&halt, &&less - &&halt};
  uint64_t value = 1;
#define NEXT if (*code & 1) goto *operations[*code++ & 3]; else goto *(&&halt + offsets[*code++ & 3])
  NEXT;
add: value += *code; NEXT;
twice: value *= 2; NEXT;
less: { void *next = value & 8 ? &&twice : &&add; value -= 3; goto *next; }
halt: return value;
}
static void *label(int i) { if (i) return &&one; return &&two; one: two: return 0; }
int main(void) {
  for (int i = 0; i < 40; i++) {
    uint8_t code[20];
    for (int j = 0; j < 19; j++) code[j] = word() % 3 + 1;
    code[19] = code[18] = 0;
    mix(interpreted(code));
  }
  mix(label(0) != 0);
  return 0;
}";
    same("labels", &format!("{RANDOM}{interpreter}"), "gcc");
}

#[test]
fn a_goto_to_no_label_is_refused() {
    let text = "int main(void) { void *to = &&here; to = (char *)to + 1; goto *to; here: return 0; }";
    let (_, ending) = Run::of(&compiled("no-label", text));
    assert!(matches!(ending, Ending::Failed(Failure::Unsupported { .. }, _)), "{ending:?}");
}

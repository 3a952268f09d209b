//! What random programs are made of besides expressions: types, functions, and statements that use one feature each.
//! None of it is undefined behaviour, whatever values the variables have.

/// What a program defines: it gets these names with a suffix when several programs are compiled as one.
pub const NAMES: [&str; 23] = [
    "result",
    "mix",
    "global_struct",
    "global_union",
    "counter",
    "table",
    "pointers",
    "main",
    "global_tight",
    "tights",
    "global_fields",
    "global_pun",
    "buffer",
    "own",
    "told",
    "shared_atomic",
    "constants",
    "sum",
    "depth",
    "made",
    "taken",
    "sign",
    "apply",
];

pub const PRELUDE: &str = "#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef long i64; typedef unsigned long u64;
u64 result = 7;
static void mix(u64 v) { result = (result ^ v) * 1099511628211UL + (result >> 29); }
struct inner { u8 a; i32 b; };
struct outer { i16 x; struct inner in[3]; u64 y; u32 f : 5; i32 g : 11; i64 z; };
struct __attribute__((packed)) tight { u8 a; i32 b; i16 c; i64 d; u32 e : 7; i32 f : 19; float g; };
struct fields { u8 a; i32 b : 20; i32 c : 5; u64 d : 40; i8 e; u16 f : 3; u16 : 0; _Bool g : 1; i64 h : 33; };
struct pair { double x; i32 y; };
union either { u64 whole; u8 bytes[8]; u32 halves[2]; };
union pun { struct tight tight; u8 bytes[32]; u32 words[8]; float single; double real; };
static struct outer global_struct = { -3, { { 1, -2 }, { 3, 4 }, { 5, 6 } }, 99, 17, -5, 8 };
static union either global_union = { 0x1122334455667788UL };
static struct tight global_tight = { 1, -2, 3, -4, 5, -6, 1.5f }, tights[3] = { { 7 }, { .d = -8 }, { .f = 9 } };
static struct fields global_fields = { 1, -2, 3, 4, -5, 6, 1, -7 };
static union pun global_pun = { .words = { 1, 2, 3, 4 } };
static _Alignas(64) u8 buffer[64] = \"the quick brown fox jumps over the lazy dog\";
static _Thread_local i32 own = 3;
static i32 *told;
static _Atomic i32 shared_atomic = 5;
static const i16 constants[4] = { 1, -300, 7, 30000 };
static i32 counter;
static i32 sign(i64 v) { return v < 0 ? -1 : v > 0; }
static i64 sum(i32 n, ...) {
  va_list rest, again; i64 all = 0; va_start(rest, n); va_copy(again, rest);
  for (i32 i = 0; i < n; i++) { all += va_arg(rest, i32); all += (i64)(va_arg(rest, double) * 4); all -= va_arg(rest, i64); }
  for (i32 i = 0; i < n; i++) { all ^= va_arg(again, i32); (void)va_arg(again, double); all ^= va_arg(again, i64); }
  va_end(rest); va_end(again); return all;
}
static u32 depth(u32 n, u32 m) { return n == 0 ? m + 1 : m == 0 ? depth(n - 1, 1) : depth(n - 1, depth(n, m - 1)); }
static struct tight made(i32 v) { struct tight t = { .a = (u8)v, .b = v, .d = (i64)v << 31, .f = v & 0xff }; return t; }
static i64 taken(struct tight t, struct fields f, struct pair p) {
  t.b ^= 77; f.b = t.b; p.y += f.c; return t.b + t.d + t.f + f.b + f.h + (i64)p.x + p.y;
}
static i64 apply(i64 (*f)(struct tight, struct fields, struct pair), i32 v) {
  return f(made(v), global_fields, (struct pair){ v / 2.0, v });
}
";

/// What can be assigned and read: the text, its bits, and whether it is signed.
pub const VARIABLES: [(&str, u32, bool); 28] = [
    ("global_struct.x", 16, true),
    ("global_struct.in[1].a", 8, false),
    ("global_struct.in[2].b", 32, true),
    ("global_struct.y", 64, false),
    ("global_union.whole", 64, false),
    ("global_union.bytes[3]", 8, false),
    ("global_union.halves[1]", 32, false),
    ("global_tight.a", 8, false),
    ("global_tight.b", 32, true),
    ("global_tight.c", 16, true),
    ("global_tight.d", 64, true),
    ("global_tight.e", 32, false),
    ("global_tight.f", 32, true),
    ("tights[^].b", 32, true),
    ("tights[^].d", 64, true),
    ("tights[^].f", 32, true),
    ("global_fields.b", 32, true),
    ("global_fields.c", 32, true),
    ("global_fields.d", 64, false),
    ("global_fields.e", 8, true),
    ("global_fields.f", 16, false),
    ("global_fields.h", 64, true),
    ("global_pun.bytes[%]", 8, false),
    ("global_pun.words[%]", 32, false),
    ("global_pun.tight.d", 64, true),
    ("global_pun.tight.f", 32, true),
    ("buffer[%]", 8, false),
    ("own", 32, true),
];

/// Statements of a function that has the locals `d`, `s`, `local`, `to`, `array`, `p` and `u`.
pub const OPERATIONS: [&str; 55] = [
    "d = d * 1.25 + (double)counter; if (d > 1e6) d = 3.0;",
    "s = s * 0.5f + (float)(i32)(counter & 255);",
    "local.f = local.f + 7; local.g = (i32)((u32)local.g * 3u) % 1000;",
    "memcpy(&local.in[0], &local.in[2], sizeof local.in[0]);",
    "p = &array[(p - array + 3) & 7];",
    "global_struct = local; to = to == &local ? &global_struct : &local;",
    "u.bytes[5] = (u8)counter; u.halves[0] += 77u;",
    "memset(&local.in[1], counter & 1 ? 255 : 0, sizeof local.in[1]);",
    "d = (double)(i64)(u32)(counter * 7) / 3.0; mix(d < s ? 1 : d == s ? 2 : 3);",
    // Packed structs and bit fields.
    "tights[counter % 3] = global_tight; tights[1].d = (i64)((u64)tights[1].d + tights[2].b);",
    "{ struct tight t = tights[counter & 1]; t.f = t.f * 3 % 1000; global_tight = t; }",
    "{ struct tight *t = &tights[counter % 3]; t->e++; t->c = (i16)(t->c ^ counter); mix((u64)t->d + t->e); }",
    "memcpy(&global_tight.d, &tights[1].b, sizeof(i32)); mix((u64)global_tight.d);",
    "global_fields.b = counter * 5 - 70000; global_fields.d += 1UL << 39; global_fields.g = counter & 2;",
    "{ struct fields f = global_fields; f.h = -f.h; f.c++; global_fields = f; mix((u64)f.h + f.c + f.f); }",
    "{ i32 *middle = &tights[0].b; memmove(tights[0].a ? (void *)middle : (void *)buffer, buffer + 3, 4); }",
    // Unions, and what one member leaves in another.
    "global_pun.single = (float)(counter & 1023); mix(global_pun.words[0]);",
    "global_pun.real = (double)counter / 7; mix(global_pun.words[1] ^ global_pun.bytes[2]);",
    "global_pun.tight = global_tight; mix(global_pun.words[2]); mix((u64)global_pun.tight.c);",
    "{ union either e = { 0 }; e.halves[counter & 1] = (u32)counter; mix(e.whole); u = e; }",
    // Bytes and strings. The buffer holds a string that ends by the byte 40.
    "memmove(buffer + (counter & 7), buffer + (counter >> 3 & 7), counter & 31);",
    "memcpy(buffer + 32, buffer + (counter & 15), 8 + (counter >> 4 & 7)); buffer[40] = 0;",
    "buffer[40] = 0; mix(strlen((char *)buffer + (counter & 31)));",
    "buffer[40] = 0; strcpy((char *)buffer + 44, (char *)buffer + 32); mix(strlen((char *)buffer + 44));",
    "buffer[40] = 0; strncpy((char *)buffer + 42, (char *)buffer + (counter & 31), counter & 15);",
    "buffer[40] = 0; buffer[20] = 0; strcat((char *)buffer, (char *)buffer + 36); buffer[63] = 0;",
    "buffer[40] = 0; buffer[20] = 0; strncat((char *)buffer, (char *)buffer + 30, counter & 7);",
    "buffer[40] = 0; { char *c = strchr((char *)buffer, 'a' + counter % 26); mix(c ? c - (char *)buffer : 99); }",
    "buffer[40] = 0; { char *c = strrchr((char *)buffer, 'a' + counter % 26); mix(c ? c - (char *)buffer : 99); }",
    "{ u8 *c = memchr(buffer, counter & 127, 48); mix(c ? c - buffer : 99); }",
    "buffer[40] = 0; { char *c = strstr((char *)buffer, counter & 1 ? \"o\" : \"row\"); mix(c ? c - (char *)buffer : 99); }",
    "mix((u64)sign(memcmp(buffer + (counter & 7), buffer + 9, counter & 31)));",
    "buffer[40] = 0; mix((u64)sign(strcmp((char *)buffer, (char *)buffer + (counter & 15))));",
    "buffer[40] = 0; mix((u64)sign(strncmp((char *)buffer + 3, \"quick\", counter & 7)));",
    // The heap.
    "{ u16 *h = malloc(6); h[0] = 1; h[2] = (u16)counter; h = realloc(h, 6 + (counter & 15) * 2); mix(h[0] + h[2]); free(h); }",
    "{ u64 *h = calloc(3, 8); h[1] = counter; h = realloc(h, 16); mix(h[0] + h[1]); h = realloc(h, 400); mix(h[1]); free(h); }",
    "{ struct tight *h = aligned_alloc(64, 64); h[0] = h[1] = global_tight; mix((u64)h[1].d + (u64)h % 64); free(h); }",
    // Functions: variable arguments, recursion, structs as arguments and results, pointers to functions.
    "mix((u64)sum(2, counter, 2.5, -7L, (i32)own, (double)s, (i64)counter << 33));",
    "mix(depth(2, (u32)counter & 3));",
    "global_tight = made(counter); mix((u64)taken(global_tight, global_fields, (struct pair){ s, counter }));",
    "mix((u64)apply(taken, counter & 0xfff));",
    // Edges of integers.
    "mix((u64)(INT_MIN / ((counter & 7) + 2)) + (u64)(INT_MIN % -2 + INT_MAX % -7));",
    "{ i8 a = -128, b = -1; i16 c = -32768; mix((u64)(a / b) + (u64)(c / b) + (u64)(c % b)); }",
    "mix((u64)(LONG_MIN / ((counter & 3) + 2)) ^ (u64)(LONG_MIN % ((counter & 3) + 3)));",
    "mix((u64)(-1L >> (counter & 63)) + ((u64)counter << (counter & 63)) + ((u32)counter >> (counter & 31)));",
    "{ i32 over; u8 small; mix(__builtin_add_overflow(INT_MAX - 2, counter & 7, &over)); mix((u64)over);
      mix(__builtin_mul_overflow(counter, 3, &small)); mix(small); }",
    "mix(__builtin_popcountl((u64)counter * 77) + __builtin_ctz(counter | 64) + __builtin_clzl((u64)counter | 1));",
    "mix(__builtin_bswap32((u32)counter) ^ __builtin_bswap64((u64)counter) ^ __builtin_bswap16((u16)counter));",
    // Floats.
    "mix((u64)(u8)(float)(counter & 255) + (u64)(i64)-2.75 + (u64)(float)16777217);",
    "{ double nan = __builtin_nan(\"\"), inf = __builtin_inf(); mix((nan == nan) + 2 * (nan < d) + 4 * (inf > d) + 8 * !(nan >= d)); }",
    // Others.
    "told = &own; *told = (i32)((u32)own + 15u); mix((u64)own);",
    "shared_atomic += 3; mix((u64)atomic_fetch_xor(&shared_atomic, counter)); { i32 e = counter; mix(atomic_compare_exchange_strong(&shared_atomic, &e, 9)); mix((u64)e); }",
    "mix((u64)constants[counter & 3] + (u64)buffer % 64);",
    "{ i32 n = (counter & 7) + 1; u32 v[n]; for (i32 i = 0; i < n; i++) v[i] = (u32)(i * counter); mix(v[n - 1] + sizeof v); }",
    "switch ((i64)counter << 30) { case 0: mix(1); break; case 1L << 30: mix(2); case 2L << 30 ... 9L << 30: mix(3); break; case -5: mix(4); }",
];

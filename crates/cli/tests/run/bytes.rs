//! Functions of the C library touch the bytes that they must, and no others.

use std::fs;
use std::path::PathBuf;

use crate::support::{build, clang, directory, run, text};

/// Each races with a thread that writes to `text[1]`.
const TOUCH: &[&str] = &[
    "memcpy(other, text, 4)",
    "memset(text, 0, 4)",
    "memcmp(text, other, 4)",
    "memchr(text, 'x', 4)",
    "strlen(text)",
    "strnlen(text, 4)",
    "strcmp(text, other)",
    "strncmp(text, other, 3)",
    "strchr(text, 'x')",
    "strrchr(text, 't')",
    "strstr(text, \"x\")",
    "strcpy(text, other)",
    "strcpy(other, text)",
    "stpcpy(other, text)",
    "strncpy(text, other, 10)",
    "strcat(other, text)",
    "strncat(other, text, 3)",
    "strdup(text)",
    "strndup(text, 3)",
    "read(from, text, 4)",
    "pread(from, text, 4, 0)",
    "readv(from, &part, 1)",
    "recv(pair[0], text, 4, 0)",
    "recvfrom(pair[0], text, 4, 0, NULL, NULL)",
    "recvmsg(pair[0], &message, 0)",
    "write(to, text, 4)",
    "pwrite(to, text, 4, 0)",
    "writev(to, &part, 1)",
    "send(pair[0], text, 4, 0)",
    "sendto(pair[0], text, 4, 0, NULL, 0)",
    "sendmsg(pair[0], &message, 0)",
    "fread(text, 1, 4, file)",
    "fwrite(text, 1, 4, sink)",
    "printf(\"%s\", text)",
    "fprintf(sink, text)",
    "fprintf(sink, \"%d%% %-5.2s\", 1, text)",
    "fprintf(sink, \"%d %d %d %d %d %hhd %s\", 1, 2, 3, 4, 5, 6, text)",
    "fprintf(sink, \"%f %Lf %*.*e %s\", 1.0, 2.0L, 9, 3, 4.0, text)",
    "fprintf(sink, \"%g %g %g %g %g %g %g %g %g %s\", 1., 2., 3., 4., 5., 6., 7., 8., 9., text)",
    "fprintf(sink, \"%d%n\", 1, (int *)text)",
    "dprintf(to, \"%p %s\", other, text)",
    "snprintf(other, 2, \"%s\", text)",
    "snprintf(text, 4, \"%d\", 1234)",
    "sprintf(text, \"%c%c\", 'a', 'b')",
    "asprintf((char **)text, \"%d\", 1)",
    "vprinted(\"%d %s\", 1, text)",
    "puts(text)",
    "fputs(text, sink)",
    "fgets(text, 4, lines)",
    "getline((char **)text, &number, lines)",
    "sscanf(\"12 ab\", \"%d %s\", (int *)&number, text)",
    "sscanf(\"abcd\", \"%4c\", text)",
    "sscanf(\"a]c\", \"%*[^]]%[]c]\", text)",
    "sscanf(\"1\", \"%hd\", (short *)text)",
    "sscanf(\"1 2\", \"%d%n%d\", (int *)&number, (int *)text, (int *)&number)",
    "fscanf(lines, \"%3s\", text)",
    "__memcpy_chk(text, other, 4, 64)",
    "__memset_chk(text, 0, 4, 64)",
    "__strcpy_chk(other, text, 64)",
    "__strncat_chk(other, text, 3, 64)",
    "__read_chk(from, text, 4, 64)",
    "__fread_chk(text, 64, 1, 4, file)",
    "__fgets_chk(text, 64, 4, lines)",
    "__sprintf_chk(text, 1, 64, \"%d\", 1234)",
    "__snprintf_chk(other, 4, 1, 64, \"%d %s\", 1, text)",
    "__fprintf_chk(sink, 1, \"%s\", text)",
];

/// These need not look at `text[1]`.
const LEAVE_ALONE: &[&str] = &[
    "memcmp(text, \"xext\", 4)",
    "memchr(text, 't', 4)",
    "strcmp(text, \"x\")",
    "strncmp(text, other, 1)",
    "strchr(text, 't')",
    "strstr(text, \"t\")",
    "strnlen(text, 1)",
    "strncpy(text, other, 1)",
    "write(to, text, 1)",
    "read(from, text, 1)",
    "fprintf(sink, \"%.1s %p\", text, text)",
    "snprintf(text, 1, \"%d\", 1234)",
    "sscanf(\"1 x\", \"%d%d%s\", (int *)&number, (int *)&number, text)",
    "sscanf(\"1 x\", \"%d%n\", (int *)&number, (int *)text)",
    "sscanf(\"ab\", \"%*s%s\", text)",
    "sscanf(\"ab\", \"%c\", text)",
];

/// What a compiler calls with `_FORTIFY_SOURCE`, and no header declares.
const FORTIFIED: &str = r#"
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
ssize_t __read_chk(int, void *, size_t, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
"#;

fn source() -> String {
    let mut cases = String::new();
    for (number, call) in TOUCH.iter().chain(LEAVE_ALONE).enumerate() {
        cases += &format!("  case {number}: kept = (void *)(long){call}; break;\n");
    }
    format!(
        r#"#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
{FORTIFIED}static _Alignas(8) char text[64] = "text", other[64] = "text";
static int which, from, to, pair[2];
static size_t number;
static FILE *file, *sink, *lines;
static struct iovec part = {{text, 4}};
static struct msghdr message = {{.msg_iov = &part, .msg_iovlen = 1}};
static void *volatile kept;
static int vprinted(const char *format, ...) {{
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(sink, format, arguments);
  va_end(arguments);
  return result;
}}
static void *writer(void *unused) {{ text[1] = 'e'; return unused; }}
static void *user(void *unused) {{
  switch (which) {{
{cases}  }}
  return unused;
}}
int main(int count, char **arguments) {{
  which = atoi(getenv("WHICH"));
  from = open("/dev/zero", O_RDONLY);
  to = open("/dev/null", O_WRONLY);
  file = fdopen(dup(from), "r");
  sink = fdopen(dup(to), "w");
  lines = fmemopen("line\\n", 5, "r");
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  send(pair[1], "text", 4, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}}
"#
    )
}

fn program(compiler: &str) -> PathBuf {
    let here = directory("bytes");
    let source_file = here.join("bytes.c");
    fs::write(&source_file, source()).unwrap();
    let program = here.join(format!("bytes-{compiler}"));
    build(&source_file, &program, compiler, &["-fno-builtin".to_owned()]);
    program
}

#[test]
fn functions_of_the_c_library_touch_the_bytes_that_they_must_and_no_others() {
    let compilers: Vec<&str> = ["gcc"].into_iter().chain(clang()).collect();
    for (i, compiler) in compilers.iter().enumerate() {
        let program = program(compiler);
        for (number, call) in TOUCH.iter().chain(LEAVE_ALONE).enumerate() {
            // One compiler goes through all of them.
            if i > 0 && number % 5 != 0 {
                continue;
            }
            let options = "robustness=0:schedule=random";
            let output = std::process::Command::new(&program)
                .env("WHICH", number.to_string())
                .env("FENCEPOST_OPTIONS", options)
                .output()
                .unwrap();
            let expected = if number < TOUCH.len() { 66 } else { 0 };
            assert_eq!(output.status.code(), Some(expected), "{call} by {compiler}: {}", text(&output));
            if expected == 66 {
                assert!(text(&output).contains(" user "), "{call} by {compiler}: {}", text(&output));
            }
        }
    }
}

/// Two words that are also accessed as one, with data published through each of them.
const MIXED: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static union { _Atomic unsigned long both; _Atomic unsigned half[2]; } word;
static int first, second, third;
static void *one(void *unused) {
  first = 1;
  atomic_store_explicit(&word.half[0], 1, memory_order_release);
  while (atomic_load_explicit(&word.half[1], memory_order_acquire) != 2);
  third = second + 1;
  atomic_fetch_add_explicit(&word.both, 1, memory_order_acq_rel);
  return unused;
}
static void *two(void *unused) {
  while ((atomic_load_explicit(&word.both, memory_order_acquire) & 0xffffffff) != 1);
  second = first + 1;
  atomic_store_explicit(&word.half[1], 2, memory_order_release);
  return unused;
}
static void *three(void *unused) {
  while (atomic_load_explicit(&word.both, memory_order_acquire) != 0x200000002);
  printf("%d %d %d\n", first, second, third);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_create(&threads[2], 0, three, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
"#;

/// A relaxed store to one half must not hide what was released to the other, although both were accessed as one before.
const HALVES: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static union { _Atomic unsigned long both; _Atomic unsigned half[2]; } word;
static atomic_int turn;
static int data;
static void wait(int number) { while (atomic_load_explicit(&turn, memory_order_relaxed) != number); }
static void *one(void *unused) {
  data = 1;
  atomic_store_explicit(&word.half[0], 1, memory_order_release);
  atomic_store_explicit(&turn, 1, memory_order_relaxed);
  return unused;
}
static void *two(void *unused) {
  wait(1);
  atomic_store_explicit(&word.half[1], 5, memory_order_relaxed);
  atomic_store_explicit(&turn, 2, memory_order_relaxed);
  return unused;
}
static void *three(void *unused) {
  wait(2);
  while (atomic_load_explicit(&word.half[0], memory_order_acquire) != 1);
  printf("1 2 %d\n", data + 2);
  return unused;
}
int main(void) {
  pthread_t threads[3];
  atomic_load(&word.both);
  atomic_load(&word.half[0]);
  atomic_load(&word.half[1]);
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_create(&threads[2], 0, three, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
"#;

#[test]
fn mixed_sizes_are_noted_once_and_still_order_what_they_order() {
    let here = directory("bytes");
    for (name, source) in [("mixed", MIXED), ("halves", HALVES)] {
        let file = here.join(name).with_extension("c");
        fs::write(&file, source).unwrap();
        for compiler in ["gcc"].into_iter().chain(clang()) {
            let program = here.join(format!("{name}-{compiler}"));
            build(&file, &program, compiler, &[]);
            for seed in 0..10 {
                let output = run(&program, &format!("robustness=0:schedule=random:seed={seed}"));
                let said = text(&output);
                assert_eq!(output.status.code(), Some(0), "{name} by {compiler}, seed {seed}: {said}");
                assert!(said.contains("1 2 3"), "{said}");
                assert_eq!(said.matches("different sizes").count(), 1, "{name} by {compiler}, seed {seed}: {said}");
            }
        }
    }
}

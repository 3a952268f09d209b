//! C programs have the executions of the same program in another language.

use std::fmt::Write;

use fencepost_explore::{Exploration, Options, Watch, count};
use fencepost_frontend::{parse_fp, read};
use fencepost_models::Model;
use fencepost_program::Program;
use fencepost_story::{FindingKind, Outcome, Properties, Reason};
use fencepost_testing::{Source, compiled, is_quick, sample, sources};

fn explored(program: &Program, model: Model, races: bool) -> Exploration {
    let options = Options { properties: Properties { races, ..Properties::ALL }, ..Options::new(model) };
    count(program, &options, &Watch::default()).unwrap()
}

/// A litmus test as a C program: its locations are global variables, its threads are made by `main`.
fn translated(text: &str) -> String {
    let body = &text[text.find('{').expect("initial values")..];
    let end = body.find('}').expect("initial values end");
    let mut values: Vec<(&str, &str)> = Vec::new();
    for assignment in body[1..end].split(';').filter(|a| !a.trim().is_empty()) {
        let (name, value) = assignment.split_once('=').expect("an assignment");
        let name = name.trim().trim_start_matches(['*']);
        values.push((name.split_whitespace().last().expect("a name").trim_matches(['[', ']', '*']), value.trim()));
    }
    let mut globals: Vec<(String, String)> = Vec::new();
    let mut threads = String::new();
    let mut count = 0;
    let mut rest = &body[end + 1..];
    while let Some(start) = rest.find(&format!("P{count}")) {
        let open = rest[start..].find('(').expect("parameters") + start;
        let close = rest[open..].find(')').expect("parameters end") + open;
        writeln!(threads, "static void *P{count}(void *unused) {{").expect("a string");
        for parameter in rest[open + 1..close].split(',') {
            let (ty, name) = parameter.trim().rsplit_once(['*', ' ']).expect("a type and a name");
            let ty = ty.trim().trim_end_matches('*').trim();
            if !globals.iter().any(|(known, _)| known == name) {
                globals.push((name.to_owned(), ty.to_owned()));
            }
            writeln!(threads, "  {ty} *{name} = &global_{name};").expect("a string");
        }
        let brace = rest[close..].find('{').expect("a body") + close;
        let mut depth = 0;
        let length = rest[brace..].bytes().position(|byte| {
            depth += (byte == b'{') as i32 - (byte == b'}') as i32;
            depth == 0
        });
        let after = brace + length.expect("the body ends");
        threads += &rest[brace + 1..after];
        threads += "  return 0;\n}\n";
        rest = &rest[after + 1..];
        count += 1;
    }
    let mut out = String::from("#include <stdatomic.h>\n#include <pthread.h>\n");
    for (name, ty) in &globals {
        let value = values.iter().find(|(known, _)| known == name).map_or("0", |(_, value)| value);
        writeln!(out, "{ty} global_{name} = {value};").expect("a string");
    }
    out += &threads;
    writeln!(out, "int main(void) {{\n  pthread_t t[{count}];").expect("a string");
    for i in 0..count {
        writeln!(out, "  pthread_create(&t[{i}], 0, P{i}, 0);").expect("a string");
    }
    for i in 0..count {
        writeln!(out, "  pthread_join(t[{i}], 0);").expect("a string");
    }
    out + "  return 0;\n}\n"
}

#[test]
fn litmus_tests_have_the_same_executions_in_c() {
    let mut tried = 0;
    for Source { path, text, .. } in sample(sources("litmus", &["litmus"])) {
        // What is not C, and loops that write, which have executions without end.
        if ["READ_ONCE", "->", "while"].iter().any(|word| text.contains(word)) {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().replace(|c: char| !c.is_alphanumeric(), "_");
        let litmus = read(&path).unwrap_or_else(|e| panic!("{e}")).program;
        let c = compiled(&name, &translated(&text));
        tried += 1;
        for model in [Model::Rc11, Model::Sc] {
            let (expected, found) = (explored(&litmus, model, false), explored(&c, model, false));
            assert_eq!(
                (expected.complete, expected.blocked),
                (found.complete, found.blocked),
                "{} under {}: {:?}",
                path.display(),
                model.name(),
                found.verdict.outcome
            );
        }
    }
    assert!(tried >= 40 || is_quick(), "{tried}");
}

#[test]
fn a_mutex_makes_as_many_executions_as_a_blocking_cas() {
    let c = compiled(
        "mutex",
        "#include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static int shared;
        static void *work(void *unused) {
          pthread_mutex_lock(&lock);
          shared++;
          pthread_mutex_unlock(&lock);
          return 0;
        }
        int main(void) {
          pthread_t t[3];
          for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
          for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
          return 0;
        }",
    );
    let fp = parse_fp(
        "mutex",
        "atomic lock; nonatomic shared;
        thread work[3] {
          lock.bcas(0, 1, acq);
          v = shared.load(na);
          shared.store(v + 1, na);
          lock.store(0, rel);
        }",
    );
    let fp = fp.unwrap_or_else(|e| panic!("{e}")).program;
    let (expected, found) = (explored(&fp, Model::Rc11, true), explored(&c, Model::Rc11, true));
    assert_eq!(found.verdict.outcome, Outcome::Holds);
    assert_eq!((found.complete, found.blocked), (expected.complete, expected.blocked));
    assert_eq!(found.complete, 6);
}

#[test]
fn a_race_on_published_memory_is_found_with_its_lines() {
    let text = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; };
static _Atomic(struct node *) head;
static void *reader(void *unused) {
  struct node *n = atomic_load_explicit(&head, memory_order_ORDER);
  return (void *)(long)(n ? n->value : 0);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  atomic_store_explicit(&head, n, memory_order_release);
  pthread_join(t, 0);
  return 0;
}
";
    let broken = explored(&compiled("published", &text.replace("ORDER", "relaxed")), Model::Rc11, true);
    assert_eq!(broken.verdict.outcome, Outcome::Violated);
    let violation = &broken.verdict.violations[0];
    assert_eq!(violation.kind, FindingKind::DataRace);
    let mut lines: Vec<u32> = violation.accesses.iter().map(|access| access.span.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [8, 14]);
    assert!(violation.accesses.iter().any(|access| access.thread == "reader"));
    let repaired = explored(&compiled("acquired", &text.replace("ORDER", "acquire")), Model::Rc11, true);
    assert_eq!((repaired.verdict.outcome, repaired.complete), (Outcome::Holds, 2));
}

#[test]
fn atomic_accesses_that_overlap_in_part_are_not_guessed_at() {
    let text = "#include <stdatomic.h>
        static union { WHOLE whole; HALF half; } both;
        int main(void) {
          both.whole = 1;
          return both.half;
        }";
    let explored = |name, whole, half| {
        explored(&compiled(name, &text.replace("WHOLE", whole).replace("HALF", half)), Model::Rc11, true)
    };
    let found = explored("overlap", "atomic_long", "atomic_int");
    assert!(matches!(found.verdict.outcome, Outcome::Unknown(_)), "{:?}", found.verdict.outcome);
    for (whole, half) in [("long", "int"), ("long", "atomic_int"), ("atomic_long", "int")] {
        let found = explored("no_overlap", whole, half);
        assert_eq!((found.verdict.outcome, found.complete), (Outcome::Holds, 1), "{whole} {half}");
    }
}

#[test]
fn an_unsupported_construct_is_an_error_where_it_is_reached_and_nowhere_else() {
    let text = "int main(int count, char **names) {
  if (count == COUNT)
    __asm__(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");
  return 0;
}
";
    let found = explored(&compiled("not_reached", &text.replace("COUNT", "7")), Model::Rc11, true);
    assert_eq!(found.verdict.outcome, Outcome::Holds);
    let found = explored(&compiled("reached", &text.replace("COUNT", "0")), Model::Rc11, true);
    let Outcome::Unknown(Reason::Unsupported(reason)) = found.verdict.outcome else {
        panic!("{:?}", found.verdict.outcome);
    };
    assert!(reason.contains(".c:3: ") && reason.contains("`cpuid`"), "{reason}");
}

#[test]
fn text_that_is_written_to_memory_is_not_passed_over() {
    let text = "#include <assert.h>
        #include <stdio.h>
        int main(void) {
          char text[8] = \"\";
          snprintf(text, sizeof text, \"%d\", 7);
          assert(text[0] != '7');
        }";
    let found = explored(&compiled("snprintf", text), Model::Rc11, true);
    assert_eq!(found.verdict.outcome, Outcome::Violated);
    assert_eq!(found.verdict.violations[0].kind, FindingKind::Assertion);
}

#[test]
fn exit_ends_the_program_and_nobody_is_told_that_the_thread_has_ended() {
    let c = compiled(
        "exit",
        "#include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        static atomic_int x;
        static void *worker(void *unused) {
          if (atomic_load(&x) == 1) exit(0);
          return 0;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          atomic_store(&x, 1);
          pthread_join(t, 0);
          atomic_store(&x, 2);
          return 0;
        }",
    );
    let found = explored(&c, Model::Rc11, true);
    assert_eq!((found.verdict.outcome, found.complete, found.blocked), (Outcome::Holds, 2, 0));
    let c = compiled(
        "exit_before",
        "#include <assert.h>
        #include <pthread.h>
        #include <stdlib.h>
        static void *worker(void *unused) { exit(0); }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          pthread_join(t, 0);
          assert(0);
        }",
    );
    let found = explored(&c, Model::Rc11, true);
    assert_eq!((found.verdict.outcome, found.complete, found.blocked), (Outcome::Holds, 1, 0));
}

#[test]
fn a_function_takes_its_variable_arguments() {
    let c = compiled(
        "variadic",
        "#include <assert.h>
        #include <stdarg.h>
        #include <stdio.h>
        struct pair { int first; long second; };
        static void say(const char *format, ...) {
          va_list list;
          va_start(list, format);
          vprintf(format, list);
          va_end(list);
        }
        static long sum(int count, va_list list) {
          long sum = 0;
          for (int i = 0; i < count; i++) sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
          return sum;
        }
        static double all(int count, ...) {
          va_list list, again;
          va_start(list, count);
          va_copy(again, list);
          assert(sum(count, list) == sum(count, again));
          double last = va_arg(list, double);
          struct pair pair = va_arg(list, struct pair);
          va_end(list);
          return last + pair.first + pair.second;
        }
        int main(void) {
          struct pair pair = { -5, 1L << 40 };
          say(\"%d\", 1);
          say(\"nothing\");
          assert(all(9, -1, 2L, 3, 4L << 33, 5, 6L, 7, 8L, 9, 0.5, pair) == 0.5 - 5 + (1L << 40));
          return 0;
        }",
    );
    let found = explored(&c, Model::Rc11, true);
    assert_eq!(found.verdict.outcome, Outcome::Holds, "{:?}", found.verdict.violations.first());
}

//! Observational robustness in C: what depends on a stale value and what only hands it on, and what a report shows.

use std::time::Duration;

use fencepost_check::{Model, Options, Properties, check};
use fencepost_frontend::parse_fp;
use fencepost_program::Program;
use fencepost_story::{FindingKind, Outcome, Verdict};
use fencepost_testing::compiled;

fn c(text: &str) -> Program {
    compiled("program", text)
}

fn observed(program: &Program, model: Model) -> Verdict {
    let options = Options { model, observational: true, ..Options::default() };
    check(program, &options, &Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A thread that may read a stale 0 into `b`, and then does something.
fn reader(declarations: &str, does: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n
        #include <string.h>\n#include <limits.h>
        static atomic_int x, y; static atomic_int shared[4]; static int plain;
{declarations}
        static void *writer(void *p) {{
            atomic_store_explicit(&x, 1, memory_order_relaxed);
            atomic_store_explicit(&y, 1, memory_order_relaxed);
            return p;
        }}
        static void *reader(void *p) {{
            while (!atomic_load_explicit(&y, memory_order_relaxed)) {{}}
            int b = atomic_load_explicit(&x, memory_order_relaxed);
            {does}
            return p;
        }}
        int main(void) {{
            pthread_t one, two;
            pthread_create(&one, 0, writer, 0);
            pthread_create(&two, 0, reader, 0);
            pthread_join(one, 0);
            pthread_join(two, 0);
            return 0;
        }}"
    )
}

#[test]
fn in_fp_only_a_divisor_depends_on_a_stale_value() {
    for (does, robust) in [
        ("q = (-9223372036854775807 - 1 + b) / -1;", true),
        ("q = b % -1;", true),
        ("q = 1 << b;", true),
        ("q = -8 >> b;", true),
        ("q = 7 / (b + 1);", false),
        ("q = 7 % (b + 1);", false),
    ] {
        let text = format!(
            "atomic x, y; thread w {{ x.store(1, rlx); y.store(1, rlx); }} thread r {{ \
             wait(y == 1, rlx); b = x.load(rlx); {does} }}"
        );
        let program = parse_fp("test.fp", &text).unwrap_or_else(|e| panic!("{e}")).program;
        let expected = if robust { Outcome::Holds } else { Outcome::Violated };
        assert_eq!(observed(&program, Model::Rc20).outcome, expected, "{does}");
    }
}

#[test]
fn what_can_fail_or_be_seen_depends_on_a_stale_value() {
    let dependent = [
        ("", "volatile int q = 1 / b;"),
        ("", "volatile unsigned q = 7u / (unsigned)b;"),
        ("", "int q = 7 % b; (void)q;"),
        ("static void put(int *to, int v) { *to = v; }", "int q; put(&q, 1 << b);"),
        // What nobody reads is computed all the same.
        ("", "int q = 1 << b; (void)q;"),
        ("", "unsigned q = 8u >> b; (void)q;"),
        ("", "int q = -8 >> b; (void)q;"),
        ("", "int d = -p_is_null(p); int q = b / d; (void)q;"),
        ("", "shared[b] = 1;"),
        ("", "int local[2] = { 1, 2 }; int q = local[b]; (void)q;"),
        ("", "void *q = malloc(b); (void)q;"),
        ("", "int array[b + 1]; array[0] = 1;"),
        ("", "exit(b);"),
        ("", "printf(\"%d\\n\", b);"),
        ("", "char text[4] = \"abc\"; text[0] = b; printf(\"%s\\n\", text);"),
        ("", "putchar(b);"),
        ("static const char *format = \"%d\\n\";", "printf(format, b);"),
        (
            "#include <stdarg.h>\nstatic void show(const char *f, ...) { va_list a; va_start(a, f); vprintf(f, a); va_end(a); }",
            "show(\"%d %s\\n\", b, \"\");",
        ),
        ("", "if (b) plain = 1;"),
        ("", "switch (b) { case 0: plain = 1; break; case 1: plain = 2; break; case 2: plain = 3; }"),
        ("", "assert(b);"),
        ("", "atomic_store_explicit(&shared[0], b, memory_order_relaxed);"),
        ("", "atomic_fetch_add_explicit(&shared[0], b, memory_order_relaxed);"),
        ("", "plain = b;"),
        ("", "int expected = b; atomic_compare_exchange_strong(&shared[0], &expected, 1);"),
        ("", "return (void *)(long)b;"),
        ("", "pthread_exit((void *)(long)b);"),
        ("static void *other(void *p) { return p; }", "pthread_t t; pthread_create(&t, 0, other, (void *)(long)b);"),
        ("", "static void *cells[2]; void *q = cells[0]; q = (char *)q + b - b; free(q);"),
        (
            "static int f(void) { return 1; } static int g(void) { return 2; }",
            "int (*call)(void) = f; int (*both[2])(void) = { f, g }; memcpy(&call, &both[0], 8 * (b + 1) / (b + 1)); call();",
        ),
        // Taint goes through memory, calls and structs.
        ("static int id(int v) { return v; }", "int q = 1 / id(b); (void)q;"),
        (
            "struct pair { int a, b; }; static struct pair make(int v) { struct pair p = { 1, v }; return p; }",
            "struct pair q = make(b); int r = 3 % q.b; (void)r;",
        ),
        ("static void put(int *to, int v) { *to = v; }", "int q; put(&q, b); int r = 3 / q; (void)r;"),
        ("", "int from[3] = { b, b, b }, to[3]; memcpy(to, from, sizeof to); int r = 3 / to[2]; (void)r;"),
        ("static _Thread_local int mine;", "mine = b; int r = 3 / mine; (void)r;"),
    ];
    for (declarations, does) in dependent {
        let declarations = format!("{declarations} static int p_is_null(void *p) {{ return p == 0; }}");
        let verdict = observed(&c(&reader(&declarations, does)), Model::Rc11);
        assert_eq!(verdict.outcome, Outcome::Violated, "{does}");
        assert_eq!(
            verdict.violations[0].kind,
            FindingKind::StaleDependency,
            "{does}: {}",
            verdict.violations[0].message
        );
    }
}

#[test]
fn what_a_thread_keeps_to_itself_depends_on_nothing() {
    let silent = [
        ("", ""),
        ("", "int q = b / 2 + b % 3 - (b << 1) * ~b; (void)q;"),
        ("", "double q = 1.0 / b; (void)q;"),
        ("", "int q = plain ? b : 1; (void)q;"),
        ("", "int d = 2; d += p == 0; int q = b / d; (void)q;"),
        ("static void put(int *to, int v) { *to = v; }", "int q; put(&q, b);"),
        (
            "static void put(int *to, int v) { *to = v; }",
            "int q[2]; put(&q[1], b); q[1] = 1; int r = 3 / q[1]; (void)r;",
        ),
        ("", "int pair[2] = { b, 1 }; int r = 3 / pair[1]; (void)r;"),
        ("", "int from[3] = { b, b, 1 }, to[3]; memcpy(to, from, sizeof to); int r = 3 / to[2]; (void)r;"),
        (
            "struct pair { long a; int b; }; static struct pair make(int v) { struct pair p = { 1, v }; return p; }",
            "struct pair q = make(b); int r = 3 % q.a; (void)r;",
        ),
        ("static _Thread_local int mine;", "mine = b; mine = 1; int r = 3 / mine; (void)r;"),
        ("", "b = 1; printf(\"%d\\n\", b); exit(b);"),
    ];
    for (declarations, does) in silent {
        for model in [Model::Rc11, Model::Rc20] {
            let verdict = observed(&c(&reader(declarations, does)), model);
            let found = verdict.violations.first().map(|violation| violation.message.clone());
            assert_eq!((verdict.outcome, found), (Outcome::Holds, None), "{does}");
        }
    }
}

/// A sequence lock, of which the reader reads both words in some way and then says whether they belong together.
fn sequence_lock(functions: &str, reads: &str, fence: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n
        static atomic_int version, first, second;
        static int load(atomic_int *from) {{ return atomic_load_explicit(from, memory_order_relaxed); }}
        static void *writer(void *p) {{
            for (int i = 1; i <= 2; i++) {{
                atomic_store_explicit(&version, 2 * i - 1, memory_order_relaxed);
                atomic_thread_fence(memory_order_release);
                atomic_store_explicit(&first, i, memory_order_relaxed);
                atomic_store_explicit(&second, i, memory_order_relaxed);
                atomic_store_explicit(&version, 2 * i, memory_order_release);
            }}
            return p;
        }}
        {functions}
        static void *reader(void *p) {{
            int a, b, before;
            do {{
                before = atomic_load_explicit(&version, memory_order_acquire);
                {reads}
                {fence}
            }} while (before & 1 || load(&version) != before);
            assert(a == b);
            return p;
        }}
        int main(void) {{
            pthread_t one, two;
            pthread_create(&one, 0, writer, 0);
            pthread_create(&two, 0, reader, 0);
            pthread_join(one, 0);
            pthread_join(two, 0);
        }}"
    )
}

#[test]
fn a_sequence_lock_holds_however_its_reader_hands_on_what_it_read() {
    let readers = [
        ("", "b = load(&second); a = load(&first);"),
        ("static void both(int *x, int *y) { *y = load(&second); *x = load(&first); }", "both(&a, &b);"),
        (
            "static int both(int *x, int *y) { *y = load(&second); *x = load(&first); return 1; }",
            "assert(both(&a, &b));",
        ),
        (
            "static int *same(int *x) { return x; }",
            "int *to = same(&b); *to = load(&second); *same(&a) = load(&first);",
        ),
        (
            "struct pair { int x, y; }; static void both(struct pair *p) { p->y = load(&second); p->x = load(&first); }",
            "struct pair q; both(&q); a = q.x; b = q.y;",
        ),
        (
            "struct pair { int x, y; };
          static struct pair both(void) { struct pair p; p.y = load(&second); p.x = load(&first); return p; }",
            "struct pair q = both(); a = q.x; b = q.y;",
        ),
        (
            "struct pair { int x, y, z; };
          static struct pair both(void) { struct pair p = { 0 }; p.y = load(&second); p.x = load(&first); return p; }",
            "struct pair q = both(), r; memcpy(&r, &q, sizeof r); a = r.x; b = r.y;",
        ),
    ];
    let fence = "atomic_thread_fence(memory_order_acquire);";
    for (functions, reads) in readers {
        for model in [Model::Rc11, Model::Rc20] {
            let verdict = observed(&c(&sequence_lock(functions, reads, fence)), model);
            let found = verdict.violations.first().map(|violation| violation.message.clone());
            assert_eq!((verdict.outcome, found), (Outcome::Holds, None), "{model}: {reads}");
            // Without the fence, the version may be older than the data.
            let broken = observed(&c(&sequence_lock(functions, reads, "")), model);
            assert_eq!(broken.outcome, Outcome::Violated, "{model}: {reads}");
        }
    }
}

#[test]
fn a_stale_dependency_is_reported_with_line_value_stale_write_cycle_and_fix() {
    let text = "atomic x, y;\nthread w {\n  x.store(5, rlx);\n  x.store(1, rlx);\n  y.store(1, rlx);\n}\n
thread r {\n  wait(y == 1, rlx);\n  b = x.load(rlx);\n  q = 1 / (b - 5);\n}";
    let program = parse_fp("stale.fp", text).expect("a program").program;
    let options = Options {
        model: Model::Rc20,
        observational: true,
        fixes: Some(Duration::from_secs(600)),
        ..Options::default()
    };
    let verdict = check(&program, &options, &Default::default()).expect("a program for RC20");
    let violation = &verdict.violations[0];
    assert_eq!(violation.kind, FindingKind::StaleDependency);
    assert!(violation.confirmed);
    assert_eq!(
        violation.message,
        "the division of r depends on `x.load(rlx)`, which may read the stale value 5, missing `x.store(1, rlx)` of w"
    );
    let places: Vec<(u32, &str)> = violation.accesses.iter().map(|a| (a.span.line, a.role.as_str())).collect();
    let expected =
        [(10, "may read the stale value 5"), (11, "depends on it"), (4, "may be missed"), (3, "may be read instead")];
    assert_eq!(places, expected);
    let stale = violation.trace.last().expect("a run");
    assert_eq!((stale.read, stale.values.as_deref()), (Some(5), Some("reads 5, stale")));
    assert!(violation.explanation.iter().any(|line| line.contains("reads what `x.store(1, rlx)` of w overwrites")));
    let first = violation.fixes[0].sentence();
    assert!(first.contains("stale.fp:5 in w the ordering `rel`"), "{first}");
    assert!(first.contains("stale.fp:9 in r the ordering `acq`"), "{first}");
}

#[test]
fn a_race_that_no_execution_has_is_not_reported_as_a_fact() {
    let properties = Properties { deadlocks: false, ..Properties::default() };
    let race = |wait: &str| {
        let text = format!(
            "nonatomic d; atomic x, y; thread w {{ d.store(1, na); x.store(1, rel); x.store(2, rel); y.store(1, rlx); }}
             thread r {{ {wait} wait(y == 1, rlx); a = x.load(acq); b = d.load(na); }}"
        );
        let program = parse_fp("race.fp", &text).expect("a program").program;
        let options = Options { model: Model::Rc20, observational: true, properties, ..Options::default() };
        let verdict = check(&program, &options, &Default::default()).expect("a program for RC20");
        let violation = verdict.violations.into_iter().next().expect("a violation");
        assert_eq!(violation.kind, FindingKind::DataRace);
        violation
    };
    // The stale read may read 0, and then nothing orders the accesses to d.
    let real = race("");
    assert!(real.confirmed);
    assert!(real.trace.iter().any(|step| step.values.as_deref() == Some("reads 0, stale")), "{:?}", real.trace);
    // It may read 1, which tells of d as 2 does.
    let none = race("wait(x != 0, rlx);");
    assert!(!none.confirmed);
    assert!(none.message.contains("may race"), "{}", none.message);
}

/// `explore` calls it an error, whatever becomes of the value.
#[test]
fn a_stale_read_of_what_nobody_has_written_is_a_violation() {
    let program = c("#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>
        struct node { atomic_int x; };
        static _Atomic(struct node *) published;
        static atomic_int ready;
        static void *writer(void *p) {
            struct node *node = malloc(sizeof *node);
            atomic_store_explicit(&published, node, memory_order_release);
            atomic_store_explicit(&node->x, 1, memory_order_relaxed);
            atomic_store_explicit(&ready, 1, memory_order_relaxed);
            return p;
        }
        static void *reader(void *p) {
            struct node *node;
            while (!(node = atomic_load_explicit(&published, memory_order_acquire))) {}
            while (!atomic_load_explicit(&ready, memory_order_relaxed)) {}
            int b = atomic_load_explicit(&node->x, memory_order_relaxed);
            (void)b;
            return p;
        }
        int main(void) {
            pthread_t one, two;
            pthread_create(&one, 0, writer, 0);
            pthread_create(&two, 0, reader, 0);
            pthread_join(one, 0);
            pthread_join(two, 0);
        }");
    let verdict = observed(&program, Model::Rc11);
    assert_eq!(verdict.outcome, Outcome::Violated);
    let message = &verdict.violations[0].message;
    assert!(message.contains("may read uninitialised memory"), "{message}");
}

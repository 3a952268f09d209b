//! What users see when an `.fp` file is wrong. Each expectation is the rendered text without its first lines' frame.

use fencepost_frontend::parse_fp;

use crate::support::errors::first_error;

fn rendered(text: &str) -> String {
    match parse_fp("test.fp", text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.render(false),
    }
}

/// The whole rendering.
#[track_caller]
fn expect(text: &str, rendering: &str) {
    let lines = |text: &str| text.trim().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let found = rendered(text);
    assert_eq!(lines(&found), lines(rendering), "\n{found}");
}

#[track_caller]
fn first(text: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    first_error(parse_fp, text, message, at, label, help);
}

/// In a thread with `atomic x, a[2]; nonatomic d; const N = 2; fn f(p)`.
#[track_caller]
fn statement(code: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    let text = format!(
        "const N = 2;\natomic x, a[2], turn: bool;\nnonatomic d;\nfn f(p) {{ return p; }}\nthread t {{\n  r = 0;\n  {code}\n}}\n"
    );
    first(&text, message, at, label, help);
}

#[test]
fn an_error_shows_the_line_and_a_caret() {
    expect(
        "atomic turn;\nthread t {\n  turn.store(1, acq);\n}\n",
        "
error: a store cannot be `acq`
 --> test.fp:3:17
  |
3 |   turn.store(1, acq);
  |                 ^^^ expected `rlx`, `rel` or `sc`
",
    );
}

#[test]
fn an_error_shows_the_declaration_that_it_is_about() {
    expect(
        "atomic flag[2];\nthread t {\n  flag.store(1, rel);\n}\n",
        "
error: `flag` is an array of 2 locations
 --> test.fp:3:3
  |
1 | atomic flag[2];
  |        ---- declared here
2 | thread t {
3 |   flag.store(1, rel);
  |   ^^^^ expected `flag[index]`
",
    );
}

#[test]
fn a_missing_semicolon_is_shown_where_it_is_missing() {
    expect(
        "atomic x;\nthread t {\n  x.store(1, rlx)\n  x.store(2, rlx);\n}\n",
        "
error: expected `;`, found `x`
 --> test.fp:3:18
  |
3 |   x.store(1, rlx)
  |                  ^ expected `;`
4 |   x.store(2, rlx);
  |   - found this
",
    );
}

#[test]
fn one_run_reports_several_errors_in_the_order_of_the_text() {
    let found = rendered(
        "atomic x;\nthread t {\n  x.store(1);\n  q = z + 1;\n}\nthread u {\n  y.load(acq);\n  fence(rlx);\n}\n",
    );
    let places: Vec<&str> = found.lines().filter_map(|line| line.trim().strip_prefix("--> ")).collect();
    assert_eq!(places, ["test.fp:3:3", "test.fp:4:7", "test.fp:7:3", "test.fp:8:9"], "\n{found}");
}

#[test]
fn syntax_errors_in_two_statements_are_both_reported() {
    let found = rendered("atomic x;\nthread t {\n  x.store(;\n  r = 1;\n  r = = 2;\n}\nthread u { }\n");
    let messages: Vec<&str> = found.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        messages,
        ["error: expected an expression, found `;`", "error: expected an expression, found `=`"],
        "\n{found}"
    );
}

#[test]
fn misspelt_names_get_a_suggestion() {
    statement("trun.store(1, rel);", "no location `trun`", "trun", "not declared", Some("did you mean `turn`?"));
    statement(
        "x.stor(1, rel);",
        "no access `stor`",
        "stor",
        "not an operation on locations",
        Some("did you mean `store`?"),
    );
    statement("q = M;", "`M` is never assigned", "M", "no register or constant", None);
    statement(
        "reg = 1; q = rge;",
        "`rge` is never assigned",
        "rge",
        "no register or constant",
        Some("did you mean `reg`?"),
    );
    statement("r = g(1);", "no procedure `g`", "g", "not declared", None);
    statement("x.load(acquired);", "`acquired` is not an ordering", "acquired", "expected `rlx`, `acq` or `sc`", None);
    statement(
        "lock: goto lok;",
        "no label `lok`",
        "lok",
        "expected a label of this body",
        Some("did you mean `lock`?"),
    );
    first(
        "thrad t { }",
        "expected a declaration, found `thrad`",
        "thrad",
        "expected a declaration",
        Some("did you mean `thread`?"),
    );
    first("atomic x: bol; thread t { }", "no type `bol`", "bol", "expected a type", Some("did you mean `bool`?"));
}

#[test]
fn orderings_that_do_not_fit_list_those_that_do() {
    statement("x.load(rel);", "a load cannot be `rel`", "rel", "expected `rlx`, `acq` or `sc`", None);
    statement("x.store(1, acqrel);", "a store cannot be `acqrel`", "acqrel", "expected `rlx`, `rel` or `sc`", None);
    statement("wait(x == 1, rel);", "a wait cannot be `rel`", "rel", "expected `rlx`, `acq` or `sc`", None);
    statement("fence(relaxed);", "a fence cannot be `rlx`", "relaxed", "expected `acq`, `rel`, `acqrel` or `sc`", None);
    statement("x.cas(0, 1, sc, rel);", "a failed CAS cannot be `rel`", "rel", "expected `rlx`, `acq` or `sc`", None);
    statement("x.load(1);", "a load needs an ordering here", "1", "expected `rlx`, `acq` or `sc`", None);
    statement("x.load(na);", "`na` on the atomic location `x`", "na", "expected `rlx`, `acq` or `sc`", None);
    statement("d.load(acq);", "a load cannot be `acq`", "acq", "expected `na`", None);
}

#[test]
fn nonatomic_locations_have_only_loads_and_stores() {
    let label = "expected `load` or `store`";
    statement("d.fetch_add(1, rlx);", "`fetch_add` on the nonatomic location `d`", "fetch_add", label, None);
    statement("d.cas(0, 1, sc);", "`cas` on the nonatomic location `d`", "cas", label, None);
    statement("wait(d == 1, acq);", "a wait on the nonatomic location `d`", "d", label, None);
}

#[test]
fn wrong_numbers_of_arguments_show_the_right_ones() {
    statement("x.store(1);", "`store` without an ordering", "x.store(1)", "expected `store(value, ordering)`", None);
    statement("x.load();", "`load` without an ordering", "x.load()", "expected `load(ordering)`", None);
    statement(
        "x.cas(0, 1, sc, sc, sc);",
        "`cas` takes 3 arguments, not 5",
        "x.cas(0, 1, sc, sc, sc)",
        "expected `cas(expected, new, ordering[, failure ordering])`",
        None,
    );
    statement("r = f(1, 2);", "`f` takes 1 argument, not 2", "f(1, 2)", "expected 1 argument", None);
}

#[test]
fn results_that_do_not_exist_cannot_be_assigned() {
    statement("r = x.store(1, rlx);", "`store` has no result", "r", "nothing to assign", None);
    statement("(ok, r) = x.load(rlx);", "`load` has one result", "ok", "only `cas` and `cas_weak` have two", None);
    statement("(r, r) = x.cas(0, 1, sc);", "both results go to `r`", "r", "expected another register, or `_`", None);
    statement("(ok, r) = r + 1;", "this has one result", "ok", "only `cas` and `cas_weak` have two", None);
    statement(
        "r = x.cas_weak(0, 1, sc);",
        "a weak CAS needs two results: the value read does not tell whether it succeeded",
        "r",
        "expected `(ok, r)`",
        None,
    );
}

#[test]
fn locations_registers_and_constants_are_told_apart() {
    statement(
        "q = x + 1;",
        "`x` is a location, not a value",
        "x",
        "not read yet",
        Some("read it into a register first: `r = x.load(ordering);`"),
    );
    statement(
        "x = 1;",
        "`x` is a location, not a register",
        "x",
        "expected the name of a register",
        Some("to write to the location: `x.store(value, ordering);`"),
    );
    statement(
        "a[0] = 1;",
        "a location cannot be assigned to",
        "=",
        "expected `.store(...)`",
        Some("write `a[0].store(value, ordering);`"),
    );
    statement("N = 1;", "`N` is a constant and cannot be assigned to", "N", "expected the name of a register", None);
    statement("r.store(1, rlx);", "`r` is a register, not a location", "r", "expected a location", None);
    statement("q = acq;", "`acq` is an ordering, not a value", "acq", "expected a value", None);
    statement("q = never;", "`never` is never assigned", "never", "no register or constant", None);
}

#[test]
fn accesses_inside_expressions_are_refused() {
    statement(
        "q = x.load(rlx) + 1;",
        "expected `;`, found `+`",
        "+",
        "expected `;`",
        Some("an access or a call is a statement of its own: keep its result in a register first"),
    );
    statement(
        "q = 1 + x.load(rlx);",
        "`x` is accessed inside an expression",
        "x",
        "give this a statement of its own",
        Some("write `r = ...;` first, and use `r` here"),
    );
    statement(
        "if (f(1)) { }",
        "`f` is called inside an expression",
        "f",
        "give this a statement of its own",
        Some("write `r = ...;` first, and use `r` here"),
    );
}

#[test]
fn arrays_need_an_index_inside_their_bounds() {
    statement("a.load(rlx);", "`a` is an array of 2 locations", "a", "expected `a[index]`", None);
    statement("x[0].load(rlx);", "`x` is one location, not an array", "0", "it takes no index", None);
    statement("a[N].load(rlx);", "the index 2 is outside `a`", "N", "expected 0..1", None);
    statement("a[-1].load(rlx);", "the index -1 is outside `a`", "-1", "expected 0..1", None);
}

#[test]
fn jumps_need_somewhere_to_go() {
    statement("break;", "`break` outside a loop", "break", "no loop around this", None);
    statement("continue;", "`continue` outside a loop", "continue", "no loop around this", None);
    statement("l: r = 1; l: r = 2;", "the label `l` stands in two places", "l", "again here", None);
    statement(
        "if (r) l: r = 1;",
        "the label `l` needs a block around it",
        "l",
        "this would be the whole body",
        Some("write `{ ... }` around the body"),
    );
}

#[test]
fn threads_return_nothing_and_procedures_have_no_self() {
    statement("return 1;", "a thread returns no value", "1", "expected `return;`", None);
    first(
        "fn f() { return self; } thread t { f(); }",
        "`self` in a procedure",
        "self",
        "it belongs to a thread",
        Some("give it to the procedure as an argument"),
    );
}

#[test]
fn recursion_is_shown_call_by_call() {
    expect(
        "fn f(a) {\n  g(a);\n}\nfn g(a) {\n  r = f(a);\n}\nthread t {\n  f(1);\n}\n",
        "
error: `f` calls itself
 --> test.fp:2:3
  |
2 |   g(a);
  |   ^^^^ `f` calls `g`
...
5 |   r = f(a);
  |       ---- `g` calls `f`
  |
  = help: calls may not be recursive; use a loop
",
    );
}

#[test]
fn things_are_declared_once() {
    let label = "declared again here";
    first("atomic x; nonatomic x; thread t { }", "`x` is declared twice", "x", label, None);
    first("const x = 1; atomic x; thread t { }", "`x` is declared twice", "x", label, None);
    first("fn f() { } fn f() { } thread t { }", "`f` is declared twice", "f", label, None);
    first("thread t { } thread t { }", "`t` is declared twice", "t", label, None);
    first("fn f(a, a) { } thread t { }", "`a` is declared twice", "a", label, None);
    first("thread t { var r; var r: bool; }", "`r` is declared twice", "r", label, None);
}

#[test]
fn declarations_must_make_sense() {
    first("atomic x[0]; thread t { }", "an array of 0 locations", "0", "expected at least 1", None);
    first(
        "atomic x: 2..1; thread t { }",
        "the range 2..1 is empty",
        "2..1",
        "expected the smaller end first; both ends belong to the range",
        None,
    );
    first(
        "atomic x[2] = {1, 2, 3}; thread t { }",
        "`x` has 2 cells, but 3 initial values",
        "{1, 2, 3}",
        "expected 2 values, or one for all",
        None,
    );
    first("atomic x = {1}; thread t { }", "`x` is not an array", "{1}", "expected one value", None);
    first("thread t[0] { }", "0 threads `t`", "0", "expected at least 1", None);
    first("atomic x[self]; thread t { }", "`self` is not a constant", "self", "expected a constant expression", None);
    first("const N = M; thread t { }", "no constant `M`", "M", "expected a constant declared above", None);
    first("const N = 1 / 0; thread t { }", "division by zero", "1 / 0", "in a constant expression", None);
    first("atomic x;", "the file has no thread", "", "expected `thread name { ... }`", None);
}

#[test]
fn limits_are_named() {
    first(
        "atomic x[5000]; thread t { }",
        "too many locations: at most 4096 in all",
        "5000",
        "this is 5000, and 4096 are left",
        None,
    );
    first(
        "thread t[60] { } thread u[5] { }",
        "too many threads: at most 64 in all",
        "5",
        "this is 5, and 4 are left",
        None,
    );
    let many = (0..2000).map(|i| format!("r{i} = {i}; ")).collect::<String>();
    first(
        &format!("thread t {{ {many} }}"),
        "this is too large",
        "t",
        "at most 65536 instructions and 1024 registers",
        None,
    );
}

#[test]
fn numbers_and_characters_that_are_none() {
    first("const N = 12ab; thread t { }", "this is neither a number nor a name", "12ab", "", None);
    first(
        "const N = 99999999999999999999; thread t { }",
        "this number does not fit in 64 bits",
        "99999999999999999999",
        "",
        None,
    );
    first("atomic é;", "unexpected character 'é'", "é", "not part of the language", None);
    first("atomic x; /* and so on", "this comment does not end", "/*", "expected a `*/` after this", None);
    first("atomic if;", "`if` is a reserved word", "if", "expected a name for the location", None);
}

#[test]
fn colour_is_only_there_when_asked_for() {
    let error = parse_fp("test.fp", "atomic x").map(|_| ()).expect_err("accepted");
    assert!(!error.render(false).contains('\u{1b}'));
    assert!(error.render(true).contains('\u{1b}'));
}

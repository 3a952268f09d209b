//! What `.fp` text becomes.

use fencepost_frontend::parse_fp;
use fencepost_program::{Action, Answer, Failure, Inst, Machine, Operand, Ordering, Program, Reg, Ty, Value};

fn program(text: &str) -> Program {
    match parse_fp("test.fp", text) {
        Ok(input) => input.program,
        Err(error) => panic!("{error}"),
    }
}

/// The code of the only thread.
fn code(body: &str) -> Vec<Inst> {
    let program = program(&format!("atomic x, y, a[4];\nthread t {{ {body} }}"));
    program.function(program.threads[0].func).code.clone()
}

#[test]
fn the_example_of_the_language_document_is_a_program() {
    let document = include_str!("../../../../docs/reference/language.md");
    let example = document.split("```").nth(1).expect("an example");
    let program = program(example);
    assert_eq!(program.threads.len(), 2);
    assert_eq!(program.threads[1].name, "worker[1]");
    assert_eq!(program.threads[1].args, [1]);
    assert_eq!(program.threads[0].func, program.threads[1].func);
    let names: Vec<String> = program.cells().map(|cell| program.cell_name(cell)).collect();
    assert_eq!(names, ["flag[0]", "flag[1]", "turn", "data"]);
    assert_eq!(program.objects[1].ty, Ty::Range { lo: 0, hi: 1 });
    assert_eq!(program.objects[1].init, [1]);
    assert!(!program.objects[2].atomic);
}

#[test]
fn a_loop_has_no_branch() {
    for text in ["loop x.store(1, rlx);", "while (true) x.store(1, rlx);", "l: x.store(1, rlx); goto l;"] {
        let code = code(text);
        assert!(matches!(code[0], Inst::Store { .. }), "{code:?}");
        assert_eq!(code[1..], [Inst::Jump { target: 0 }], "{text}");
    }
}

#[test]
fn constants_fold() {
    let code = code("x.store(2 * (3 + 4) == 14 ? 5 : 6, rlx);");
    let [Inst::Store { value: Operand::Const(5), order: Ordering::Relaxed, .. }] = code[..] else { panic!("{code:?}") };
}

/// What a thread stores into `y` if it reads this from `x`, or how it fails.
fn stored(body: &str, x: Value) -> Result<Value, Failure> {
    let program = program(&format!("atomic x, y;\nthread t {{ r = x.load(rlx); {body} }}"));
    let machine = Machine::new(&program);
    let mut state = machine.start(0);
    machine.resume(&mut state, Answer::Read(x), 0);
    match machine.next(&state) {
        Action::Store { value, .. } => Ok(value),
        Action::Failed(failure) => Err(failure),
        other => panic!("{other:?}"),
    }
}

#[test]
fn arithmetic_wraps_and_only_division_by_zero_fails() {
    assert_eq!(stored("y.store(r / -1, rlx);", Value::MIN), Ok(Value::MIN));
    assert_eq!(stored("y.store(r % -1, rlx);", Value::MIN), Ok(0));
    assert_eq!(stored("y.store(-r, rlx);", Value::MIN), Ok(Value::MIN));
    assert_eq!(stored("y.store(1 << r, rlx);", 65), Ok(2));
    assert_eq!(stored("y.store(-8 >> r, rlx);", 1), Ok(-4));
    assert_eq!(stored("y.store(~r + !r, rlx);", 0), Ok(0));
    assert_eq!(stored("y.store(1 / r, rlx);", 0), Err(Failure::DivisionByZero));
    assert_eq!(stored("y.store(1 % r, rlx);", 0), Err(Failure::DivisionByZero));
}

#[test]
fn an_expression_is_computed_into_the_register_it_is_assigned_to() {
    let code = code("r = x.load(acq); r = r + 1; y.store(r, rel);");
    let [Inst::Load { dst, .. }, Inst::Arithmetic { dst: sum, .. }, Inst::Store { value, .. }] = code[..] else {
        panic!("{code:?}")
    };
    assert_eq!(dst, Some(Reg(0)));
    assert_eq!(sum, Reg(0));
    assert_eq!(value, Operand::Reg(Reg(0)));
}

#[test]
fn a_cas_without_a_failure_ordering_takes_the_first_without_its_release_part() {
    let code = code("r = x.cas(0, 1, acqrel); (ok, _) = x.cas_weak(0, 1, rel, acq);");
    let [
        Inst::Cas { failure: first, old: Some(_), ok: None, .. },
        Inst::Cas { failure: second, ok: Some(_), old: None, .. },
    ] = code[..]
    else {
        panic!("{code:?}")
    };
    assert_eq!((first, second), (Ordering::Acquire, Ordering::Acquire));
}

#[test]
fn either_of_three_is_a_choice_and_two_branches() {
    let code = code("either { x.store(0, rlx); } or { x.store(1, rlx); } or { x.store(2, rlx); }");
    assert!(matches!(code[0], Inst::Choose { lo: 0, hi: 2, .. }));
    assert_eq!(code.iter().filter(|inst| matches!(inst, Inst::Branch { .. })).count(), 2);
    assert_eq!(code.iter().filter(|inst| matches!(inst, Inst::Store { .. })).count(), 3);
}

#[test]
fn a_branch_out_of_the_last_statement_goes_to_the_end() {
    let code = code("r = x.load(rlx); if (r == 0) x.store(1, rlx);");
    let Some(Inst::Branch { yes, no, .. }) = code.get(2) else { panic!("{code:?}") };
    assert_eq!((*yes, *no as usize), (3, code.len()));
}

#[test]
fn a_declared_register_starts_inside_its_type() {
    let code = code("var r: 3..5; x.store(r, rlx); var q: 0..1; x.store(q, rlx);");
    assert!(matches!(code[0], Inst::Copy { dst: Reg(0), a: Operand::Const(3), .. }), "{code:?}");
    assert_eq!(code.len(), 3);
}

#[test]
fn a_conditional_expression_makes_no_branch() {
    let code = code("r = x.load(acq); q = r > 1 ? r : 7; y.store(q && r, rlx);");
    assert!(!code.iter().any(|inst| matches!(inst, Inst::Branch { .. })), "{code:?}");
}

#[test]
fn code_that_cannot_be_reached_is_dropped_unless_a_goto_reaches_it() {
    assert_eq!(code("return; x.store(1, rlx);"), [Inst::Return { value: None }]);
    assert_eq!(code("if (false) x.store(1, rlx);"), []);
    assert_eq!(code("goto in; if (false) { in: x.store(1, rlx); }").len(), 1);
}

#[test]
fn each_access_knows_its_place_in_the_source() {
    let text = "atomic x;\nthread t {\n  /* é */ r = x.load(acq);\n  x.store(r +\n    1, rel);\n}\n";
    let program = program(text);
    let spans: Vec<_> = program.functions[0].spans.iter().map(|s| (s.line, s.column, s.length)).collect();
    assert_eq!(spans, [(3, 15, 11), (4, 11, 3), (4, 3, 11)]);
}

#[test]
fn the_header_is_read() {
    let text = "//! title: A test\n//! expect: ra=robust\n\n//! not: this\nthread t { }\n";
    let header = parse_fp("test.fp", text).expect("a program").header;
    assert_eq!(header, [("title".into(), "A test".into()), ("expect".into(), "ra=robust".into())]);
}

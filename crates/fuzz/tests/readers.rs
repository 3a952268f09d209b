//! No text makes a reader panic, and every error points into the text.

use std::fs;

use fencepost_frontend::{Error, Input, format_fp, parse_fp, parse_litmus};
use fencepost_fuzz::{Format, corpus, mutate};
use fencepost_program::{Inst, Operand, Place, Program, Reg};
use fencepost_testing::{corpus::files_below, programs, trials};

fn check_error(error: &Error, text: &str) {
    assert!(!error.diagnostics.is_empty());
    for label in error.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let (start, end) = (label.range.start as usize, label.range.end as usize);
        assert!(text.get(start..end).is_some(), "{start}..{end} is not in the text: {:?}", error.diagnostics);
    }
    let too_large = text.len() > 1 << 20;
    assert!(too_large || error.diagnostics.iter().all(|diagnostic| !diagnostic.labels.is_empty()));
    assert!(error.render(false).starts_with("error: "));
}

/// What every engine takes for granted.
fn check_program(program: &Program) {
    let mut next = 0;
    for object in &program.objects {
        assert_eq!(object.first.0, next);
        assert!(!object.init.is_empty() && (object.array || object.init.len() == 1));
        assert!(object.init.iter().all(|value| object.ty.wrap(*value) == *value));
        next += object.init.len() as u64;
    }
    assert!((1..=64).contains(&program.threads.len()) && next <= 4096);
    for thread in &program.threads {
        assert_eq!(program.function(thread.func).params as usize, thread.args.len());
    }
    for function in &program.functions {
        assert_eq!(function.code.len(), function.spans.len());
        assert!(function.params as usize <= function.registers.len());
        for inst in &function.code {
            check_instruction(inst, program, function.code.len(), function.registers.len());
        }
        for span in &function.spans {
            let line = program.sources[0].line(span.line).expect("a line");
            assert!(span.column as usize + span.length as usize <= line.chars().count() + 2, "{span:?} in {line:?}");
        }
    }
}

fn check_instruction(inst: &Inst, program: &Program, length: usize, registers: usize) {
    let written = |reg: Option<Reg>| assert!(reg.is_none_or(|reg| (reg.0 as usize) < registers), "{inst:?}");
    let operand = |operand: Operand| match operand {
        Operand::Reg(reg) => written(Some(reg)),
        Operand::Const(_) => {}
    };
    let target = |target: u32| assert!(target as usize <= length, "{inst:?} in {length}");
    match inst {
        Inst::Copy { dst, a } | Inst::Unary { dst, a, .. } => {
            written(Some(*dst));
            operand(*a);
        }
        Inst::Arithmetic { dst, a, b, .. } => {
            written(Some(*dst));
            operand(*a);
            operand(*b);
        }
        Inst::Load { dst, .. } | Inst::Rmw { dst, .. } => written(*dst),
        Inst::Cas { old, ok, expected, desired, .. } => {
            written(*old);
            written(*ok);
            operand(*expected);
            operand(*desired);
        }
        Inst::Choose { dst, lo, hi } => {
            written(Some(*dst));
            assert!(lo <= hi);
        }
        Inst::Jump { target: to } => target(*to),
        Inst::Branch { cond, yes, no } => {
            operand(*cond);
            target(*yes);
            target(*no);
        }
        Inst::Call { dst, func, args } => {
            written(*dst);
            assert_eq!(program.function(*func).params as usize, args.len());
        }
        _ => {}
    }
    if let Inst::Load { place, .. }
    | Inst::Store { place, .. }
    | Inst::Rmw { place, .. }
    | Inst::Cas { place, .. }
    | Inst::Wait { place, .. } = inst
    {
        let Place::Cell(cell) = place else { panic!("{inst:?}") };
        operand(cell.index);
        let length = program.object(cell.object).init.len() as i64;
        assert!(!matches!(cell.index, Operand::Const(index) if !(0..length).contains(&index)), "{inst:?}");
    }
}

fn check(result: Result<Input, Error>, text: &str) -> bool {
    match result {
        Ok(input) => check_program(&input.observing()),
        Err(error) => {
            check_error(&error, text);
            return false;
        }
    }
    true
}

fn inputs() -> u64 {
    trials(20_000)
}

/// Runs a reader on mutated texts, and says how many of them it accepted.
fn fuzz(format: Format, count: u64, reader: impl Fn(&str) -> bool) -> u64 {
    let corpus = corpus::texts(format);
    let mut accepted = 0;
    for seed in 0..count {
        let text = mutate::mutated(format, &corpus, seed);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader(&text)));
        match result {
            Ok(ok) => accepted += ok as u64,
            Err(panic) => {
                println!("seed {seed} gave this text:\n{text}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    accepted
}

#[test]
fn mutated_fp_programs_are_read_or_refused_with_a_place() {
    let count = inputs() / 2;
    let accepted = fuzz(Format::Fp, count, |text| {
        if let Ok(once) = format_fp("fuzz.fp", text) {
            assert_eq!(format_fp("fuzz.fp", &once).as_ref(), Ok(&once));
        }
        check(parse_fp("fuzz.fp", text), text)
    });
    println!("{accepted} of {count} accepted");
    assert!(accepted > count / 100, "{accepted} of {count} is too few to exercise the lowering");
}

#[test]
fn mutated_litmus_tests_are_read_or_refused_with_a_place() {
    let count = inputs() / 2;
    let accepted = fuzz(Format::Litmus, count, |text| check(parse_litmus("fuzz.litmus", text), text));
    println!("{accepted} of {count} accepted");
    assert!(accepted > count / 100, "{accepted} of {count} is too few to exercise the lowering");
}

#[test]
fn every_program_of_the_corpus_is_read() {
    for (extension, parse) in [("fp", parse_fp as fn(&str, &str) -> Result<Input, Error>), ("litmus", parse_litmus)] {
        for path in files_below(&programs(), &[extension]) {
            let (name, text) = (path.display().to_string(), fs::read_to_string(&path).unwrap());
            assert!(check(parse(&name, &text), &text), "{name}");
        }
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    for (open, before) in [
        ("(", "thread t { r = "),
        ("{", "thread t "),
        ("-", "thread t { r = "),
        ("1 ? ", "thread t { r = "),
        ("loop ", "thread t { "),
        ("if (1) ", "thread t { "),
        ("if (1) { } else ", "thread t { "),
        ("either { ", "thread t { "),
        ("1 + ", "thread t { r = "),
        ("fn f() {", ""),
        ("x[", "thread t { "),
    ] {
        for bytes in [100_000, 10_000_000] {
            let text = before.to_owned() + &open.repeat(bytes / open.len());
            let error = parse_fp("deep.fp", &text).map(|_| ()).expect_err("accepted");
            check_error(&error, &text);
            format_fp("deep.fp", &text).expect_err("accepted");
        }
    }
    for open in ["(", "{", "*", "&", "(int)", "do ", "while (1) ", "1 + ", "f(", "1 ? ", "x[", "x && "] {
        let text = "C t\n{}\nP0 (int *x) { int r = 0; ".to_owned() + &open.repeat(100_000);
        let error = parse_litmus("deep.litmus", &text).map(|_| ()).expect_err("accepted");
        check_error(&error, &text);
    }
    for open in ["(", "not ", "x=1 => ", "~", "[", "(*", "x=1 /\\ "] {
        let text = "C t\n{}\nP0 (int *x) { }\nexists ".to_owned() + &open.repeat(100_000);
        let error = parse_litmus("deep.litmus", &text).map(|_| ()).expect_err("accepted");
        check_error(&error, &text);
    }
}

#[test]
fn a_long_call_chain_is_no_recursion_and_no_stack_overflow() {
    let chain: String = (0..20_000).map(|i| format!("fn f{i}() {{ f{}(); }}\n", i + 1)).collect();
    let text = chain + "fn f20000() { }\nthread t { f0(); }\n";
    assert_eq!(parse_fp("chain.fp", &text).map(|input| input.program.functions.len()), Ok(20_002));
}

//! C programs for tests.
// Not every test uses all of it.
#![allow(dead_code)]

use std::fmt::Write;

use fencepost_frontend::{Input, Settings};
use fencepost_program::question::{Observable, Proposition, Quantifier, Term};
use fencepost_program::{Program, Reg};
use fencepost_testing::compiled_as;

/// A program as `prove` reads it.
pub fn compiled(name: &str, text: &str) -> Program {
    compiled_as(name, text, Settings::for_proofs())
}

/// A litmus test as a C program: its locations are global variables, its threads are made by `main`, which asserts what
/// the condition asks when they have ended. `None` for what is not C.
pub fn litmus_in_c(text: &str, input: &Input) -> Option<String> {
    if ["READ_ONCE", "->", "filter"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let body = &text[text.find('{')?..];
    let end = body.find('}')?;
    let mut values: Vec<(&str, &str)> = Vec::new();
    for assignment in body[1..end].split(';').filter(|a| !a.trim().is_empty()) {
        let (name, value) = assignment.split_once('=')?;
        let name = name.trim().trim_start_matches(['*']);
        values.push((name.split_whitespace().last()?.trim_matches(['[', ']', '*']), value.trim()));
    }
    let condition = input.condition.as_ref()?;
    let mut observables = Vec::new();
    condition.proposition.collect_observables(&mut observables);
    let mut registers: Vec<(usize, Reg)> = Vec::new();
    for observable in observables {
        if let Observable::Register { thread, reg } = observable
            && !registers.contains(&(thread, reg))
        {
            registers.push((thread, reg));
        }
    }
    let mut globals: Vec<(String, String)> = Vec::new();
    let mut threads = String::new();
    let mut count = 0;
    let mut rest = &body[end + 1..];
    while let Some(start) = rest.find(&format!("P{count}")) {
        let open = rest[start..].find('(')? + start;
        let close = rest[open..].find(')')? + open;
        writeln!(threads, "static void *P{count}(void *unused) {{").ok()?;
        for parameter in rest[open + 1..close].split(',') {
            let (ty, name) = parameter.trim().rsplit_once(['*', ' '])?;
            let ty = ty.trim().trim_end_matches('*').trim();
            if !globals.iter().any(|(known, _)| known == name) {
                globals.push((name.to_owned(), ty.to_owned()));
            }
            writeln!(threads, "  {ty} *{name} = &global_{name};").ok()?;
        }
        let brace = rest[close..].find('{')? + close;
        let mut depth = 0;
        let length = rest[brace..].bytes().position(|byte| {
            depth += (byte == b'{') as i32 - (byte == b'}') as i32;
            depth == 0
        });
        let after = brace + length?;
        threads += &rest[brace + 1..after];
        for &(_, reg) in registers.iter().filter(|(thread, _)| *thread == count) {
            let name = register_name(&input.program, count, reg);
            writeln!(threads, "  out_{count}_{name} = {name};").ok()?;
        }
        threads += "  return 0;\n}\n";
        rest = &rest[after + 1..];
        count += 1;
    }
    let mut out = String::from("#include <assert.h>\n#include <stdatomic.h>\n#include <pthread.h>\n");
    for (name, ty) in &globals {
        let value = values.iter().find(|(known, _)| known == name).map_or("0", |(_, value)| value);
        writeln!(out, "{ty} global_{name} = {value};").ok()?;
    }
    for &(thread, reg) in &registers {
        writeln!(out, "int out_{thread}_{};", register_name(&input.program, thread, reg)).ok()?;
    }
    out += &threads;
    writeln!(out, "int main(void) {{\n  pthread_t t[{count}];").ok()?;
    for i in 0..count {
        writeln!(out, "  pthread_create(&t[{i}], 0, P{i}, 0);").ok()?;
    }
    writeln!(out, "  for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);").ok()?;
    let wanted = expression(&condition.proposition, &input.program);
    let not = if condition.quantifier == Quantifier::Forall { "" } else { "!" };
    writeln!(out, "  assert({not}({wanted}));\n  return 0;\n}}").ok()?;
    Some(out)
}

fn register_name(program: &Program, thread: usize, reg: Reg) -> &str {
    program.function(program.threads[thread].func).registers[reg.0 as usize].name().expect("a variable")
}

fn expression(proposition: &Proposition, program: &Program) -> String {
    let term = |term: Term| match term {
        Term::Value(value) => value.to_string(),
        Term::Observable(Observable::Register { thread, reg }) => {
            format!("out_{thread}_{}", register_name(program, thread, reg))
        }
        Term::Observable(Observable::Cell(at)) => format!("global_{}", program.cell_name(at)),
    };
    let all = |parts: &[Proposition], by: &str, none: &str| match parts {
        [] => none.to_owned(),
        parts => parts.iter().map(|part| format!("({})", expression(part, program))).collect::<Vec<_>>().join(by),
    };
    match proposition {
        Proposition::Equal(a, b) => format!("{} == {}", term(*a), term(*b)),
        Proposition::Not(inner) => format!("!({})", expression(inner, program)),
        Proposition::All(parts) => all(parts, " & ", "1"),
        Proposition::Any(parts) => all(parts, " | ", "0"),
    }
}

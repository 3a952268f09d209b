//! Litmus tests in the assembler of x86: what they become, and what users see when one is wrong.

use fencepost_frontend::{Input, parse_litmus};
use fencepost_models::{Engine, Model};
use fencepost_program::question::{Observable, Quantifier};
use fencepost_program::{Inst, Membar, Ordering, UpdateOp, Value};

use crate::support::errors::first_error;
use crate::support::sc::final_states;

fn input(text: &str) -> Input {
    parse_litmus("test.litmus", text).unwrap_or_else(|error| panic!("{error}"))
}

/// A test of one thread with this code, a line an instruction.
fn test(dialect: &str, init: &str, code: &str, tail: &str) -> String {
    let rows: String = code.lines().map(|line| format!(" {line} ;\n")).collect();
    format!("{dialect} test\n{{ {init} }}\n P0 ;\n{rows}{tail}\n")
}

fn code(dialect: &str, code: &str) -> Vec<Inst> {
    input(&test(dialect, "x=0;", code, "exists (x=0)")).program.functions[0].code.clone()
}

/// The only value that something has in the final state of a test of one thread.
#[track_caller]
fn result(dialect: &str, init: &str, code: &str, asked: &str) -> Value {
    let input = input(&test(dialect, init, code, &format!("locations [{asked};]\nexists (x=0)")));
    let program = input.observing();
    let states = final_states(&program);
    assert_eq!(states.len(), 1);
    let (registers, cells) = states.iter().next().expect("a state");
    match input.observed[0].1 {
        Observable::Cell(at) => cells[at.0 as usize],
        Observable::Register { thread, reg } => {
            registers[thread][program.observed_index(thread, reg).expect("observed")]
        }
    }
}

#[track_caller]
fn first(text: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    first_error(parse_litmus, text, message, at, label, help);
}

/// Of code in the dialect X86.
#[track_caller]
fn wrong(code: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    first(&test("X86", "x=0;", code, "exists (x=0)"), message, at, label, help);
}

#[test]
fn plain_accesses_are_relaxed_and_locked_instructions_are_sc() {
    let found = code("X86", "MOV [x],$1\nMOV EAX,[x]\nLOCK INC [x]\nXCHG [x],EAX\nMFENCE\nSFENCE\nLFENCE");
    let order = |inst: &Inst| match inst {
        Inst::Fence { order } => Some(*order),
        other => other.ordering(),
    };
    let orders: Vec<Ordering> = found.iter().filter_map(order).collect();
    let fences = [Ordering::Membar(Membar::STORE_STORE), Ordering::Membar(Membar::LOAD_LOAD)];
    let sc = Ordering::SeqCst;
    assert_eq!(orders, [Ordering::Relaxed, Ordering::Relaxed, sc, sc, sc, fences[0], fences[1]]);
}

#[test]
fn without_lock_an_update_is_a_load_and_a_store() {
    let found = code("X86", "INC [x]");
    assert!(matches!(found[0], Inst::Load { .. }) && matches!(found[2], Inst::Store { .. }), "{found:?}");
    let found = code("X86", "LOCK INC [x]");
    assert!(matches!(found[0], Inst::Rmw { op: UpdateOp::Add, .. }), "{found:?}");
    let found = code("X86_64", "lock notl (x)");
    assert!(matches!(found[0], Inst::Rmw { op: UpdateOp::Xor, .. }), "{found:?}");
}

#[test]
fn both_dialects_have_their_order_of_operands() {
    assert_eq!(result("X86", "x=0;", "MOV EAX,$3\nMOV [x],EAX\nSUB [x],$1", "x"), 2);
    assert_eq!(result("X86_64", "int x=0;", "movl $3,%eax\nmovl %eax,(x)\nsubl $1,(x)", "x"), 2);
    for exchange in ["LOCK CMPXCHG [x],EBX", "LOCK CMPXCHG EBX,[x]"] {
        assert_eq!(result("X86", "x=0; 0:EBX=7;", exchange, "x"), 7);
    }
    for exchange in ["lock cmpxchgl (x),%ebx", "lock cmpxchgl %ebx,(x)"] {
        assert_eq!(result("X86_64", "int x=0; 0:ebx=7;", exchange, "x"), 7);
    }
}

#[test]
fn parts_of_registers_are_parts() {
    let init = "x=0; 0:RAX=0x1122334455667788;";
    assert_eq!(result("X86_64", init, "movb $1,%al", "0:rax"), 0x1122334455667701);
    assert_eq!(result("X86_64", init, "movb $1,%ah", "0:rax"), 0x1122334455660188);
    assert_eq!(result("X86_64", init, "movw $1,%ax", "0:rax"), 0x1122334455660001);
    assert_eq!(result("X86_64", init, "movl $-1,%eax", "0:rax"), 0xffffffff);
    assert_eq!(result("X86_64", init, "nop", "0:ax"), 0x7788);
    assert_eq!(result("X86_64", init, "nop", "0:al"), i64::from(0x88u8 as i8));
    assert_eq!(result("X86", "x=0; 0:EAX=0xffffffff;", "NOP", "0:EAX"), -1);
    assert_eq!(result("X86", "x=0;", "MOV AL,$255\nINC AL", "0:AL"), 0);
}

#[test]
fn conditions_ask_what_the_processor_asks() {
    let set = |a: i64, b: i64, code: &str| {
        let init = format!("x=0; 0:EAX={a}; 0:EBX={b};");
        result("X86", &init, &format!("CMP EAX,EBX\nSET{code} CL"), "0:CL")
    };
    for (a, b) in [(1, 2), (2, 2), (2, 1), (-1, 1), (1, -1), (i64::from(i32::MIN), 1), (i64::from(i32::MAX), -1)] {
        let (ua, ub) = (a as u32, b as u32);
        let difference = (a as i32).overflowing_sub(b as i32);
        for (code, expected) in [
            ("E", a == b),
            ("NE", a != b),
            ("L", a < b),
            ("LE", a <= b),
            ("G", a > b),
            ("GE", a >= b),
            ("B", ua < ub),
            ("BE", ua <= ub),
            ("A", ua > ub),
            ("NC", ua >= ub),
            ("S", difference.0 < 0),
            ("O", difference.1),
        ] {
            assert_eq!(set(a, b, code), i64::from(expected), "{a} {code} {b}");
        }
    }
}

#[test]
fn sums_set_the_flags_of_sums() {
    let set = |a: i64, b: i64, code: &str| {
        let init = format!("x=0; 0:AL={a}; 0:BL={b};");
        result("X86", &init, &format!("ADD AL,BL\nSET{code} CL"), "0:CL")
    };
    for a in [-128i8, -1, 0, 1, 100, 127] {
        for b in [-128i8, -1, 0, 1, 100, 127] {
            let (sum, overflow) = a.overflowing_add(b);
            let carry = (a as u8).overflowing_add(b as u8).1;
            let expected =
                [("Z", sum == 0), ("S", sum < 0), ("C", carry), ("O", overflow), ("L", (sum < 0) != overflow)];
            for (code, expected) in expected {
                assert_eq!(set(a.into(), b.into(), code), i64::from(expected), "{a} + {b}: {code}");
            }
        }
    }
    assert_eq!(result("X86", "x=0; 0:AL=-1;", "CMP AL,$0xff\nINC AL\nSETC CL", "0:CL"), 0, "INC leaves the carry");
}

#[test]
fn addresses_are_values() {
    assert_eq!(result("X86_64", "int x=0; int y=5; 0:rax=y;", "movl (%rax),%ebx", "0:ebx"), 5);
    assert_eq!(result("X86_64", "int x=0; int a[3]={4,5,6};", "leaq (a),%rax\nmovl 8(%rax),%ebx", "0:ebx"), 6);
    assert_eq!(result("X86_64", "int x=0; int a[3]={4,5,6};", "movl $1,%eax\nmovl a(,%rax,4),%ebx", "0:ebx"), 5);
    assert_eq!(result("X86", "x=0; int a[2]={4,5};", "MOV EAX,DWORD PTR [a+4]", "0:EAX"), 5);
    let text = "X86_64 t\n{ x=0; 0:rax=x; }\n P0 ;\n movq (%rax),%rbx ;\nexists (0:rax=x /\\ x=0)";
    assert_eq!(input(text).condition.expect("a condition").quantifier, Quantifier::Exists);
}

#[test]
fn old_forms_of_tests_are_read() {
    let input = input(
        "X86 a/b (Name)  \"text\"\n{x = 0; y = 0};\n P0 | P1 ;\n mov [x], 1 | mov EAX, [x] ;\n\
         final (P1:EAX = 1);\nwith\ntso: exists;\n\n<<\nshow 3.tex\n>>\n",
    );
    assert_eq!(input.condition.expect("a condition").text, "final (P1:EAX = 1)");
}

#[test]
fn only_models_of_processors_take_assembler() {
    let program = input(&test("X86", "", "MOV [x],$1", "exists (x=1)")).program;
    let names: Vec<&str> = Model::admitting(Engine::Explore, &program).map(Model::name).collect();
    assert_eq!(names, ["sc", "ibm370", "tso", "pso"]);
    assert_eq!(Model::admitting(Engine::Check, &program).count(), 0);
    let refusal = Model::Rc11.admit(Engine::Check, &program).expect_err("refused").message;
    assert!(refusal.contains("assembler of x86") && refusal.contains("explore --models sc,tso"), "{refusal}");
}

#[test]
fn unknown_instructions_get_a_suggestion_or_a_reason() {
    wrong(
        "MOVE [x],$1",
        "the instruction `MOVE` is not supported",
        "MOVE",
        "not an instruction that is known here",
        Some("did you mean `MOV`?"),
    );
    wrong(
        "CLFLUSH [x]",
        "the instruction `CLFLUSH` is not supported",
        "CLFLUSH",
        "the models have no persistent memory",
        None,
    );
    wrong(
        "MOVNTIL [x],EAX",
        "the instruction `MOVNTIL` is not supported",
        "MOVNTIL",
        "stores that bypass the cache are weaker than TSO",
        None,
    );
}

#[test]
fn operands_have_to_fit() {
    let two = "expected 2 operands";
    wrong("MOV [x]", "`MOV` takes 2 operands, not 1", "MOV [x]", two, None);
    wrong("MOV $1,EAX", "a constant cannot be the destination", "$1", "expected a register", None);
    wrong("MOV [x],[y]", "an instruction cannot access memory twice", "[y]", "again here", None);
    wrong("XCHG [x],$1", "this operand cannot be a constant", "$1", "expected a register", None);
    wrong("MOV AX,EBX", "this has 4 bytes, and the instruction works on 2", "EBX", "expected 2 bytes", None);
    wrong(
        "MOV EAX,x",
        "`x` is not a register",
        "x",
        "expected an operand",
        Some("write `[x]` for what the location holds, `$x` for its address"),
    );
    wrong(
        "LOCK MOV [x],$1",
        "this instruction cannot have the prefix LOCK",
        "LOCK MOV [x],$1",
        "it cannot be locked",
        None,
    );
    wrong(
        "LOCK INC EAX",
        "this instruction cannot have the prefix LOCK",
        "LOCK INC EAX",
        "its destination is not in memory",
        None,
    );
}

#[test]
fn a_location_has_one_size() {
    wrong(
        "MOV EAX,[y]\nMOV AL,[y]",
        "`y` has 4 bytes, and this accesses 1: accesses of several sizes are not supported",
        "MOV AL,[y]",
        "of another size",
        None,
    );
    wrong("MOV EAX,[x+2]", "this is not the start of a location of `x`", "[x+2]", "2 bytes behind its start", None);
}

#[test]
fn labels_have_to_be_there_once() {
    wrong(
        "LOOP:\nJMP LOPP",
        "there is no label `LOPP` in this thread",
        "LOPP",
        "jumped to from here",
        Some("did you mean `LOOP`?"),
    );
    wrong("A: NOP\nA: NOP", "the label `A` is there twice", "A", "again here", None);
}

#[test]
fn the_table_has_a_column_for_each_thread() {
    let text = "X86 t\n{ }\n P0 | P1 ;\n NOP | NOP | NOP ;\nexists (x=0)";
    first(text, "this row has more columns than there are threads (2)", "NOP", "one too many", None);
    let text = "X86 t\n{ }\n P0 | P0 ;\n NOP ;\n";
    first(text, "there are two threads P0", "P0", "again here", None);
    let text = "X86 t\n{ }\n P0 ;\n MOV [x],$1\nexists (x=0)";
    first(text, "expected `|` or `;`, found `exists`", "", "expected `|` or `;`", None);
}

#[test]
fn the_condition_asks_for_registers_and_locations_that_are_there() {
    let text = test("X86", "", "MOV [x],$1", "exists (0:RQX=1)");
    first(&text, "P0 has no variable `RQX`", "RQX", "not declared in this thread", None);
    let text = test("X86", "", "MOV [x],$1", "exists (y=1)");
    let help = "a register needs its thread before it, as in `0:r0`";
    first(&text, "no location `y`", "y", "not declared", Some(help));
    let text = test("X86", "1:EAX=0;", "MOV [x],$1", "exists (x=1)");
    first(&text, "there is no thread P1", "1", "expected the number of a thread", None);
}

#[test]
fn a_wild_address_fails_where_it_is_used() {
    let program = input(&test("X86", "0:EAX=3;", "MOV [EAX],$1\nMOV [x],$1", "exists (x=1)")).program;
    assert!(program.functions[0].code.iter().any(|inst| matches!(inst, Inst::Fail { .. })));
    assert_eq!(program.constructs.len(), 1);
}

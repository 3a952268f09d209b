//! Inputs that are too long to be kept.

use std::thread;

use fencepost_fuzz::{Format, engines};

fn run(format: Format, text: String) -> bool {
    thread::Builder::new().stack_size(8 << 20).spawn(move || engines::run_all(format, &text)).unwrap().join().unwrap()
}

#[test]
fn nothing_in_llvm_ir_nests_too_deeply() {
    let main = "define i32 @main() {\n  ret i32 0\n}\n";
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("@x = global {}{inner}{} zeroinitializer\n{main}", open.repeat(depth), close.repeat(depth))
    };
    for depth in [100, 190, 100_000] {
        run(Format::Ll, nested("{ ", "i8", " }", depth));
        run(Format::Ll, nested("[1 x ", "i8", "]", depth));
        run(Format::Ll, nested("ptr (", "i8", ")", depth));
        run(Format::Ll, format!("@x = global i8 {}0{}\n{main}", "add (i8 ".repeat(depth), ", i8 1)".repeat(depth)));
        run(Format::Ll, format!("!0 = {}{}\n{main}", "!{".repeat(depth), "}".repeat(depth)));
        let chain: String = (0..depth).map(|i| format!("%t{i} = type {{ %t{} }}\n", i + 1)).collect();
        run(Format::Ll, format!("{chain}%t{depth} = type {{ i32 }}\n@x = global %t0 zeroinitializer\n{main}"));
        let names: String = (0..depth).map(|i| format!("%n{i} = type %n{}\n", i + 1)).collect();
        run(Format::Ll, format!("{names}%n{depth} = type {{ i32 }}\n@x = global %n0 zeroinitializer\n{main}"));
    }
}

#[test]
fn a_long_chain_of_calls_is_no_stack_overflow() {
    let calls: String = (0..20_000)
        .map(|i| format!("define void @f{i}(ptr %p) {{\n  call void @f{}(ptr %p)\n  ret void\n}}\n", i + 1))
        .collect();
    let last = "define void @f20000(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n";
    let main = "define i32 @main() {\n  %x = alloca [2 x i32]\n  call void @f0(ptr %x)\n  ret i32 0\n}\n";
    assert!(run(Format::Ll, format!("{calls}{last}{main}")));
}

#[test]
fn names_and_numbers_may_have_any_length() {
    let (name, number) = ("a".repeat(500_000), "9".repeat(500_000));
    assert!(run(Format::Ll, format!("@{name} = global i32 0\ndefine i32 @main() {{\n  ret i32 0\n}}\n")));
    for text in [format!("@x = global i64 {number}"), format!("@x = global [{number} x i8] zeroinitializer")] {
        run(Format::Ll, format!("{text}\ndefine i32 @main() {{\n  ret i32 0\n}}\n"));
    }
    run(Format::Fp, format!("atomic {name};\nthread t {{ {name}.store({number}, rlx); }}\n"));
    run(Format::Litmus, format!("C t\n{{}}\nP0 (atomic_int *{name}) {{ int r = {number}; }}\nexists (0:r={number})\n"));
    run(Format::C, format!("int {name};\nint main(void) {{ return {name} = {number}; }}\n"));
}

#[test]
fn marks_ends_of_lines_and_zeros_are_no_trouble() {
    for (format, text) in [
        (Format::Fp, "atomic x;\nthread t { x.store(1, rlx); }\n"),
        (Format::Litmus, "C t\n{}\nP0 (atomic_int *x) { int r = atomic_load(x); }\nexists (0:r=1)\n"),
        (Format::Ll, "@x = global i32 0\ndefine i32 @main() {\n  store i32 1, ptr @x\n  ret i32 0\n}\n"),
        (Format::C, "int x;\nint main(void) { x = 1; return 0; }\n"),
    ] {
        assert!(run(format, text.to_owned()));
        assert!(run(format, text.replace('\n', "\r\n")), "{format:?}");
        run(format, format!("\u{feff}{text}"));
        run(format, text.replace('x', "\0"));
        run(format, text.replace('x', "\u{202e}é"));
        run(format, text.replace('\n', "\r"));
        run(format, String::new());
    }
}

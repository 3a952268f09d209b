use fencepost_llvm::{
    AtomicOrdering, Callee, ConstantKind, Function, Module, Op, Operand, RmwOp, SourceType, Type, read,
};

const FILES: [&str; 3] =
    [include_str!("data/atomics.ll"), include_str!("data/older.ll"), include_str!("data/unwinding.ll")];

fn atomics() -> Module {
    read(FILES[0]).expect("a module")
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.functions.iter().find(|f| module.name(f.name) == name).expect("a function of that name")
}

fn ops(function: &Function) -> Vec<&Op> {
    function.blocks.iter().flat_map(|b| &b.instructions).map(|i| &i.op).collect()
}

#[test]
fn atomic_accesses_keep_their_orderings_and_scopes() {
    let module = atomics();
    let ops = ops(function(&module, "update"));
    let load = ops.iter().find_map(|op| if let Op::Load { ordering, .. } = op { Some(*ordering) } else { None });
    assert_eq!(load, Some(Some(AtomicOrdering::Acquire)));
    let fences: Vec<_> = ops
        .iter()
        .filter_map(|op| {
            if let Op::Fence { ordering, single_thread } = op { Some((*ordering, *single_thread)) } else { None }
        })
        .collect();
    assert_eq!(fences, [(AtomicOrdering::SeqCst, true), (AtomicOrdering::AcqRel, false)]);
    assert!(ops.iter().any(|op| matches!(
        op,
        Op::CmpXchg { weak: true, success: AtomicOrdering::AcqRel, failure: AtomicOrdering::Monotonic, .. }
    )));
    assert!(ops.iter().any(|op| matches!(op, Op::Store { single_thread: true, ordering: Some(_), .. })));
}

#[test]
fn updates_that_c11_does_not_have_are_kept_by_name() {
    let module = atomics();
    let updates: Vec<RmwOp> = ops(function(&module, "update"))
        .into_iter()
        .filter_map(|op| if let Op::AtomicRmw { op, .. } = op { Some(*op) } else { None })
        .collect();
    assert_eq!(updates[..2], [RmwOp::Nand, RmwOp::UMax]);
    assert!(matches!(updates[2], RmwOp::Other(name) if module.name(name) == "fadd"));
}

#[test]
fn blocks_are_numbered_in_the_order_of_the_text() {
    let module = atomics();
    let update = function(&module, "update");
    assert_eq!(update.blocks.len(), 4);
    let Op::CondBr { yes, no, .. } = &update.blocks[0].instructions.last().expect("a branch").op else {
        panic!("the first block ends in a branch");
    };
    assert_eq!((yes.0, no.0), (1, 3));
    let Op::Phi { incoming, .. } = &update.blocks[3].instructions[0].op else { panic!("the last block has a phi") };
    assert_eq!(incoming.iter().map(|(_, from)| from.0).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn the_unnamed_first_block_has_the_number_after_the_parameters() {
    let module = read(FILES[1]).expect("a module");
    let Op::Phi { incoming, .. } = &function(&module, "walk").blocks[2].instructions[0].op else { panic!("a phi") };
    assert_eq!(incoming.iter().map(|(_, from)| from.0).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn strings_and_numbers_have_their_bytes() {
    let module = atomics();
    let text = module.globals.iter().find(|g| module.name(g.name) == "text").expect("text");
    let kind = &module.constant(text.init.expect("an initialiser")).kind;
    assert_eq!(kind, &ConstantKind::Bytes(b"a\n\\\0".to_vec()));
    let call = ops(function(&module, "update")).into_iter().find_map(|op| match op {
        Op::Call(call) if matches!(call.callee, Callee::Symbol(_)) => Some(call),
        _ => None,
    });
    let Operand::Constant(number) = call.expect("a call").arguments[1].value else { panic!("a constant") };
    assert_eq!(module.constant(number).kind, ConstantKind::Float(1.5f64.to_bits()));
}

#[test]
fn structs_are_laid_out_as_in_memory() {
    let module = atomics();
    let pair = module.globals.iter().find(|g| module.name(g.name) == "pair").expect("pair");
    let offsets: Vec<u64> = module.types.parts(pair.ty, usize::MAX).iter().map(|&(offset, _)| offset).collect();
    assert_eq!(offsets, [0, 4, 8]);
    assert_eq!(module.types.size_and_alignment(pair.ty), Some((16, 8)));
    let vtable = read(FILES[2]).expect("a module");
    assert_eq!(vtable.types.size(vtable.globals[0].ty), Some(32));
}

#[test]
fn debug_information_names_places_and_variables() {
    let module = atomics();
    let update = function(&module, "update");
    let location = update.blocks[0].instructions[1].location.and_then(|id| module.metadata.location(id));
    let location = location.expect("a place");
    assert_eq!((location.line, location.column), (13, 7));
    assert_eq!(location.file.map(|(file, _)| module.name(file)), Some("lock.c"));
    let variable = module.metadata.variable(update.variables[0].variable).expect("a variable");
    assert_eq!(module.name(variable.name), "v");
    let ty = variable.ty.map(|ty| module.metadata.source_type(ty, &module.names));
    assert!(matches!(ty, Some(SourceType::Basic { bits: 32, signed: true, .. })));
    let global = module.metadata.variable(module.globals[0].debug[0]).expect("a variable");
    assert_eq!((module.name(global.name), global.line), ("x", 8));
}

#[test]
fn both_ways_to_declare_a_variable_are_read() {
    let module = read(FILES[1]).expect("a module");
    let walk = function(&module, "walk");
    let variable = module.metadata.variable(walk.variables[0].variable).expect("a variable");
    assert_eq!(module.name(variable.name), "n");
    assert_eq!(module.name(walk.locals[walk.variables[0].address.0 as usize]), "3");
}

#[test]
fn an_instruction_that_is_not_supported_does_not_stop_the_reader() {
    let module = read(FILES[2]).expect("a module");
    let ops = ops(function(&module, "pair"));
    assert!(ops.iter().any(|op| matches!(op, Op::Unsupported { keyword, .. } if module.name(*keyword) == "va_arg")));
    assert!(ops.iter().any(|op| matches!(op, Op::ExtractElement { .. })));
    assert!(matches!(ops.last(), Some(Op::Ret { ty, .. }) if matches!(module.types.get(*ty), Type::Struct { .. })));
}

#[test]
fn errors_name_their_line() {
    for (text, line, part) in [
        ("\n\ndefine i32 @f() {\n  ret i32\n}\n", 5, "a value"),
        ("define void @f() {\n  br label %nowhere\n}\n", 3, "there is no block `%nowhere`"),
        ("define i32 @f() {\n  ret i32 %x\n}\n", 3, "`%x` is not defined"),
        ("define void @f() {\n  %a = frobnicate i32 1\n}\n", 2, "`frobnicate`"),
        ("@x = global i32 0\n@y = global float\n", 2, "a value"),
        ("target datalayout = \"E-p:32:32\"", 1, "little-endian"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.message.contains(part), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
}

#[test]
fn brackets_that_nest_too_deeply_are_an_error() {
    for open in ["[1 x ", "{ ", "<{ "] {
        let text = format!("%t = type {}", open.repeat(100_000));
        assert!(read(&text).is_err());
    }
}

/// Cuts, repeats, swaps and overwrites bytes of real modules; whatever comes out, the reader returns.
#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut readable = 0;
    for round in 0..6000 {
        let mut bytes = FILES[round % FILES.len()].as_bytes().to_vec();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(0..bytes.len());
            let end = (at + random.usize(1..40)).min(bytes.len());
            match random.u32(0..6) {
                0 => bytes.truncate(at + 1),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let piece = bytes[at..end].to_vec();
                    let to = random.usize(0..bytes.len());
                    bytes.splice(to..to, piece);
                }
                3 => bytes[at] = random.u8(..),
                4 => bytes[at] = *random.choice(b"%@!#(){}[]<>,=*:\"0x-\n").expect("not empty"),
                _ => {
                    let other = random.usize(0..bytes.len());
                    bytes.swap(at, other);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        readable += read(&String::from_utf8_lossy(&bytes)).is_ok() as u32;
    }
    assert!(readable > 100, "mutations should not destroy everything: {readable}");
}

#[test]
fn reading_ends_when_it_is_told_to() {
    let text: String = (0..1000).map(|i| format!("@x{i} = global i32 {i}\n")).collect();
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 100
    };
    let error = fencepost_llvm::read_unless(&text, &stop).expect_err("stopped");
    assert_eq!((asked.get(), error.line < 100), (101, true), "{error}");
    assert!(fencepost_llvm::read(&text).is_ok());
}

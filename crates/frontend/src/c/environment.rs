//! What surrounds a program: how `main` is called and what follows it, variables without a definition, and what the
//! analysis assumes.

use fencepost_llvm::{ConstantId, ConstantKind};
use fencepost_program::{
    ArithmeticOp, Failure, FuncId, Function, Global, Inst, Memory, Operand, Ordering, Place, Reg, Register, Ty,
    Undefined, Value, memory,
};

use super::conventions;
use super::link::Definition;
use super::lower::{Lowering, emit, empty};
use super::system::THREAD_LOCAL;
use super::unknown;
use crate::input::Abort;

/// The largest number of arguments of `main` that is tried.
const MOST_ARGUMENTS: u64 = 2;
/// Room in the address space for a variable whose size is not known.
const UNKNOWN_ROOM: u64 = 1 << 20;

/// What `main` is called with.
pub(super) struct Surroundings {
    pub main: FuncId,
    parameters: usize,
    /// Runs what was registered for the end of the program, if anything may have been.
    exit: Option<FuncId>,
}

/// Functions that register what runs at the end of a program.
const REGISTER: [&str; 6] =
    ["atexit", "__cxa_atexit", "at_quick_exit", "__cxa_at_quick_exit", "__VERIFIER_atexit", THREAD_LOCAL];

/// Functions of the library that may fail, with `--failing-calls`.
const MAY_FAIL: [&str; 36] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "reallocarray",
    "valloc",
    "strdup",
    "strndup",
    "mmap",
    "_Znwm",
    "_Znam",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "pthread_create",
    "thrd_create",
    "pthread_attr_init",
    "pthread_condattr_init",
    "pthread_rwlockattr_init",
    "pthread_barrierattr_init",
    "pthread_mutexattr_init",
    "pthread_mutex_init",
    "mtx_init",
    "pthread_spin_init",
    "pthread_rwlock_init",
    "pthread_cond_init",
    "cnd_init",
    "pthread_barrier_init",
    "sem_init",
    "pthread_key_create",
    "tss_create",
    "atexit",
    "at_quick_exit",
];
/// Functions that may be called once for each thread. Proofs do not check that.
const ONCE: [&str; 5] = ["pthread_join", "pthread_detach", "thrd_join", "thrd_detach", "pthread_attr_setdetachstate"];

impl Lowering<'_> {
    /// Gives a variable without a definition a place where no access is possible.
    pub(super) fn place_undefined(&mut self, start: u64, size: u64, name: &str) -> u64 {
        let construct = self.construct(undefined(name));
        let end = start + size.max(UNKNOWN_ROOM);
        self.program.undefined.push(Undefined { start, end, construct });
        end
    }

    /// Asks for what runs around `main`.
    pub(super) fn surroundings(&mut self, (m, i): (usize, usize)) -> Surroundings {
        let main = self.function_id((m, i));
        let parameters = self.linked.function((m, i)).parameters.len();
        let exit = if self.has_exit_functions() { self.library_function("exit") } else { None };
        Surroundings { main, parameters, exit }
    }

    pub(super) fn library_function(&mut self, name: &str) -> Option<FuncId> {
        match self.linked.library_named(name)? {
            Definition::Function(m, i) => Some(self.function_id((m, i))),
            Definition::Global(..) => None,
        }
    }

    /// Whether something may be registered for the end of the program.
    pub(super) fn has_exit_functions(&self) -> bool {
        let own = self.linked.modules.iter().enumerate().filter(|&(m, _)| !self.is_library(m));
        own.into_iter().any(|(_, module)| {
            module.functions.iter().any(|function| REGISTER.contains(&module.name(function.name)))
                || module.globals.iter().any(|global| module.name(global.name) == "llvm.global_dtors")
        })
    }

    /// After `pthread_exit` in `main`, the last thread would run what was registered.
    pub(super) fn refused_end_of_main(&mut self) -> Option<u32> {
        let text = "`pthread_exit` in `main` of a program that runs functions at its end";
        self.has_exit_functions().then(|| self.construct(text.to_owned()))
    }

    /// What runs before `main` (`llvm.global_ctors`) or after it (`llvm.global_dtors`), in this order.
    pub(super) fn listed_functions(&mut self, list: &str) -> Result<Vec<FuncId>, String> {
        let mut found: Vec<(Value, FuncId)> = Vec::new();
        for m in 0..self.linked.modules.len() {
            let module = self.linked.modules[m];
            let global = module.globals.iter().find(|g| module.name(g.name) == list);
            let Some(ConstantKind::Aggregate(entries)) = global.and_then(|g| g.init).map(|i| &module.constant(i).kind)
            else {
                continue;
            };
            for &entry in entries {
                if self.is_of_another_module(m, entry) {
                    continue;
                }
                let mut scalars = Vec::new();
                self.scalars(m, entry, &mut scalars)?;
                let pointer = scalars.get(1).map(|&pointer| pointer as u64);
                if let Some(func) = pointer.and_then(memory::pointed_function) {
                    found.push((scalars[0], FuncId(func)));
                }
            }
        }
        // Those of one priority run in the order of the files.
        found.sort_by_key(|&(priority, _)| priority);
        if list.ends_with("dtors") {
            found.reverse();
        }
        Ok(found.into_iter().map(|(_, func)| func).collect())
    }

    /// Whether an entry of such a list is about a variable of which the program has another module's copy.
    fn is_of_another_module(&self, m: usize, entry: ConstantId) -> bool {
        let module = self.linked.modules[m];
        let ConstantKind::Aggregate(parts) = &module.constant(entry).kind else { return false };
        let variable = parts.get(2).map(|&part| &module.constant(part).kind);
        matches!(variable, Some(ConstantKind::Symbol(name)) if self.linked.is_discarded(m, *name))
    }

    /// The function that calls `main` and ends the program when it returns. A thread that ends inside `main` by
    /// `pthread_exit` leaves this function too, and the program goes on. All else is lowered.
    pub(super) fn call_of_main(&mut self, surroundings: &Surroundings) -> Function {
        let mut caller = empty("call of main");
        let register = |caller: &mut Function, name: &str| {
            caller.registers.push(Register::variable(name, Ty::Int));
            Reg(caller.registers.len() as u32 - 1)
        };
        let needs = |i: u32| {
            (i as usize) < surroundings.parameters && self.program.function(surroundings.main).reads_parameter(Reg(i))
        };
        let (count, values, environment) = (needs(0), needs(1), needs(2));
        let mut args = vec![Operand::Const(0); surroundings.parameters];
        if count || values {
            let argc = register(&mut caller, "argc");
            let (lo, hi) = match self.settings.argc {
                Some(argc) => (argc.into(), argc.into()),
                None if self.settings.proof => (0, i32::MAX.into()),
                None => (0, MOST_ARGUMENTS as Value),
            };
            emit(&mut caller, Inst::Choose { dst: argc, lo, hi });
            args[0] = Operand::Reg(argc);
            if lo == hi {
                self.program.assumptions.push(format!("`argc` is {lo}"));
            } else if !self.settings.proof {
                self.program.assumptions.push(format!("`argc` is at most {MOST_ARGUMENTS}"));
            }
            if values && self.settings.proof {
                args[1] = Operand::Const(self.unknown_text("the command-line arguments"));
            } else if values {
                let argv = register(&mut caller, "argv");
                let is = register(&mut caller, "");
                let text = self.unknown_text("the text of a command-line argument");
                emit(&mut caller, copy(argv, self.argument_vector(0, text)));
                for n in 1..=MOST_ARGUMENTS {
                    let vector = Operand::Const(self.argument_vector(n, text));
                    let (a, b) = (Operand::Reg(argc), Operand::Const(n as Value));
                    emit(&mut caller, Inst::Arithmetic { dst: is, op: ArithmeticOp::Eq, bits: 32, a, b });
                    let (cond, no) = (Operand::Reg(is), Operand::Reg(argv));
                    emit(&mut caller, Inst::Select { dst: argv, cond, yes: vector, no });
                }
                args[1] = Operand::Reg(argv);
            }
        }
        if environment {
            args[2] = Operand::Const(self.unknown_text("the environment of the program"));
        }
        let status = register(&mut caller, "status");
        emit(&mut caller, Inst::Call { dst: Some(status), func: surroundings.main, args });
        self.refuse_to_be_left(&mut caller);
        match surroundings.exit {
            Some(func) => {
                emit(&mut caller, Inst::Call { dst: None, func, args: vec![Operand::Reg(status)] });
                self.refuse_to_be_left(&mut caller);
            }
            None => emit(&mut caller, Inst::ExitProgram { status: Operand::Reg(status) }),
        }
        caller
    }

    fn next_global(&self) -> u64 {
        let globals = self.program.globals.last().map_or(memory::GLOBALS, |g| g.pointer + g.bytes.len() as u64);
        let undefined = self.program.undefined.iter().map(|undefined| undefined.end).max().unwrap_or(0);
        (globals.max(undefined) + 16).next_multiple_of(16)
    }

    /// Where something is of which the content is not known.
    fn unknown_text(&mut self, what: &str) -> Value {
        let (start, construct) = (self.next_global(), self.construct(what.to_owned()));
        self.program.undefined.push(Undefined { start, end: start + UNKNOWN_ROOM, construct });
        start as Value
    }

    /// An array of this many arguments and a null pointer.
    fn argument_vector(&mut self, count: u64, text: Value) -> Value {
        let pointer = self.next_global();
        let stride = UNKNOWN_ROOM / (MOST_ARGUMENTS + 1);
        let bytes = (0..count).flat_map(|i| (text + (i * stride) as Value).to_le_bytes()).chain([0; 8]).collect();
        self.program.globals.push(Global { name: "argv".to_owned(), pointer, bytes, ..Global::default() });
        pointer as Value
    }

    /// The result of a function that prints is looked at.
    pub(super) fn assume_output(&mut self) {
        self.assume("output succeeds (`--failing-calls` lets it fail)".to_owned());
    }

    /// What the program takes for granted by calling functions of the library, which have all been asked for.
    pub(super) fn note_assumptions(&mut self) {
        let mut own = self.linked.modules.iter().enumerate().filter(|&(m, _)| !self.is_library(m));
        if self.abort == Abort::End && own.any(|(_, module)| conventions::calls_abort(module)) {
            self.program.assumptions.push("`abort` is an end of the program (`--abort error`: an error)".to_owned());
        }
        let used = |name: &str| match self.linked.named(name) {
            Some(Definition::Function(m, i)) => self.is_library(m) && self.is_needed((m, i)),
            _ => false,
        };
        let mut may_fail: Vec<String> = MAY_FAIL.iter().filter(|name| used(name)).map(|name| readable(name)).collect();
        may_fail.dedup();
        let verb = |names: &[String]| if names.len() == 1 { "succeeds" } else { "succeed" };
        let frees = ["free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"].into_iter().any(used);
        let joins = ONCE.into_iter().any(used);
        if frees && self.compares_pointers {
            let text = match self.reuses_memory {
                true => "freed memory is used again only by malloc and new, for objects of the same size",
                false => "freed memory is not used again",
            };
            self.program.assumptions.push(text.to_owned());
        }
        if self.settings.proof && joins {
            self.program
                .assumptions
                .push("no thread is joined or detached twice (`explore` looks for that)".to_owned());
        }
        if !may_fail.is_empty() && !self.settings.failing {
            let text =
                format!("{} {} (`--failing-calls` lets {} fail)", list(&may_fail), verb(&may_fail), them(&may_fail));
            self.program.assumptions.push(text);
        }
        self.note_assumptions_about_system();
    }
}

pub(super) fn undefined(name: &str) -> String {
    let name = unknown::readable(name);
    format!("the variable `{name}` without a definition (define it, or check its file too, with `--together`)")
}

fn readable(name: &str) -> String {
    if name.starts_with("_Zn") { "new".to_owned() } else { name.to_owned() }
}

fn them(names: &[String]) -> &'static str {
    if names.len() == 1 { "it" } else { "them" }
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn copy(dst: Reg, value: Value) -> Inst {
    Inst::Copy { dst, a: Operand::Const(value) }
}

/// Calls the function that calls `main`. What follows is reached only by `pthread_exit`: it tells threads that join, or
/// is refused.
pub(super) fn run_main(start: &mut Function, caller: FuncId, end: Option<FuncId>, refused: Option<u32>) {
    start.registers.push(Register::temporary(Ty::Int));
    let result = Reg(start.registers.len() as u32 - 1);
    emit(start, Inst::Call { dst: Some(result), func: caller, args: Vec::new() });
    if let Some(func) = end {
        emit(start, Inst::Call { dst: None, func, args: Vec::new() });
    }
    if let Some(construct) = refused {
        emit(start, Inst::Fail { failure: Failure::Unsupported { construct } });
        return;
    }
    let place = |pointer: u64| Place::Memory(Memory::aligned(Operand::Const(pointer as Value), 0, 8));
    let (value, order) = (Operand::Reg(result), Ordering::NonAtomic);
    emit(start, Inst::Store { place: place(memory::result_cell(0)), value, order });
    let (value, order) = (Operand::Const(1), Ordering::Release);
    emit(start, Inst::Store { place: place(memory::end_cell(0)), value, order });
}

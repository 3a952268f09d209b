//! What our C library asks of the lowering: error numbers, numbers that nothing determines, printing, and what it
//! should do only for programs that can tell.

use fencepost_llvm::{Call, Callee, LocalId, Operand as Value};
use fencepost_program::{Allocation, Inst, Operand, Value as Word};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use super::link::{Definition, Linked};
use super::lower::Lowering;
use crate::input::Nondet;

/// Returns the address of the number of the last error of a thread; what it is called on macOS too.
pub(super) const ERROR_NUMBER: [&str; 2] = ["__errno_location", "__error"];
/// Functions for which `pthread_exit` has more to do than to end the thread.
const CLEAN_UP: [&str; 2] = ["__fencepost_cleanup_push", "__pthread_register_cancel"];
/// Functions after which more is done at the end of a thread.
const KEYS: [&str; 2] = ["pthread_key_create", "tss_create"];
/// What a program calls for each `thread_local` variable of C++ that has a destructor, and what runs these.
pub(super) const THREAD_LOCAL: &str = "__cxa_thread_atexit";
pub(super) const RUN_THREAD_LOCALS: &str = "__fencepost_run_thread_locals";
/// What `rand` returns unless the options say more.
pub(super) const FEW: (Word, Word) = (0, 3);

/// The variable that holds the number of the last error.
pub(super) fn error_variable(linked: &Linked) -> Option<(usize, usize)> {
    let Definition::Function(m, _) = linked.named(ERROR_NUMBER[0])? else { return None };
    let module = linked.modules[m];
    let i = module.globals.iter().position(|global| module.name(global.name) == "errno")?;
    Some((m, i))
}

/// Whether a call returns the address of that variable, and is not one of a function of the program's own.
pub(super) fn is_error_address(linked: &Linked, m: usize, callee: Callee) -> bool {
    let Callee::Symbol(name) = callee else { return false };
    if !ERROR_NUMBER.contains(&linked.modules[m].name(name)) {
        return false;
    }
    let Some(Definition::Function(own, i)) = linked.resolve(m, name) else { return false };
    error_variable(linked).is_some_and(|(library, _)| own == library || !linked.function((own, i)).is_defined())
}

/// Functions whose results are taken for granted, and what is said then; the second text in proofs, if it is another.
const ASSUMED: [(&[&str], &str, Option<&str>); 5] = [
    (
        &["time", "clock", "clock_gettime", "gettimeofday", "timespec_get", "__fencepost_ticks"],
        "the time that is read goes on three times at most, by 1,000 seconds each",
        None,
    ),
    (&["getenv", "secure_getenv"], "no environment variable is set", Some("no environment variable is set")),
    (
        &["sysconf", "getpagesize", "get_nprocs", "get_nprocs_conf"],
        "there are 4 processors, and a page has 4096 bytes",
        Some("there are 4 processors, and a page has 4096 bytes"),
    ),
    (&["getpid", "getppid", "gettid"], "the process has the number 1000", Some("the process has the number 1000")),
    (&["drand48"], "`drand48` returns 0, 0.25, 0.5 or 0.75", None),
];
const RANDOM: [&str; 4] = ["rand", "random", "lrand48", "rand_r"];

impl Lowering<'_> {
    /// Whether the program itself declares one of these functions.
    pub(super) fn declares(&self, names: &[&str]) -> bool {
        let mut own = self.linked.modules.iter().enumerate().filter(|&(m, _)| !self.is_library(m));
        own.any(|(_, module)| module.functions.iter().any(|function| names.contains(&module.name(function.name))))
    }

    /// Whether the program can see error numbers.
    fn sees_errors(&self) -> bool {
        self.declares(&ERROR_NUMBER) || self.declares(&["perror"])
    }

    /// What is taken for granted about the system, as far as the program asks about it.
    pub(super) fn note_assumptions_about_system(&mut self) {
        let used = |name: &&str| match self.linked.named(name) {
            Some(Definition::Function(m, i)) => self.is_library(m) && self.is_needed((m, i)),
            _ => false,
        };
        let proof = self.settings.proof;
        let texts = ASSUMED.iter().filter(|(names, ..)| names.iter().any(used));
        let mut found: Vec<String> =
            texts.filter_map(|&(_, text, proved)| if proof { proved } else { Some(text) }).map(str::to_owned).collect();
        if let Some(name) = RANDOM.iter().find(|name| used(name)) {
            let (lo, hi) = self.random_numbers();
            match self.settings.nondet {
                Nondet::Every => {}
                Nondet::Few => self.bound(name, &format!("returns {lo} to {hi}")),
                Nondet::Within(..) => found.push(format!("`{name}` returns {lo} to {hi}")),
            }
        }
        self.program.assumptions.extend(found);
    }

    /// The smallest and the largest random number.
    fn random_numbers(&self) -> (Word, Word) {
        match self.settings.nondet {
            Nondet::Every => (0, i32::MAX.into()),
            Nondet::Within(lo, hi) => (lo.max(0), hi.min(i32::MAX.into())),
            Nondet::Few => FEW,
        }
    }

    /// What a thread does at its end.
    pub(super) fn end_of_threads(&mut self) -> Option<fencepost_program::FuncId> {
        let name = match (self.declares(&KEYS), self.declares(&[THREAD_LOCAL])) {
            (true, _) => "__fencepost_thread_ends",
            (false, true) => RUN_THREAD_LOCALS,
            (false, false) => return None,
        };
        match self.linked.named(name)? {
            Definition::Function(m, i) => Some(self.function_id((m, i))),
            Definition::Global(..) => None,
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call of what only our library calls, or of what is less than a call. Returns false for others.
    pub(super) fn system_primitive(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        name: &str,
    ) -> Result<bool, Unsupported> {
        let argument = |lowering: &mut Self, i: usize| match call.arguments.get(i) {
            Some(argument) => lowering.value(argument.value),
            None => Err(format!("a call of `{name}` without its arguments")),
        };
        match name {
            _ if is_error_address(&self.lowering.linked, self.m, call.callee) => {
                let Some(&at) =
                    error_variable(&self.lowering.linked).and_then(|at| self.lowering.thread_locals.get(&at))
                else {
                    return Err(format!("a call of `{name}`, whose code is not known"));
                };
                let dst = self.result(result);
                self.emit(Inst::ThreadLocalAddress { dst, offset: at.offset, shared: at.shared });
            }
            "__fencepost_set_errno" => {
                if self.lowering.sees_errors() {
                    let number = argument(self, 0)?;
                    self.call_library(None, "__fencepost_store_errno", vec![number])?;
                }
            }
            "__fencepost_end_thread_locals" => {
                if self.lowering.declares(&[THREAD_LOCAL]) {
                    self.call_library(None, RUN_THREAD_LOCALS, Vec::new())?;
                }
            }
            "__fencepost_leave_thread" => {
                let value = argument(self, 0)?;
                if self.lowering.declares(&CLEAN_UP) {
                    self.call_library(None, "__fencepost_exit_after_cleanup", vec![value])?;
                } else {
                    self.emit(Inst::ExitThread { value });
                }
            }
            "__fencepost_any_number" => {
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo: 0, hi: Word::MAX });
            }
            "__fencepost_any_random" => {
                let (lo, hi) = self.lowering.random_numbers();
                if lo > hi {
                    return Err("`rand`, which has no value within `--nondet`".to_owned());
                }
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo, hi });
            }
            "__fencepost_alloc_zeroed_aligned" => {
                let (size, alignment) = (argument(self, 0)?, argument(self, 1)?);
                let dst = self.result(result);
                self.emit(Inst::Alloc { dst, size, alignment, allocation: Allocation::Zeroed, at: None });
            }
            "__fencepost_show" => {
                let format = argument(self, 0)?;
                let format = self.literal(format).ok_or("output whose format is not known")?;
                let args = self.arguments(&call.arguments[1..])?;
                let shown = self.lowering.settings.output;
                self.emit(Inst::Print { format, args, shown });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A function of the math library that LLVM has as an intrinsic, by the name of the intrinsic.
    pub(super) fn library_intrinsic(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        base: &str,
    ) -> Result<bool, Unsupported> {
        let Some(function) = library_function(base) else { return Ok(false) };
        let arguments: Vec<Value> = call.arguments.iter().map(|argument| argument.value).collect();
        let arguments = arguments.into_iter().map(|value| self.value(value)).collect::<Result<Vec<Operand>, _>>()?;
        self.call_library(result, &function, arguments)?;
        Ok(true)
    }
}

/// Whether an intrinsic is a function of our library.
pub(super) fn is_of_library(base: &str) -> bool {
    library_function(base).is_some()
}

/// The function of the math library that does what an intrinsic does for one number.
fn library_function(base: &str) -> Option<String> {
    let (name, ty) = base.split_once('.')?;
    let suffix = match ty.rsplit('.').next() {
        Some("f64") => "",
        Some("f32") => "f",
        _ => return None,
    };
    match name {
        "rint" | "nearbyint" | "round" | "roundeven" | "lround" | "llround" | "lrint" | "llrint" => {
            Some(format!("{name}{suffix}"))
        }
        "is" if ty.starts_with("fpclass") => Some(format!("__fencepost_has_class{suffix}")),
        _ => None,
    }
}

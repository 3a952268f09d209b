//! From LLVM IR to a program.

use std::rc::Rc;

use fencepost_budget::Budget;
use fencepost_llvm::{Callee, Module, Op};
use fencepost_program::{
    Comparison, FuncId, Function, Inst, Memory, Operand, Ordering, Place, Program, Reg, Register, Source, Span, Thread,
    Ty, Value, memory,
};
use hashbrown::HashMap;

use super::Failure;
use super::conventions;
use super::debug::{Quotable, Sources, is_in_system_header};
use super::environment;
use super::escape::Escapes;
use super::function::FunctionLowering;
use super::link::{Definition, Linked};
use super::linkage::no_main;
use super::primitives::ASSERTS;
use super::reach::reached;
use super::reuse;
use super::sections::Sections;
use super::throwing::Throwing;
use crate::input::{Abort, Settings};

/// Why there is no program.
pub(super) struct Refusal {
    pub message: String,
    pub at: Option<At>,
}

/// What a refusal is about: a line of a text.
pub(super) enum At {
    Source(Source, u32),
    /// Of the LLVM IR with this number.
    Ir(usize, u32),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { message, at: None }
    }
}

/// What the lowering of all functions shares.
pub(super) struct Lowering<'m> {
    pub linked: Linked<'m>,
    pub program: Program,
    pub sources: Sources,
    pub escapes: Escapes,
    /// Where global variables are, and where thread-locals are in each thread's own memory.
    pub pointers: HashMap<(usize, usize), u64>,
    pub thread_locals: HashMap<(usize, usize), ThreadLocal>,
    /// What is wrong with global variables.
    pub refused: Vec<Refusal>,
    ids: HashMap<(usize, usize), FuncId>,
    /// The functions that stand for pointers to functions with variable arguments.
    variadic: HashMap<(usize, usize), FuncId>,
    todo: Vec<(usize, usize)>,
    /// The number of the first module that is ours.
    library: usize,
    pub settings: Settings,
    pub abort: Abort,
    /// The atomic sections, if there are any.
    pub sections: Option<Rc<Sections>>,
    /// The program can tell when freed memory is allocated again, and that may happen.
    pub compares_pointers: bool,
    pub reuses_memory: bool,
    pub throwing: Throwing,
}

/// Where a thread-local variable is: in each thread's own memory, or in what others may reach.
#[derive(Clone, Copy)]
pub(super) struct ThreadLocal {
    pub offset: u32,
    pub shared: bool,
}

/// Makes a program of modules. Those after the ones that have names are ours, and their code is shown at the place
/// that calls it.
pub(super) fn lower(
    modules: Vec<&Module>,
    names: &[String],
    quotable: Quotable,
    settings: Settings,
    budget: &Budget,
) -> Result<Program, Failure> {
    let library = names.len();
    let compares_pointers = modules[..library].iter().any(|module| reuse::compares_pointers(module));
    let sv_comp = modules[..library].iter().any(|module| conventions::follows_sv_comp(module));
    let usual = if sv_comp { Abort::End } else { Abort::Error };
    let mut lowering = Lowering {
        linked: Linked::new(modules, library),
        program: Program { constructs: vec![Program::NO_ROOM_TEXT.to_owned()], ..Program::default() },
        sources: Sources::new(quotable),
        escapes: Escapes::default(),
        pointers: HashMap::new(),
        thread_locals: HashMap::new(),
        refused: Vec::new(),
        ids: HashMap::new(),
        variadic: HashMap::new(),
        todo: Vec::new(),
        library,
        settings,
        abort: settings.abort.unwrap_or(usual),
        sections: None,
        compares_pointers,
        reuses_memory: compares_pointers && !settings.no_reuse,
        throwing: Throwing::default(),
    };
    lowering.check_linkage(names)?;
    let Some(Definition::Function(m, i)) = lowering.linked.named("main") else {
        return Err(no_main(names).into());
    };
    let races = !settings.ignores_races;
    lowering.sections = Sections::of(&lowering.linked, library, &mut lowering.escapes, races).map(Rc::new);
    // The first three functions are ours.
    lowering.program.functions = vec![empty("start of main"), empty("start of a thread"), empty("call of main")];
    lowering.program.thread_entry = Some(FuncId(1));
    // The C library is small, and lowering calls its functions by name.
    let reached = reached(&lowering.linked, library);
    lowering.throwing = Throwing::of(&lowering.linked, &reached);
    lowering.place_globals(&reached);
    if !lowering.refused.is_empty() {
        return Err(lowering.refused.swap_remove(0).into());
    }
    let surroundings = lowering.surroundings((m, i));
    let mut start = empty("start of main");
    for constructor in lowering.listed_functions("llvm.global_ctors")? {
        emit(&mut start, Inst::Call { dst: None, func: constructor, args: Vec::new() });
        lowering.refuse_to_be_left(&mut start);
    }
    let end_of_threads = lowering.end_of_threads();
    environment::run_main(&mut start, FuncId(2), end_of_threads, lowering.refused_end_of_main());
    lowering.program.functions[0] = start;
    lowering.program.functions[1] = thread_entry(&lowering, end_of_threads);
    lowering.program.threads = vec![Thread { name: "main".to_owned(), func: FuncId(0), args: Vec::new() }];
    while let Some(at) = lowering.todo.pop() {
        budget.check()?;
        let id = lowering.ids[&at];
        let function = FunctionLowering::new(&mut lowering, at).lower();
        lowering.program.functions[id.0 as usize] = function;
    }
    lowering.program.functions[2] = lowering.call_of_main(&surroundings);
    lowering.note_assumptions();
    lowering.note_uncalled_assertions();
    lowering.note_members();
    lowering.program.sources = std::mem::take(&mut lowering.sources.files);
    Ok(lowering.program)
}

impl Lowering<'_> {
    /// Functions that nothing refers to are not lowered, but their assertions count.
    fn note_uncalled_assertions(&mut self) {
        for m in 0..self.library {
            let module = self.linked.modules[m];
            for (i, function) in module.functions.iter().enumerate() {
                let header = function.debug.is_some_and(|id| is_in_system_header(module, id));
                let meant = self.linked.is_meant(Definition::Function(m, i));
                if header || !meant || self.ids.contains_key(&(m, i)) {
                    continue;
                }
                for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
                    if let (Op::Call(call), Some(location)) = (&instruction.op, instruction.location)
                        && let Callee::Symbol(name) = call.callee
                        && (module.name(name) == ASSERTS || conventions::is_assertion(module.name(name)))
                    {
                        let span = self.sources.span(m, module, location);
                        self.program.functions[0].asserted.push(span);
                    }
                }
            }
        }
    }

    /// The number of a function that is needed.
    pub(super) fn function_id(&mut self, at: (usize, usize)) -> FuncId {
        if let Some(&known) = self.ids.get(&at) {
            return known;
        }
        let id = FuncId(self.program.functions.len() as u32);
        let module = self.linked.modules[at.0];
        self.program.functions.push(empty(module.name(self.linked.function(at).name)));
        self.ids.insert(at, id);
        self.todo.push(at);
        id
    }

    pub(super) fn is_variadic(&self, at: (usize, usize)) -> bool {
        let function = self.linked.function(at);
        function.varargs && function.is_defined()
    }

    /// What a pointer to a function with variable arguments points to. Who calls through it does not know where to put
    /// them.
    pub(super) fn variadic_pointer(&mut self, at: (usize, usize)) -> FuncId {
        if let Some(&known) = self.variadic.get(&at) {
            return known;
        }
        let name = self.linked.modules[at.0].name(self.linked.function(at).name);
        let construct = self.construct(format!("a call through a pointer of `{name}`, which has variable arguments"));
        let mut function = empty(name);
        emit(&mut function, Inst::Fail { failure: fencepost_program::Failure::Unsupported { construct } });
        let id = FuncId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        self.variadic.insert(at, id);
        id
    }

    /// The number of the module that is the C library: it comes last.
    pub(super) fn c_library(&self) -> usize {
        self.linked.modules.len() - 1
    }

    pub(super) fn is_library(&self, m: usize) -> bool {
        m >= self.library
    }

    /// Whether some code that can be reached calls a function or takes its address.
    pub(super) fn is_needed(&self, at: (usize, usize)) -> bool {
        self.ids.contains_key(&at)
    }

    /// What is taken for granted, unless that was said already.
    pub(super) fn assume(&mut self, text: String) {
        if !self.program.assumptions.contains(&text) {
            self.program.assumptions.push(text);
        }
    }

    /// Not all values of a function are tried.
    pub(super) fn bound(&mut self, name: &str, what: &str) {
        let text = format!("`{name}` {what}");
        if !self.program.bounds.contains(&text) {
            self.program.bounds.push(text);
        }
    }

    /// The number of an unsupported construct.
    pub(super) fn construct(&mut self, text: String) -> u32 {
        let constructs = &mut self.program.constructs;
        if let Some(known) = constructs.iter().position(|known| *known == text) {
            return known as u32;
        }
        constructs.push(text);
        constructs.len() as u32 - 1
    }
}

pub(super) fn empty(name: &str) -> Function {
    Function { name: name.to_owned(), ..Function::default() }
}

pub(super) fn emit(function: &mut Function, inst: Inst) {
    function.code.push(inst);
    function.spans.push(Span::default());
}

/// What a spawned thread runs: it waits until it may start, calls its function, and tells that it has ended.
fn thread_entry(lowering: &Lowering, end: Option<FuncId>) -> Function {
    let mut entry = empty("start of a thread");
    entry.params = 2;
    entry.registers = vec![Register::temporary(Ty::Int); 4];
    let [function, argument, result, cells] = [0, 1, 2, 3].map(Reg);
    let cell =
        |offset: u64| Place::Memory(Memory::aligned(Operand::Reg(cells), (offset - memory::start_cell(0)) as i32, 8));
    emit(&mut entry, Inst::CurrentThread { dst: cells });
    let stride = (memory::start_cell(1) - memory::start_cell(0)) as Value;
    let times = fencepost_program::ArithmeticOp::Mul;
    emit(
        &mut entry,
        Inst::Arithmetic { dst: cells, op: times, bits: 64, a: Operand::Reg(cells), b: Operand::Const(stride) },
    );
    let plus = fencepost_program::ArithmeticOp::Add;
    let first = Operand::Const(memory::start_cell(0) as Value);
    emit(&mut entry, Inst::Arithmetic { dst: cells, op: plus, bits: 64, a: Operand::Reg(cells), b: first });
    emit(
        &mut entry,
        Inst::Wait {
            dst: None,
            place: cell(memory::start_cell(0)),
            comparison: Comparison::Eq,
            value: Operand::Const(1),
            order: Ordering::Acquire,
        },
    );
    let args = vec![Operand::Reg(argument)];
    emit(&mut entry, Inst::CallPointer { dst: Some(result), target: Operand::Reg(function), args });
    if lowering.throwing.pointers() {
        lowering.refuse_to_be_left(&mut entry);
    }
    if let Some(func) = end {
        emit(&mut entry, Inst::Call { dst: None, func, args: Vec::new() });
        if lowering.throwing.pointers() {
            lowering.refuse_to_be_left(&mut entry);
        }
    }
    // Memory starts as 0, so that most threads need not write their result.
    let after = entry.code.len() as u32 + 2;
    emit(&mut entry, Inst::Branch { cond: Operand::Reg(result), yes: after - 1, no: after });
    let order = Ordering::NonAtomic;
    emit(&mut entry, Inst::Store { place: cell(memory::result_cell(0)), value: Operand::Reg(result), order });
    let order = Ordering::Release;
    emit(&mut entry, Inst::Store { place: cell(memory::end_cell(0)), value: Operand::Const(1), order });
    entry
}

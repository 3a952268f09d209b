//! Global variables: where they are, and what they hold at first.

use fencepost_llvm::{Binary, Cast, ConstantId, ConstantKind, Linkage, Symbol, Type, TypeId};
use fencepost_program::{ArithmeticOp, Global, Part, Span, UnaryOp, Value, ValueKind, memory};
use hashbrown::HashSet;

use super::leaves::leaves;
use super::link::Definition;
use super::lower::{At, Lowering, Refusal, ThreadLocal};
use super::sections::DEPTH;
use super::unknown::readable_alone;
use super::wide::words;

/// Bytes between two variables, so that running over the end of one is not an access to the next.
const GAP: u64 = 16;

/// Bytes of all global variables: they are held as they are, so more would be as dear as it looks.
const MOST_GLOBAL_BYTES: u64 = 1 << 28;
/// Every state of a thread has its own.
const MOST_THREAD_LOCAL_BYTES: u64 = 1 << 20;

/// Why something cannot be lowered: the construct, in the words of the user.
pub(super) type Unsupported = String;

impl Lowering<'_> {
    /// Gives every global variable its place, and then its contents.
    pub(super) fn place_globals(&mut self, reached: &HashSet<Definition>) {
        let mut pointer = memory::GLOBALS;
        let shared = self.escapes.shared_thread_locals(&self.linked);
        let mut shared_end = 0;
        let mut places = Vec::new();
        for m in 0..self.linked.modules.len() {
            let module = self.linked.modules[m];
            for (i, global) in module.globals.iter().enumerate() {
                if !reached.contains(&Definition::Global(m, i)) {
                    continue;
                }
                let (size, alignment) = match module.types.size_and_alignment(global.ty) {
                    Some(known) => known,
                    // Only its address is known here.
                    None if global.init.is_none() => (8, 8),
                    None => {
                        self.refuse(m, i, "has no size, or 2^62 bytes or more".to_owned());
                        continue;
                    }
                };
                let (all, most) = match global.thread_local {
                    true => (self.program.thread_local.len() as u64, MOST_THREAD_LOCAL_BYTES),
                    false => (pointer - memory::GLOBALS, MOST_GLOBAL_BYTES),
                };
                if size > most - all.min(most) && !self.is_library(m) {
                    let kind = if global.thread_local { "thread-local" } else { "global" };
                    self.refuse(m, i, format!("has {size} bytes; all {kind} variables together may have {most}"));
                    continue;
                }
                let alignment = alignment.max(self.linked.alignment((m, i))).clamp(8, 1 << 16).next_power_of_two();
                // Every state of a thread holds its thread-local memory.
                let unused = self.sections.is_none() && module.name(global.name) == DEPTH;
                if global.thread_local && m == self.c_library() && unused {
                    continue;
                }
                if global.thread_local && global.init.is_none() {
                    continue;
                }
                if global.thread_local && shared.contains(&(m, i)) {
                    let start = u64::from(memory::STACK_START);
                    let at = u64::next_multiple_of(start + shared_end, alignment) - start;
                    shared_end = at + size.max(1) + 8;
                    self.thread_locals.insert((m, i), ThreadLocal { offset: at as u32, shared: true });
                    continue;
                }
                if global.thread_local {
                    let at = (self.program.thread_local.len() as u64).next_multiple_of(alignment);
                    self.program.thread_local.resize((at + size.max(1)) as usize, 0);
                    self.thread_locals.insert((m, i), ThreadLocal { offset: at as u32, shared: false });
                    continue;
                }
                pointer = (pointer + GAP).next_multiple_of(alignment);
                self.pointers.insert((m, i), pointer);
                if global.init.is_none() {
                    pointer = self.place_undefined(pointer, size, module.name(global.name));
                    continue;
                }
                places.push((m, i, pointer, size));
                pointer += size;
            }
        }
        for (m, i, pointer, size) in places {
            let global = self.global(m, i, pointer, size);
            self.program.globals.push(global);
        }
        let thread_locals: Vec<_> = self.thread_locals.iter().map(|(&place, &at)| (place, at)).collect();
        for ((m, i), ThreadLocal { offset, shared }) in thread_locals {
            let size = self.linked.modules[m].types.size(self.linked.global((m, i)).ty).unwrap_or(8);
            if shared {
                let global = self.global(m, i, u64::from(offset), size);
                self.program.shared_thread_locals.push(global);
                continue;
            }
            let bytes = self.initial_bytes(m, i, size);
            self.program.thread_local[offset as usize..offset as usize + bytes.len()].copy_from_slice(&bytes);
        }
        self.program.shared_thread_locals.sort_by_key(|global| global.pointer);
    }

    /// A global variable, with what it holds and what the source calls it.
    fn global(&mut self, m: usize, i: usize, pointer: u64, size: u64) -> Global {
        let bytes = self.initial_bytes(m, i, size);
        let module = self.linked.modules[m];
        let global = &module.globals[i];
        let variable = global.debug.iter().find_map(|&id| module.metadata.variable(id));
        let (name, span) = match variable {
            Some(variable) => {
                let file = variable.file.map(|file| self.sources.file(m, module, file)).unwrap_or_default();
                (module.name(variable.name).into(), Span { file, line: variable.line, column: 1, length: 1 })
            }
            None => (readable_alone(module.name(global.name)), Span::default()),
        };
        let parts = match variable.and_then(|variable| variable.ty) {
            Some(ty) => super::types::parts(module, ty),
            None => self.elements(m, global.ty),
        };
        // What is defined elsewhere may hold anything.
        let constant = global.constant && global.init.is_some();
        Global { name: name.into_owned(), pointer, bytes, constant, parts, span }
    }

    fn initial_bytes(&mut self, m: usize, i: usize, size: u64) -> Vec<u8> {
        let mut bytes = vec![0; size as usize];
        if let Some(init) = self.linked.global((m, i)).init
            && let Err(construct) = self.write_constant(m, init, 0, &mut bytes)
        {
            self.refuse(m, i, format!("starts as {construct}, which is not supported"));
        }
        bytes
    }

    /// Says what is wrong with a variable, and where it is.
    fn refuse(&mut self, m: usize, i: usize, what: String) {
        let module = self.linked.modules[m];
        let global = self.linked.global((m, i));
        let variable = global.debug.iter().find_map(|&id| module.metadata.variable(id));
        let name = module.name(variable.map_or(global.name, |variable| variable.name));
        let message = format!("the global variable `{name}` {what}");
        let at = match variable.and_then(|variable| Some((variable.file?, variable.line))) {
            Some((file, line)) => {
                let file = self.sources.file(m, module, file);
                At::Source(self.sources.files[file.0 as usize].clone(), line)
            }
            None => At::Ir(m, global.line),
        };
        self.refused.push(Refusal { message, at: Some(at) });
    }

    /// `[1]`: without debug information, arrays have names for their elements.
    fn elements(&self, m: usize, ty: TypeId) -> Vec<Part> {
        let types = &self.linked.modules[m].types;
        if !matches!(types.get(ty), Type::Array { .. }) {
            return Vec::new();
        }
        let elements = types.parts(ty, 256).into_iter().enumerate();
        let part = |(i, (offset, _))| Part { offset: offset as u32, name: format!("[{i}]"), kind: ValueKind::Signed };
        elements.map(part).collect()
    }

    fn write_constant(&mut self, m: usize, id: ConstantId, at: u64, out: &mut [u8]) -> Result<(), Unsupported> {
        let module = self.linked.modules[m];
        let constant = module.constant(id);
        match &constant.kind {
            ConstantKind::Zero | ConstantKind::Undef => Ok(()),
            ConstantKind::Bytes(bytes) => {
                put(out, at, bytes);
                Ok(())
            }
            ConstantKind::Aggregate(elements) => {
                if let Type::Vector { .. } = module.types.get(constant.ty) {
                    return self.write_leaves(m, id, at, out);
                }
                let parts = module.types.parts(constant.ty, elements.len());
                for (&element, (offset, _)) in elements.iter().zip(parts) {
                    self.write_constant(m, element, at.saturating_add(offset), out)?;
                }
                Ok(())
            }
            ConstantKind::Wide(_) | ConstantKind::Splat(_) => self.write_leaves(m, id, at, out),
            _ => {
                let size = module.types.size(constant.ty).unwrap_or(0).min(8);
                let value = self.constant(m, id)?;
                put(out, at, &value.to_le_bytes()[..size as usize]);
                Ok(())
            }
        }
    }

    /// Writes a constant scalar by scalar.
    fn write_leaves(&mut self, m: usize, id: ConstantId, at: u64, out: &mut [u8]) -> Result<(), Unsupported> {
        let module = self.linked.modules[m];
        let ty = module.constant(id).ty;
        let mut values = Vec::new();
        self.scalars(m, id, &mut values)?;
        for (leaf, value) in leaves(&module.types, ty)?.into_iter().zip(values) {
            if leaf.bits % 8 != 0 {
                return Err("a vector of bits in memory".to_owned());
            }
            put(out, at.saturating_add(leaf.offset), &value.to_le_bytes()[..leaf.size() as usize]);
        }
        Ok(())
    }

    /// The scalars of a constant.
    pub(super) fn scalars(&mut self, m: usize, id: ConstantId, out: &mut Vec<Value>) -> Result<(), Unsupported> {
        let module = self.linked.modules[m];
        let constant = module.constant(id);
        match &constant.kind {
            ConstantKind::Zero | ConstantKind::Undef => {
                let count = leaves(&module.types, constant.ty)?.len();
                out.resize(out.len() + count, 0);
                Ok(())
            }
            ConstantKind::Int { value, .. } if matches!(module.types.get(constant.ty), Type::Int(128)) => {
                out.extend(words((*value).into()));
                Ok(())
            }
            ConstantKind::Wide(value) => {
                if leaves(&module.types, constant.ty)?.len() != 2 {
                    return Err("an integer of more than 64 bits".to_owned());
                }
                out.extend(words(*value));
                Ok(())
            }
            ConstantKind::Splat(element) => {
                let Type::Vector { length, .. } = *module.types.get(constant.ty) else {
                    return Err("the constant `splat`".to_owned());
                };
                leaves(&module.types, constant.ty)?;
                (0..length).try_for_each(|_| self.scalars(m, *element, out))
            }
            ConstantKind::Bytes(bytes) => {
                out.extend(bytes.iter().map(|&b| Value::from(b as i8)));
                Ok(())
            }
            ConstantKind::Aggregate(elements) => {
                leaves(&module.types, constant.ty)?;
                elements.iter().try_for_each(|&element| self.scalars(m, element, out))
            }
            _ => {
                out.push(self.constant(m, id)?);
                Ok(())
            }
        }
    }

    /// The value of a scalar constant.
    pub(super) fn constant(&mut self, m: usize, id: ConstantId) -> Result<Value, Unsupported> {
        let module = self.linked.modules[m];
        let constant = module.constant(id);
        let bits = |ty: TypeId| leaves(&module.types, ty).map(|l| l.first().map_or(64, |leaf| leaf.bits as u8));
        match &constant.kind {
            ConstantKind::Splat(_) => Err("a vector as a value".to_owned()),
            ConstantKind::Int { wide: true, .. } | ConstantKind::Wide(_) => {
                Err("an integer of more than 64 bits".to_owned())
            }
            ConstantKind::Int { value, .. } => {
                bits(constant.ty)?;
                Ok(*value)
            }
            ConstantKind::Float(raw) => Ok(memory::sign_extended(*raw as Value, u32::from(bits(constant.ty)?))),
            ConstantKind::Zero | ConstantKind::Undef => match leaves(&module.types, constant.ty)?.len() {
                0 | 1 => Ok(0),
                _ => Err("an aggregate as a value".to_owned()),
            },
            ConstantKind::Symbol(name) => self.address_of(m, *name),
            ConstantKind::BlockAddress { function, block } => Ok(block_address(*function, *block)),
            ConstantKind::GetElementPtr { source, base, indices } => {
                let mut pointer = self.constant(m, *base)?;
                let mut ty = *source;
                for (i, &index) in indices.iter().enumerate() {
                    let index = self.constant(m, index)?;
                    let (offset, inner) = step_into(&module.types, ty, i, index)?;
                    pointer = pointer.wrapping_add(offset);
                    ty = inner;
                }
                Ok(pointer)
            }
            ConstantKind::Cast { op, value } => {
                let from = bits(module.constant(*value).ty)?;
                let value = self.constant(m, *value)?;
                let to = bits(constant.ty)?;
                let op = match op {
                    Cast::PtrToInt | Cast::Trunc => UnaryOp::Trunc,
                    Cast::IntToPtr | Cast::ZExt => UnaryOp::ZExt,
                    Cast::SExt => UnaryOp::SExt,
                    Cast::BitCast | Cast::AddrSpaceCast => return Ok(value),
                    _ => return Err("a constant conversion of floats".to_owned()),
                };
                Ok(op.apply(from, to, value))
            }
            ConstantKind::Binary { op, a, b } => {
                let (a, b) = (self.constant(m, *a)?, self.constant(m, *b)?);
                let op = arithmetic(*op);
                op.apply(bits(constant.ty)?, a, b).ok_or_else(|| "a constant division by zero".to_owned())
            }
            ConstantKind::Unsupported(keyword) => Err(format!("the constant `{}`", module.name(*keyword))),
            ConstantKind::Bytes(_) | ConstantKind::Aggregate(_) => Err("an aggregate as a value".to_owned()),
        }
    }

    /// Whether a weak name has no definition. What the real C library has counts as defined, even if ours lacks it.
    pub(super) fn is_null(&self, definition: Definition) -> bool {
        let (weak, defined, name) = match definition {
            Definition::Global(m, i) => {
                let global = self.linked.global((m, i));
                (global.linkage == Linkage::ExternWeak, global.init.is_some(), self.linked.modules[m].name(global.name))
            }
            Definition::Function(m, i) => {
                let function = self.linked.function((m, i));
                (
                    function.linkage == Linkage::ExternWeak,
                    function.is_defined(),
                    self.linked.modules[m].name(function.name),
                )
            }
        };
        weak && !defined && !name.starts_with("pthread_") && !name.starts_with("__pthread_")
    }

    /// The address of a global variable or a function. Thread-locals have none that is constant.
    fn address_of(&mut self, m: usize, name: Symbol) -> Result<Value, Unsupported> {
        let text = self.linked.modules[m].name(name);
        match self.linked.resolve(m, name) {
            Some(definition) if self.is_null(definition) => Ok(0),
            Some(Definition::Global(gm, gi)) => match self.pointers.get(&(gm, gi)) {
                Some(&pointer) => Ok(pointer as Value),
                None if self.linked.global((gm, gi)).init.is_none() => Err(super::environment::undefined(text)),
                None => Err(format!("the address of the thread-local `{text}` as a constant")),
            },
            Some(Definition::Function(fm, fi)) if self.is_variadic((fm, fi)) => {
                Ok(memory::function_pointer(self.variadic_pointer((fm, fi)).0) as Value)
            }
            Some(Definition::Function(fm, fi)) => Ok(memory::function_pointer(self.function_id((fm, fi)).0) as Value),
            None if self.linked.is_chosen_at_start(text) => Err(chosen_at_start(text)),
            None => Err(format!("`{text}`, which is not defined")),
        }
    }
}

/// Why a function that an `ifunc` chooses is not known.
pub(super) fn chosen_at_start(name: &str) -> Unsupported {
    format!("`{name}`, an ifunc, whose code is chosen when the program starts (define it as a function)")
}

/// What an index of `getelementptr` adds, and the type that it leads to.
pub(super) fn step_into(
    types: &fencepost_llvm::Types,
    ty: TypeId,
    position: usize,
    index: Value,
) -> Result<(Value, TypeId), Unsupported> {
    let scaled = |element: TypeId| {
        let size = types.size(element).ok_or("a type without a size")?;
        Ok((index.wrapping_mul(size as Value), element))
    };
    if position == 0 {
        return scaled(ty);
    }
    match types.get(ty) {
        Type::Struct { .. } => {
            let field = usize::try_from(index).ok().and_then(|index| types.field(ty, index));
            let (offset, inner) = field.ok_or("a field that does not exist")?;
            Ok((offset as Value, inner))
        }
        Type::Array { element, .. } => scaled(*element),
        _ => Err("an index into a vector".to_owned()),
    }
}

pub(super) fn arithmetic(op: Binary) -> ArithmeticOp {
    match op {
        Binary::Add => ArithmeticOp::Add,
        Binary::Sub => ArithmeticOp::Sub,
        Binary::Mul => ArithmeticOp::Mul,
        Binary::UDiv => ArithmeticOp::UDiv,
        Binary::SDiv => ArithmeticOp::SDiv,
        Binary::URem => ArithmeticOp::URem,
        Binary::SRem => ArithmeticOp::SRem,
        Binary::Shl => ArithmeticOp::Shl,
        Binary::LShr => ArithmeticOp::LShr,
        Binary::AShr => ArithmeticOp::AShr,
        Binary::And => ArithmeticOp::And,
        Binary::Or => ArithmeticOp::Or,
        Binary::Xor => ArithmeticOp::Xor,
        Binary::FAdd => ArithmeticOp::FAdd,
        Binary::FSub => ArithmeticOp::FSub,
        Binary::FMul => ArithmeticOp::FMul,
        Binary::FDiv => ArithmeticOp::FDiv,
        Binary::FRem => ArithmeticOp::FRem,
    }
}

fn put(out: &mut [u8], at: u64, bytes: &[u8]) {
    let at = at as usize;
    if let Some(place) = out.get_mut(at..at.saturating_add(bytes.len())) {
        place.copy_from_slice(bytes);
    }
}

/// What a program sees as the address of a label: nothing else has it, and nothing is there.
pub(super) fn block_address(function: Symbol, block: Symbol) -> Value {
    const BLOCKS: u64 = 1 << 51;
    (BLOCKS | u64::from(function.0) << 24 | u64::from(block.0) & 0xff_ffff) as Value
}

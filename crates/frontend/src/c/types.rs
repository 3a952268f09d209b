//! Names and types of the source, from debug information.

use fencepost_llvm::{
    ConstantKind, Instruction, LocalId, Metadata, MetadataId, Module, Op, Operand, SourceType, TypeId,
};
use fencepost_program::{Layout, Part, ValueKind};
use hashbrown::HashMap;

use super::globals::step_into;
use super::lower::Lowering;

/// Parts of one object that are given names, and elements of one array.
const MOST_PARTS: usize = 4096;
const MOST_ELEMENTS: u64 = 256;
const MOST_STEPS: usize = 100_000;
/// A name counts as one more step for each of these.
const BYTES_PER_STEP: usize = 16;
/// Types nest no deeper than this.
const DEEPEST: u32 = 32;

/// The scalars of a type, by their offsets in ascending order.
pub(super) fn parts(module: &Module, ty: MetadataId) -> Vec<Part> {
    let mut found = Found { module, parts: Vec::new(), steps: MOST_STEPS };
    found.add(ty, 0, String::new(), DEEPEST);
    // Members of a union, and bit fields, have one place; the first is as good as any.
    found.parts.sort_by_key(|part| part.offset);
    found.parts.dedup_by_key(|part| part.offset);
    found.parts
}

struct Found<'m> {
    module: &'m Module,
    parts: Vec<Part>,
    /// Steps that are left, for types that have many parts and nothing in them, and for long names of nested ones.
    steps: usize,
}

impl Found<'_> {
    fn add(&mut self, ty: MetadataId, offset: u64, name: String, depth: u32) {
        if self.parts.len() >= MOST_PARTS || depth == 0 || self.steps == 0 {
            return;
        }
        self.steps = self.steps.saturating_sub(1 + name.len() / BYTES_PER_STEP);
        let source = |ty| self.module.metadata.source_type(ty, &self.module.names);
        let kind = match source(ty) {
            SourceType::Alias(ty) => return self.add(ty, offset, name, depth - 1),
            SourceType::Struct { name: ty, members, .. } => {
                let wraps = ty.is_some_and(|ty| is_wrapper(self.module.name(ty)));
                for member in members {
                    let inner = match member.name.map(|symbol| self.module.name(symbol)) {
                        Some(member) if !member.is_empty() && !wraps => format!("{name}.{member}"),
                        _ => name.clone(),
                    };
                    self.add(member.ty, offset.saturating_add(member.offset / 8), inner, depth - 1);
                }
                return;
            }
            SourceType::Array { element, counts } => {
                let Some(size) = size(&self.module.metadata, self.module, element) else { return };
                let total = counts.iter().try_fold(1u64, |product, count| product.checked_mul(*count)).unwrap_or(0);
                for i in 0..total.min(MOST_ELEMENTS) {
                    let mut rest = i;
                    let mut indices: Vec<String> = Vec::new();
                    for count in counts.iter().rev() {
                        indices.push(format!("[{}]", rest % count));
                        rest /= count;
                    }
                    indices.reverse();
                    let at = offset.saturating_add(i.saturating_mul(size));
                    self.add(element, at, format!("{name}{}", indices.concat()), depth - 1);
                }
                return;
            }
            SourceType::Basic { name, signed, float, .. } => match self.module.name(name) {
                "_Bool" | "bool" => ValueKind::Boolean,
                "char" | "signed char" | "unsigned char" => ValueKind::Character,
                _ if float => ValueKind::Float,
                _ if signed => ValueKind::Signed,
                _ => ValueKind::Unsigned,
            },
            SourceType::Pointer => ValueKind::Pointer,
            SourceType::Enumeration { names, .. } => {
                let names = names.into_iter().map(|(value, name)| (value, self.module.name(name).to_owned()));
                ValueKind::Enumeration(names.collect())
            }
            SourceType::Other => return,
        };
        // What lies beyond has no name: no object of the program is so large.
        if let Ok(offset) = u32::try_from(offset) {
            self.parts.push(Part { offset, name, kind });
        }
    }
}

/// Atomics of C++ and Rust, whose only member has a name that users do not know.
fn is_wrapper(ty: &str) -> bool {
    // Rust's `AtomicU64` and similar types, but not an `AtomicQueue` of the program.
    const OF_RUST: [&str; 11] = ["Bool", "I8", "I16", "I32", "I64", "Isize", "U8", "U16", "U32", "U64", "Usize"];
    let generic = ["atomic<", "__atomic_base<", "UnsafeCell<", "Atomic<", "AtomicPtr<"];
    generic.iter().any(|start| ty.starts_with(start))
        || ty.strip_prefix("Atomic").is_some_and(|rest| OF_RUST.contains(&rest))
}

/// Bytes of a type.
fn size(metadata: &Metadata, module: &Module, mut ty: MetadataId) -> Option<u64> {
    let mut factor = 1u64;
    for _ in 0..DEEPEST {
        let bits = match metadata.source_type(ty, &module.names) {
            SourceType::Alias(inner) => {
                ty = inner;
                continue;
            }
            SourceType::Array { element, counts } => {
                factor = counts.iter().try_fold(factor, |product, count| product.checked_mul(*count))?;
                ty = element;
                continue;
            }
            SourceType::Basic { bits, .. } | SourceType::Struct { bits, .. } | SourceType::Enumeration { bits, .. } => {
                bits
            }
            SourceType::Pointer => 64,
            SourceType::Other => return None,
        };
        return (bits / 8).checked_mul(factor).filter(|&bytes| bytes > 0);
    }
    None
}

impl Lowering<'_> {
    /// Notes which accesses are to parts of which local variable, or to members of which struct, so that objects
    /// without a name get one in reports.
    pub(super) fn note_members(&mut self) {
        for m in 0..self.linked.modules.len() {
            if self.is_library(m) {
                continue;
            }
            let module = self.linked.modules[m];
            let structs: HashMap<&str, MetadataId> =
                module.metadata.structs().into_iter().map(|(name, id)| (module.name(name), id)).collect();
            let mut known: HashMap<TypeId, Option<u32>> = HashMap::new();
            for function in &module.functions {
                let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
                let definitions: HashMap<LocalId, &Instruction> =
                    instructions().filter_map(|i| Some((i.result?, i))).collect();
                let mut variables: HashMap<LocalId, u32> = HashMap::new();
                for variable in &function.variables {
                    if let Some(layout) = variable_layout(module, variable.variable) {
                        variables.insert(variable.address, self.new_layout(layout));
                    }
                }
                for instruction in instructions() {
                    let Some(location) = instruction.location else { continue };
                    let Some(pointer) = accessed(&instruction.op) else { continue };
                    let (base, offset, member) = pointed_into(module, &definitions, pointer);
                    let variable = base.and_then(|base| variables.get(&base)).map(|&layout| (layout, offset));
                    let part = variable.or_else(|| {
                        let (ty, offset) = member?;
                        let layout = known
                            .entry(ty)
                            .or_insert_with(|| layout(module, &structs, ty).map(|layout| self.new_layout(layout)));
                        Some(((*layout)?, offset))
                    });
                    if let Some(part) = part {
                        let span = self.sources.span(m, module, location);
                        let parts = self.program.layouts.accesses.entry(span).or_default();
                        if !parts.contains(&part) {
                            parts.push(part);
                        }
                    }
                }
            }
        }
    }

    fn new_layout(&mut self, layout: Layout) -> u32 {
        self.program.layouts.all.push(layout);
        self.program.layouts.all.len() as u32 - 1
    }
}

/// The pointer of an access to memory.
fn accessed(op: &Op) -> Option<Operand> {
    match op {
        Op::Load { pointer, .. }
        | Op::Store { pointer, .. }
        | Op::CmpXchg { pointer, .. }
        | Op::AtomicRmw { pointer, .. } => Some(*pointer),
        _ => None,
    }
}

/// What a pointer was computed from and how far it is from there, if that is a constant; and the outermost struct of
/// which it is to a member, and the member's offset.
fn pointed_into(
    module: &Module,
    definitions: &HashMap<LocalId, &Instruction>,
    pointer: Operand,
) -> (Option<LocalId>, u32, Option<(TypeId, u32)>) {
    let (mut pointer, mut inner, mut found) = (pointer, 0u32, None);
    // In code that is not reached, a pointer may be computed from itself.
    for _ in 0..DEEPEST {
        let Operand::Local(local) = pointer else { return (None, 0, found) };
        let Some(Op::GetElementPtr { source, base, indices }) = definitions.get(&local).map(|i| &i.op) else {
            return (Some(local), inner, found);
        };
        let Some(step) = constant_step(module, *source, indices) else { break };
        let Some(sum) = inner.checked_add(step) else { break };
        inner = sum;
        if module.types.name(*source).is_some() {
            found = Some((*source, inner));
        }
        pointer = *base;
    }
    (None, 0, found)
}

/// How far a pointer goes into one object of a type.
fn constant_step(module: &Module, mut ty: TypeId, indices: &[(TypeId, Operand)]) -> Option<u32> {
    let mut sum = 0u32;
    for (i, &(_, index)) in indices.iter().enumerate() {
        let Operand::Constant(index) = index else { return None };
        let ConstantKind::Int { value, .. } = module.constant(index).kind else { return None };
        if i == 0 && value != 0 {
            return None;
        }
        let (step, part) = step_into(&module.types, ty, i, value).ok()?;
        sum = sum.checked_add(u32::try_from(step).ok()?)?;
        ty = part;
    }
    Some(sum)
}

/// A local variable with its name.
fn variable_layout(module: &Module, variable: MetadataId) -> Option<Layout> {
    let variable = module.metadata.variable(variable)?;
    let ty = variable.ty?;
    let size = u32::try_from(size(&module.metadata, module, ty)?).ok()?;
    let name = module.name(variable.name).to_owned();
    Some(Layout { name, is_variable: true, size, parts: parts(module, ty) })
}

/// A struct of LLVM with the names that the source has for it.
fn layout(module: &Module, structs: &HashMap<&str, MetadataId>, ty: TypeId) -> Option<Layout> {
    let full = module.name(module.types.name(ty)?);
    let (_, plain) = full.split_once('.')?;
    // Types of the same name are told apart by numbers.
    let plain = plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    let &id = structs.get(plain)?;
    let size = u32::try_from(module.types.size(ty)?).ok()?;
    let parts = parts(module, id);
    Some(Layout { name: plain.to_owned(), is_variable: false, size, parts })
}

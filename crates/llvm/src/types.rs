//! Types, and how large they are in memory.

use hashbrown::HashMap;

use crate::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Int(u32),
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    /// Any pointer: since LLVM 15 they have no pointee.
    Pointer,
    Array {
        length: u64,
        element: TypeId,
    },
    Vector {
        length: u64,
        element: TypeId,
    },
    Struct {
        packed: bool,
        fields: Vec<TypeId>,
    },
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        varargs: bool,
    },
    /// A named type; its body is in [`Types::body`].
    Named(Symbol),
    Label,
    Metadata,
    Token,
    /// Something that has a name only, or that is not supported, such as scalable vectors and target types.
    Opaque,
}

/// All types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    index: HashMap<Type, TypeId>,
    bodies: HashMap<Symbol, TypeId>,
}

/// More than any object of a program that can be analysed, and no danger to arithmetic.
const SIZE_LIMIT: u64 = 1 << 40;
/// Types nest no deeper than this.
const DEPTH_LIMIT: u32 = 100;

impl Types {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&known) = self.index.get(&ty) {
            return known;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    pub(crate) fn define(&mut self, name: Symbol, body: TypeId) {
        self.bodies.insert(name, body);
    }

    /// The type behind its names.
    pub fn get(&self, mut id: TypeId) -> &Type {
        for _ in 0..DEPTH_LIMIT {
            match &self.types[id.0 as usize] {
                Type::Named(name) => match self.bodies.get(name) {
                    Some(&body) => id = body,
                    None => return &Type::Opaque,
                },
                ty => return ty,
            }
        }
        &Type::Opaque
    }

    /// The name of a named type.
    pub fn name(&self, id: TypeId) -> Option<Symbol> {
        match self.types[id.0 as usize] {
            Type::Named(name) => Some(name),
            _ => None,
        }
    }

    /// Bytes that a value takes in an array, and its alignment; `None` for what has no size.
    pub fn size_and_alignment(&self, id: TypeId) -> Option<(u64, u64)> {
        self.measure(id, 0)
    }

    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.measure(id, 0).map(|(size, _)| size)
    }

    fn measure(&self, id: TypeId, depth: u32) -> Option<(u64, u64)> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let (size, alignment) = match self.get(id) {
            Type::Int(bits) => {
                let bytes = u64::from(bits.div_ceil(8));
                let alignment = bytes.next_power_of_two().min(16);
                (bytes.next_multiple_of(alignment), alignment)
            }
            Type::Half | Type::BFloat => (2, 2),
            Type::Float => (4, 4),
            Type::Double | Type::Pointer => (8, 8),
            Type::X86Fp80 | Type::Fp128 => (16, 16),
            Type::Array { length, element } => {
                let (size, alignment) = self.measure(*element, depth + 1)?;
                (size.checked_mul(*length)?, alignment)
            }
            Type::Vector { length, element } => {
                let (size, _) = self.measure(*element, depth + 1)?;
                let size = size.checked_mul(*length)?.checked_next_power_of_two()?.max(1);
                (size, size.min(64))
            }
            Type::Struct { packed, fields } => {
                let mut size = 0u64;
                let mut alignment = 1;
                for &field in fields {
                    let (field_size, field_alignment) = self.measure(field, depth + 1)?;
                    let field_alignment = if *packed { 1 } else { field_alignment };
                    size = size.next_multiple_of(field_alignment) + field_size;
                    alignment = alignment.max(field_alignment);
                }
                (size.next_multiple_of(alignment), alignment)
            }
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token | Type::Opaque => {
                return None;
            }
            Type::Named(_) => return None,
        };
        (size < SIZE_LIMIT).then_some((size, alignment))
    }

    /// Where a field of a struct starts, and its type.
    pub fn field(&self, id: TypeId, index: usize) -> Option<(u64, TypeId)> {
        let Type::Struct { packed, fields } = self.get(id) else { return None };
        let wanted = *fields.get(index)?;
        let mut offset = 0u64;
        for &field in &fields[..=index] {
            let (size, alignment) = self.size_and_alignment(field)?;
            let start = offset.next_multiple_of(if *packed { 1 } else { alignment });
            offset = start + size;
            if offset >= SIZE_LIMIT {
                return None;
            }
        }
        let (size, _) = self.size_and_alignment(wanted)?;
        Some((offset - size, wanted))
    }

    /// The parts of an aggregate: where each starts, and its type. Nothing for what is not one.
    pub fn parts(&self, id: TypeId) -> Vec<(u64, TypeId)> {
        match self.get(id) {
            Type::Struct { fields, .. } => (0..fields.len()).filter_map(|i| self.field(id, i)).collect(),
            Type::Array { length, element } => {
                let size = self.size(*element).unwrap_or(0);
                (0..*length).map(|i| (i * size, *element)).collect()
            }
            _ => Vec::new(),
        }
    }
}

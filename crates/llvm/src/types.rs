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
    /// A named type; its body is in `Types::body`.
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
    /// Bytes and alignment of each type, once all are known; `None` for what has no size.
    sizes: Vec<Option<(u64, u64)>>,
}

/// LLVM's pointers count no further, and sums of two sizes are no danger to arithmetic.
const SIZE_LIMIT: u64 = 1 << 62;
/// Names of names of types go no further than this.
const NAMES_LIMIT: u32 = 100;

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
        for _ in 0..NAMES_LIMIT {
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

    /// Bytes that a value takes in an array, and its alignment; `None` for what has no size, or one beyond all bounds.
    pub fn size_and_alignment(&self, id: TypeId) -> Option<(u64, u64)> {
        self.sizes.get(id.0 as usize).copied().flatten()
    }

    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.size_and_alignment(id).map(|(size, _)| size)
    }

    /// Computes all sizes, once all types are there. A type that contains itself has none.
    pub(crate) fn measure(&mut self) {
        self.sizes = vec![None; self.types.len()];
        let mut begun = vec![false; self.types.len()];
        let mut stack: Vec<(TypeId, bool)> = (0..self.types.len() as u32).map(|id| (TypeId(id), false)).collect();
        while let Some((id, parts_known)) = stack.pop() {
            if parts_known {
                self.sizes[id.0 as usize] = self.measured(id).filter(|&(size, _)| size < SIZE_LIMIT);
            } else if !std::mem::replace(&mut begun[id.0 as usize], true) {
                stack.push((id, true));
                match &self.types[id.0 as usize] {
                    Type::Named(name) => stack.extend(self.bodies.get(name).map(|&body| (body, false))),
                    Type::Array { element, .. } | Type::Vector { element, .. } => stack.push((*element, false)),
                    Type::Struct { fields, .. } => stack.extend(fields.iter().map(|&field| (field, false))),
                    _ => {}
                }
            }
        }
    }

    /// The size of a type whose parts have theirs.
    fn measured(&self, id: TypeId) -> Option<(u64, u64)> {
        Some(match &self.types[id.0 as usize] {
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
                let (size, alignment) = self.size_and_alignment(*element)?;
                (size.checked_mul(*length)?, alignment)
            }
            Type::Vector { length, element } => {
                let size = self.size(*element)?.checked_mul(*length)?.checked_next_power_of_two()?.max(1);
                (size, size.min(64))
            }
            Type::Struct { packed, fields } => {
                let mut end = 0u64;
                let mut alignment = 1;
                for part in self.fields(*packed, fields) {
                    let (start, field) = part?;
                    let (size, field_alignment) = self.size_and_alignment(field)?;
                    end = start + size;
                    alignment = alignment.max(if *packed { 1 } else { field_alignment });
                }
                (end.next_multiple_of(alignment), alignment)
            }
            Type::Named(name) => return self.size_and_alignment(*self.bodies.get(name)?),
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token | Type::Opaque => {
                return None;
            }
        })
    }

    /// Where each field of a struct starts, and its type; `None` from the first that has no size on.
    fn fields<'t>(&'t self, packed: bool, fields: &'t [TypeId]) -> impl Iterator<Item = Option<(u64, TypeId)>> {
        let mut end = Some(0u64);
        fields.iter().map(move |&field| {
            let (size, alignment) = self.size_and_alignment(field)?;
            let start = end?.next_multiple_of(if packed { 1 } else { alignment });
            end = Some(start + size).filter(|&end| end < SIZE_LIMIT);
            end.map(|_| (start, field))
        })
    }

    /// Where a field of a struct starts, and its type.
    pub fn field(&self, id: TypeId, index: usize) -> Option<(u64, TypeId)> {
        match self.get(id) {
            Type::Struct { packed, fields } => self.fields(*packed, fields).nth(index)?,
            _ => None,
        }
    }

    /// The first parts of an aggregate: where each starts, and its type. Nothing for what is not one.
    pub fn parts(&self, id: TypeId, most: usize) -> Vec<(u64, TypeId)> {
        match self.get(id) {
            Type::Struct { packed, fields } => self.fields(*packed, fields).take(most).flatten().collect(),
            Type::Array { length, element } => {
                let size = self.size(*element).unwrap_or(0);
                (0..*length).take(most).map(|i| (i.wrapping_mul(size), *element)).collect()
            }
            _ => Vec::new(),
        }
    }
}

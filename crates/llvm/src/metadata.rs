//! Debug information: what an instruction, a variable and a type are called in the source.

use hashbrown::{HashMap, HashSet};

use crate::Symbol;

/// The number of a metadata node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetadataId(pub u32);

/// The nodes that say something about the source; others are not kept.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    pub(crate) nodes: HashMap<MetadataId, Node>,
    pub(crate) ids: Keys,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Symbol,
    pub fields: Vec<(Symbol, Field)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Node(MetadataId),
    Int(i64),
    Text(Symbol),
}

macro_rules! keys {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// The names that are asked for.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Keys { $(pub $name: Symbol),* }

        impl Keys {
            pub(crate) fn new(names: &mut crate::Names) -> Keys {
                Keys { $($name: names.intern($text)),* }
            }
        }

        impl Default for Keys {
            fn default() -> Keys {
                Keys { $($name: Symbol(0)),* }
            }
        }
    };
}

keys! {
    location = "DILocation", local = "DILocalVariable", global = "DIGlobalVariable",
    expression = "DIGlobalVariableExpression", basic = "DIBasicType", derived = "DIDerivedType",
    composite = "DICompositeType", subprogram = "DISubprogram", block = "DILexicalBlock",
    block_file = "DILexicalBlockFile", file_node = "DIFile", subrange = "DISubrange", tuple = "",
    line = "line", column = "column", scope = "scope", inlined_at = "inlinedAt", name = "name", ty = "type",
    file = "file", filename = "filename", directory = "directory", var = "var", base = "baseType", tag = "tag",
    size = "size", offset = "offset", elements = "elements", encoding = "encoding", count = "count",
    enumerator = "DIEnumerator", value = "value", inheritance = "DW_TAG_inheritance",
}

impl Keys {
    pub(crate) fn is_kept(&self, kind: Symbol) -> bool {
        let kept = [
            self.location,
            self.local,
            self.global,
            self.expression,
            self.basic,
            self.derived,
            self.composite,
            self.subprogram,
            self.block,
            self.block_file,
            self.file_node,
            self.subrange,
            self.enumerator,
            self.tuple,
        ];
        kept.contains(&kind)
    }
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    pub line: u32,
    pub column: u32,
    /// The name of the file, and the directory that it is relative to.
    pub file: Option<(Symbol, Option<Symbol>)>,
    /// The call that this code was inlined into.
    pub inlined_at: Option<MetadataId>,
}

/// A variable of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    pub name: Symbol,
    pub ty: Option<MetadataId>,
    pub line: u32,
    pub file: Option<(Symbol, Option<Symbol>)>,
}

/// A type of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    Basic {
        name: Symbol,
        bits: u64,
        signed: bool,
        float: bool,
    },
    Pointer,
    /// A typedef, a qualifier or `_Atomic`.
    Alias(MetadataId),
    /// The members, with their offsets in bits.
    Struct {
        name: Option<Symbol>,
        bits: u64,
        members: Vec<Member>,
    },
    /// The counts of the dimensions.
    Array {
        element: MetadataId,
        counts: Vec<u64>,
    },
    Enumeration {
        bits: u64,
        names: Vec<(i64, Symbol)>,
    },
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: Option<Symbol>,
    pub ty: MetadataId,
    pub offset: u64,
    pub bits: u64,
}

/// Scopes nest no deeper than this.
const DEPTH_LIMIT: u32 = 1000;

impl Metadata {
    fn field(&self, id: MetadataId, key: Symbol) -> Option<Field> {
        let node = self.nodes.get(&id)?;
        node.fields.iter().find(|(k, _)| *k == key).map(|&(_, field)| field)
    }

    fn node(&self, id: MetadataId, key: Symbol) -> Option<MetadataId> {
        match self.field(id, key)? {
            Field::Node(node) => Some(node),
            _ => None,
        }
    }

    fn int(&self, id: MetadataId, key: Symbol) -> Option<i64> {
        match self.field(id, key)? {
            Field::Int(value) => Some(value),
            _ => None,
        }
    }

    fn text(&self, id: MetadataId, key: Symbol) -> Option<Symbol> {
        match self.field(id, key)? {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    fn number(&self, id: MetadataId, key: Symbol) -> u64 {
        self.int(id, key).unwrap_or(0).max(0) as u64
    }

    fn kind(&self, id: MetadataId) -> Option<Symbol> {
        self.nodes.get(&id).map(|node| node.kind)
    }

    fn small(&self, id: MetadataId, key: Symbol) -> u32 {
        u32::try_from(self.number(id, key)).unwrap_or(0)
    }

    /// The file of a node: its own, or that of the scope around it.
    fn file(&self, mut id: MetadataId) -> Option<(Symbol, Option<Symbol>)> {
        for _ in 0..DEPTH_LIMIT {
            if self.kind(id)? == self.ids.file_node {
                return Some((self.text(id, self.ids.filename)?, self.text(id, self.ids.directory)));
            }
            id = self.node(id, self.ids.file).or_else(|| self.node(id, self.ids.scope))?;
        }
        None
    }

    pub fn location(&self, id: MetadataId) -> Option<Location> {
        if self.kind(id)? != self.ids.location {
            return None;
        }
        Some(Location {
            line: self.small(id, self.ids.line),
            column: self.small(id, self.ids.column),
            file: self.node(id, self.ids.scope).and_then(|scope| self.file(scope)),
            inlined_at: self.node(id, self.ids.inlined_at),
        })
    }

    /// A local or global variable, or the expression that a global has.
    pub fn variable(&self, mut id: MetadataId) -> Option<SourceVariable> {
        if self.kind(id)? == self.ids.expression {
            id = self.node(id, self.ids.var)?;
        }
        let kind = self.kind(id)?;
        if kind != self.ids.local && kind != self.ids.global {
            return None;
        }
        Some(SourceVariable {
            name: self.text(id, self.ids.name)?,
            ty: self.node(id, self.ids.ty),
            line: self.small(id, self.ids.line),
            file: self.file(id),
        })
    }

    /// The name of a function in the source, and its line.
    pub fn subprogram(&self, id: MetadataId) -> Option<(Symbol, u32)> {
        if self.kind(id)? != self.ids.subprogram {
            return None;
        }
        Some((self.text(id, self.ids.name)?, self.small(id, self.ids.line)))
    }

    /// The file that a function is from, and the directory that its name is relative to.
    pub fn subprogram_file(&self, id: MetadataId) -> Option<(Symbol, Option<Symbol>)> {
        if self.kind(id)? == self.ids.subprogram { self.file(id) } else { None }
    }

    pub fn source_type(&self, id: MetadataId, names: &crate::Names) -> SourceType {
        let k = &self.ids;
        let tag = self.text(id, k.tag).map_or("", |tag| names.get(tag));
        match self.kind(id) {
            Some(kind) if kind == k.basic => {
                let encoding = self.text(id, k.encoding).map_or("", |e| names.get(e));
                SourceType::Basic {
                    name: self.text(id, k.name).unwrap_or(k.tuple),
                    bits: self.number(id, k.size),
                    signed: encoding.starts_with("DW_ATE_signed"),
                    float: encoding == "DW_ATE_float",
                }
            }
            Some(kind) if kind == k.derived => match (tag, self.node(id, k.base)) {
                ("DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type", _) => {
                    SourceType::Pointer
                }
                (_, Some(base)) => SourceType::Alias(base),
                _ => SourceType::Other,
            },
            Some(kind) if kind == k.composite => self.composite(id, tag),
            _ => SourceType::Other,
        }
    }

    fn composite(&self, id: MetadataId, tag: &str) -> SourceType {
        let k = &self.ids;
        let elements = self.node(id, k.elements).into_iter().flat_map(|tuple| self.tuple(tuple));
        match tag {
            "DW_TAG_enumeration_type" => {
                let names = elements.filter_map(|e| Some((self.int(e, k.value)?, self.text(e, k.name)?))).collect();
                SourceType::Enumeration { bits: self.number(id, k.size), names }
            }
            "DW_TAG_array_type" => match self.node(id, k.base) {
                Some(element) => {
                    SourceType::Array { element, counts: elements.map(|e| self.number(e, k.count)).collect() }
                }
                None => SourceType::Other,
            },
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                let members = elements.filter(|&e| self.kind(e) == Some(k.derived)).filter_map(|e| {
                    let ty = self.node(e, k.base)?;
                    let (offset, mut bits) = (self.number(e, k.offset), self.number(e, k.size));
                    // A base has the size of its type.
                    if self.text(e, k.tag) == Some(k.inheritance) && self.has_members(ty, &mut HashSet::new()) {
                        bits = self.number(ty, k.size);
                    }
                    // Static members and empty bases have no size.
                    (bits > 0).then_some(Member { name: self.text(e, k.name), ty, offset, bits })
                });
                SourceType::Struct {
                    name: self.text(id, k.name),
                    bits: self.number(id, k.size),
                    members: members.collect(),
                }
            }
            _ => SourceType::Other,
        }
    }

    /// Whether a class has members of its own, or a base that has.
    fn has_members(&self, class: MetadataId, seen: &mut HashSet<MetadataId>) -> bool {
        let k = &self.ids;
        if seen.len() as u32 > DEPTH_LIMIT || !seen.insert(class) {
            return false;
        }
        let elements = self.node(class, k.elements).into_iter().flat_map(|tuple| self.tuple(tuple));
        elements.filter(|&e| self.kind(e) == Some(k.derived)).any(|e| {
            let base = self.node(e, k.base).filter(|_| self.text(e, k.tag) == Some(k.inheritance));
            self.number(e, k.size) > 0 || base.is_some_and(|base| self.has_members(base, seen))
        })
    }

    /// The structs, classes and unions that have names, in the order of their numbers.
    pub fn structs(&self) -> Vec<(Symbol, MetadataId)> {
        let composites = self.nodes.iter().filter(|(_, node)| node.kind == self.ids.composite);
        let mut found: Vec<(Symbol, MetadataId)> =
            composites.filter_map(|(&id, _)| Some((self.text(id, self.ids.name)?, id))).collect();
        found.sort_unstable_by_key(|&(_, id)| id);
        found
    }

    fn tuple(&self, id: MetadataId) -> Vec<MetadataId> {
        let fields = self.nodes.get(&id).map_or(&[][..], |node| &node.fields);
        fields.iter().filter_map(|(_, field)| if let Field::Node(id) = field { Some(*id) } else { None }).collect()
    }
}

//! What memory of the flat address space is called in the source, and how its values are written there.

use std::collections::BTreeMap;

use crate::memory::{self, Region};
use crate::{Address, FuncId, Global, Program, RegisterKind, Span, Value, wide};

/// How the source writes values of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Signed,
    Unsigned,
    Boolean,
    Character,
    Pointer,
    Float,
    /// The names of its values.
    Enumeration(Vec<(Value, String)>),
}

/// A scalar in an object, such as `.next` or `[2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub offset: u32,
    /// Empty if the object is the scalar.
    pub name: String,
    pub kind: ValueKind,
}

/// A struct of the source, or a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub name: String,
    pub is_variable: bool,
    pub size: u32,
    /// By their offsets in ascending order.
    pub parts: Vec<Part>,
}

/// What is known about objects that have no name of their own, such as those on the heap.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    pub all: Vec<Layout>,
    /// By the place of an access, the struct or variable that it is to a part of, and the part's offset. A macro may
    /// have several accesses at one place.
    pub accesses: BTreeMap<Span, Vec<(u32, u32)>>,
}

impl Program {
    /// Everything that comes from the source and that reports show, except for the lines of the source themselves.
    pub fn for_each_name(&mut self, mut on: impl FnMut(&mut String)) {
        for function in &mut self.functions {
            on(&mut function.name);
            for register in &mut function.registers {
                if let RegisterKind::Variable(name) = &mut register.kind {
                    on(name);
                }
            }
        }
        self.objects.iter_mut().for_each(|object| on(&mut object.name));
        self.threads.iter_mut().for_each(|thread| on(&mut thread.name));
        self.constructs.iter_mut().chain(&mut self.assumptions).for_each(&mut on);
        let mut parts: Vec<&mut Part> = Vec::new();
        for global in self.globals.iter_mut().chain(&mut self.shared_thread_locals) {
            on(&mut global.name);
            parts.extend(&mut global.parts);
        }
        for layout in &mut self.layouts.all {
            on(&mut layout.name);
            parts.extend(&mut layout.parts);
        }
        for part in parts {
            on(&mut part.name);
            if let ValueKind::Enumeration(values) = &mut part.kind {
                values.iter_mut().for_each(|(_, name)| on(name));
            }
        }
    }

    /// See [`Names::thread_name`].
    pub fn thread_name(&self, thread: usize) -> String {
        Names::of(self).thread_name(thread)
    }

    /// See [`Names::cell_name`].
    pub fn cell_name(&self, address: Address) -> String {
        Names::of(self).cell_name(address)
    }

    /// See [`Names::pointer_name`].
    pub fn pointer_name(&self, pointer: u64) -> String {
        Names::of(self).pointer_name(pointer)
    }

    /// See [`Names::value_text`].
    pub fn value_text(&self, at: Address, value: Value) -> String {
        Names::of(self).value_text(at, value)
    }
}

/// The names of all that a run shows: what the program declares, and the threads and objects that the run creates.
#[derive(Clone, Debug)]
pub struct Names<'p> {
    program: &'p Program,
    /// The names of the threads after those of the program.
    spawned: Vec<String>,
    /// Objects on the heap and the stack, in ascending order of their pointers.
    objects: Vec<Global>,
}

impl<'p> Names<'p> {
    /// The names of what the program declares.
    pub fn of(program: &'p Program) -> Names<'p> {
        Names { program, spawned: Vec::new(), objects: Vec::new() }
    }

    /// With the threads that were spawned: they are called like their functions, with numbers if there are several.
    pub fn with_threads(program: &'p Program, spawned: &[FuncId]) -> Names<'p> {
        let name = |(i, &func): (usize, &FuncId)| {
            let thread = program.threads.len() + i;
            let alone = spawned.iter().filter(|&&other| other == func).count() == 1;
            let function = program.function(func);
            match (&function.name, alone) {
                _ if function.library => format!("thread {thread}"),
                (name, true) => name.clone(),
                (name, false) => format!("{name} {thread}"),
            }
        };
        let spawned = spawned.iter().enumerate().map(name).collect();
        Names { spawned, ..Names::of(program) }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The name of a thread; spawned ones that have none are numbered.
    pub fn thread_name(&self, thread: usize) -> String {
        let declared = self.program.threads.get(thread).map(|thread| &thread.name);
        let spawned = || self.spawned.get(thread - self.program.threads.len());
        declared.or_else(spawned).cloned().unwrap_or_else(|| format!("thread {thread}"))
    }

    /// How many threads have names.
    pub fn thread_count(&self) -> usize {
        self.program.threads.len() + self.spawned.len()
    }

    /// `x`, or `flag[1]`.
    pub fn cell_name(&self, address: Address) -> String {
        if let Some((pointer, size)) = address.pointer_and_size() {
            let name = self.pointer_name(pointer);
            // All of a struct, and not its first member.
            return match name.rsplit_once(['.', '>']) {
                Some((all, _)) if size == wide::SIZE && self.has_member_after(pointer) => {
                    all.trim_end_matches('-').to_owned()
                }
                _ => name,
            };
        }
        match self.program.locate(address) {
            Some((object, index)) if object.array => format!("{}[{index}]", object.name),
            Some((object, _)) => object.name.clone(),
            None => format!("cell {}", address.0),
        }
    }

    /// Gives names to objects on the heap and the stack that these accesses are to: `node->next`, and with several
    /// nodes `node#2->next`.
    pub fn name_objects(&mut self, accesses: impl Iterator<Item = (Address, Span)>) {
        let mut found: BTreeMap<u64, u32> = BTreeMap::new();
        for (at, span) in accesses {
            let Some((pointer, _)) = at.pointer_and_size() else { continue };
            let on_heap = matches!(memory::region(pointer), Region::Heap { .. });
            if !on_heap && !matches!(memory::region(pointer), Region::Stack { .. }) {
                continue;
            }
            let start = |offset: u32| pointer.saturating_sub(offset.into());
            let (layout, start) = match self.program.layouts.accesses.get(&span).map(Vec::as_slice) {
                Some(&[(layout, offset)]) => (layout, start(offset)),
                // The member that would be in an object that starts where objects do.
                Some(several) if on_heap => {
                    let mut fitting = several.iter().filter(|(_, offset)| memory::may_start_object(start(*offset)));
                    match (fitting.next(), fitting.next()) {
                        (Some(&(layout, offset)), None) => (layout, start(offset)),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let size = |layout: u32| self.program.layouts.all[layout as usize].size;
            let is_variable = |layout: u32| self.program.layouts.all[layout as usize].is_variable;
            let known = found.entry(start).or_insert(layout);
            // The first member of a struct may be a struct. What a variable is called, others may not know.
            if (is_variable(*known), size(*known)) < (is_variable(layout), size(layout)) {
                *known = layout;
            }
        }
        let mut named: Vec<Global> = Vec::new();
        for (&pointer, &layout) in &found {
            let layout = &self.program.layouts.all[layout as usize];
            if named.last().is_some_and(|last| pointer < last.pointer + last.bytes.len() as u64) {
                continue;
            }
            let member = |part: &Part| match part.name.strip_prefix('.').filter(|_| !layout.is_variable) {
                Some(name) => Part { name: format!("->{name}"), ..part.clone() },
                None => part.clone(),
            };
            named.push(Global {
                name: layout.name.clone(),
                pointer,
                bytes: vec![0; layout.size as usize],
                constant: false,
                parts: layout.parts.iter().map(member).collect(),
                span: Span::default(),
            });
        }
        let names: Vec<String> = named.iter().map(|object| object.name.clone()).collect();
        for (i, object) in named.iter_mut().enumerate() {
            if names.iter().filter(|name| **name == object.name).count() > 1 {
                let number = names[..=i].iter().filter(|name| **name == names[i]).count();
                object.name = format!("{}#{number}", names[i]);
            }
        }
        self.objects = named;
    }

    /// The object with a name that a pointer points into.
    fn object_at(&self, pointer: u64) -> Option<&Global> {
        self.program.global_at(pointer).or_else(|| {
            let after = self.objects.partition_point(|object| object.pointer <= pointer);
            let object = &self.objects[after.checked_sub(1)?];
            (pointer < object.pointer + object.bytes.len() as u64).then_some(object)
        })
    }

    /// Whether another member follows within 16 bytes the one that a pointer points to.
    fn has_member_after(&self, pointer: u64) -> bool {
        let inside = pointer + 1..pointer + u64::from(wide::SIZE);
        self.object_at(pointer).is_some_and(|object| {
            object.parts.iter().any(|part| inside.contains(&(object.pointer + u64::from(part.offset))))
        })
    }

    /// Whether the source has a name for what a pointer points to.
    pub fn has_name(&self, pointer: u64) -> bool {
        self.object_at(pointer).is_some()
    }

    /// Whether a pointer is to the lock that makes sections of the program atomic, of which the source knows nothing.
    pub fn is_section_lock(&self, pointer: u64) -> bool {
        self.program.global_at(pointer).is_some_and(|global| global.name == Program::SECTION_LOCK)
    }

    /// What a pointer points to, in the words of the source.
    pub fn pointer_name(&self, pointer: u64) -> String {
        let name = |object: &Global, pointer: u64| match (part_at(object, pointer), pointer - object.pointer) {
            (Some(part), _) => format!("{}{}", object.name, part.name),
            (None, 0) => object.name.clone(),
            (None, offset) => format!("{}+{offset}", object.name),
        };
        match (self.object_at(pointer), memory::region(pointer)) {
            (Some(object), _) => name(object, pointer),
            (None, Region::Stack { thread }) => match self.program.thread_local_at(pointer) {
                Some((object, offset)) => format!("{} of thread {thread}", name(object, object.pointer + offset)),
                None => memory::describe(pointer),
            },
            (None, Region::Beside) => format!("waiters of {}", self.pointer_name(memory::address_beside(pointer))),
            (None, Region::Freed) => format!("freed state of {}", self.pointer_name(memory::freed_object(pointer))),
            _ => memory::describe(pointer),
        }
    }

    /// A value as the source would write it in this cell: `true`, `NULL`, `&queue`.
    pub fn value_text(&self, at: Address, value: Value) -> String {
        let Some((pointer, size)) = at.pointer_and_size() else { return value.to_string() };
        if size == wide::SIZE {
            return self.wide_text(pointer, value);
        }
        let part = match self.program.thread_local_at(pointer) {
            Some((object, offset)) => part_at(object, object.pointer + offset),
            None => self.object_at(pointer).and_then(|object| part_at(object, pointer)),
        };
        match part.map(|part| &part.kind) {
            Some(ValueKind::Unsigned) => memory::zero_extended(value, 8 * u32::from(size)).to_string(),
            Some(ValueKind::Boolean) if matches!(value, 0 | 1) => (value == 1).to_string(),
            Some(ValueKind::Character) if (0x20..0x7f).contains(&value) => format!("'{}'", value as u8 as char),
            Some(ValueKind::Pointer) => self.pointer_text(value as u64),
            Some(ValueKind::Float) if size == 8 => f64::from_bits(value as u64).to_string(),
            Some(ValueKind::Float) if size == 4 => f32::from_bits(value as u32).to_string(),
            Some(ValueKind::Enumeration(names)) => {
                names.iter().find(|(known, _)| *known == value).map_or(value.to_string(), |(_, name)| name.clone())
            }
            _ => value.to_string(),
        }
    }

    /// A value of 16 bytes: an integer, or `{&node, 3}` with the members in the order of memory.
    fn wide_text(&self, pointer: u64, value: Value) -> String {
        let end = pointer + u64::from(wide::SIZE);
        let parts = self.object_at(pointer).map_or(&[][..], |object| &object.parts);
        let start = |part: &Part| self.object_at(pointer).map_or(0, |object| object.pointer) + u64::from(part.offset);
        let mut inside = parts.iter().filter(|part| (pointer..end).contains(&start(part)));
        match (inside.next().map(|part| &part.kind), inside.next()) {
            (Some(ValueKind::Signed), None) => return (wide::value(value) as i128).to_string(),
            (Some(ValueKind::Unsigned), None) => return wide::value(value).to_string(),
            _ => {}
        }
        let mut starts: Vec<u64> = parts.iter().map(start).filter(|start| (pointer..end).contains(start)).collect();
        if starts.len() < 2 {
            starts = vec![pointer, pointer + 8];
        }
        let bytes = memory::bytes_of(value, wide::SIZE);
        let member = |(i, &start): (usize, &u64)| {
            let room = starts.get(i + 1).unwrap_or(&end) - start;
            let size = 1 << room.min(8).ilog2();
            let at = (start - pointer) as usize;
            self.value_text(Address::of_memory(start, size), memory::value_of(&bytes[at..at + usize::from(size)]))
        };
        format!("{{{}}}", starts.iter().enumerate().map(member).collect::<Vec<_>>().join(", "))
    }

    fn pointer_text(&self, pointer: u64) -> String {
        if let Some(function) = memory::pointed_function(pointer).and_then(|f| self.program.functions.get(f as usize)) {
            return format!("&{}", function.name);
        }
        match self.object_at(pointer) {
            Some(object) if object.pointer == pointer => format!("&{}", object.name),
            _ if pointer == 0 => "NULL".to_owned(),
            _ if memory::region(pointer) == Region::Nothing => format!("{pointer:#x}"),
            _ => format!("&{}", self.pointer_name(pointer)),
        }
    }
}

/// The scalar that starts at a pointer.
fn part_at(object: &Global, pointer: u64) -> Option<&Part> {
    let offset = (pointer - object.pointer) as u32;
    object.parts.binary_search_by_key(&offset, |part| part.offset).ok().map(|i| &object.parts[i])
}

//! The cells of shared objects, by how they are accessed.

use std::collections::{BTreeMap, BTreeSet};

use fencepost_program::{Address, Cell, Object, ObjectId as CellObject, Operand, Program, Value as Word, memory};

use super::access::type_of;
use super::analysis::Analysis;
use super::objects::{ObjectId, Origin};
use super::state::{initial, may_overlap};
use super::value::{Offset, Target};

/// Arrays with more elements are one cell that stands for all of them.
const MOST_ELEMENTS: i64 = 64;

/// Cells of one size, at equal distances.
struct Row {
    start: i64,
    /// 0 for a single cell.
    step: u64,
    size: u8,
    /// `None` if others share bytes with them: then nothing is known of what they hold.
    cells: Option<Cells>,
}

/// The object of the program that is made.
#[derive(Clone, Copy)]
struct Cells {
    object: CellObject,
    elements: i64,
    /// How many cells they are; `None` if each stands for several, and any of them may be meant.
    length: Option<i64>,
}

#[derive(Default)]
pub(super) struct Layout {
    rows: BTreeMap<ObjectId, Vec<Row>>,
    pub(super) objects: Vec<Object>,
    /// Those that start with anything.
    pub(super) uninitialised: BTreeSet<CellObject>,
    next: u64,
}

/// Which cell an access goes to.
pub(super) enum Element {
    Cell(Cell),
    /// The element of a row that the pointer points to: its distance from here, divided by the step.
    At {
        cells: CellObject,
        base: Word,
        step: u64,
        length: i64,
    },
    /// Any of `elements` elements.
    Any {
        cells: CellObject,
        elements: i64,
    },
}

type Patterns = BTreeSet<(i64, u64, u8)>;

impl Layout {
    pub(super) fn of<'t>(analysis: &Analysis, accesses: impl Iterator<Item = (&'t Target, u8)>) -> Layout {
        let mut patterns: BTreeMap<ObjectId, Patterns> = BTreeMap::new();
        for (target, size) in accesses {
            let pattern = (target.offset.start, target.offset.step, size);
            patterns.entry(target.object).or_default().insert(pattern);
        }
        let mut layout = Layout::default();
        for (object, patterns) in &patterns {
            layout.place(analysis, *object, patterns);
        }
        layout
    }

    fn place(&mut self, analysis: &Analysis, id: ObjectId, patterns: &Patterns) {
        let object = analysis.objects.get(id);
        let period = patterns.iter().fold(0, |all, &(_, step, _)| gcd(all, step));
        let folded: BTreeSet<(i64, u8)> = patterns
            .iter()
            .map(|&(start, _, size)| (if period == 0 { start } else { start.rem_euclid(period as i64) }, size))
            .collect();
        let offset = |start: i64| Offset { start, step: period };
        for &(start, size) in &folded {
            let overlaps = |&(other, width): &(i64, u8)| {
                let same = (start, size) == (other, width);
                let twice = same && period != 0 && u64::from(size) > period;
                twice || !same && may_overlap((offset(start), size), (offset(other), width))
            };
            let row = match folded.iter().any(overlaps) {
                true => Row { start, step: period, size, cells: None },
                false => self.row(analysis, id, object.several, (start, period, size)),
            };
            self.rows.entry(id).or_default().push(row);
        }
    }

    fn row(&mut self, analysis: &Analysis, id: ObjectId, several: bool, (start, step, size): (i64, u64, u8)) -> Row {
        let program = analysis.program;
        let room = analysis.objects.get(id).size.map(|bytes| bytes as i64 - i64::from(size) - start);
        let length = match (several, step, room) {
            (true, ..) => None,
            (_, 0, _) => Some(1),
            (_, _, Some(room)) => Some(room.max(0) / step as i64 + 1),
            (_, _, None) => None,
        };
        let length = length.filter(|&length| length <= MOST_ELEMENTS);
        let value = |i: i64| {
            let at = Offset::exact(start + i * step as i64);
            initial(program, &analysis.objects, id, at, size).as_const().unwrap_or(0)
        };
        let init: Vec<Word> = match length {
            Some(length) => (0..length).map(value).collect(),
            None => {
                // Each value that some cell starts with, twice if there is one: then no access is to *the* cell.
                let all = room.filter(|_| step > 0 && !several).map_or(1, |room| room.max(0) / step as i64 + 1);
                let mut values: Vec<Word> = (0..all).map(value).collect::<BTreeSet<_>>().into_iter().collect();
                if values.len() == 1 {
                    values.push(values[0]);
                }
                values
            }
        };
        let elements = init.len() as i64;
        let cells = CellObject(self.objects.len() as u32);
        self.objects.push(Object {
            name: name(analysis, id, start),
            first: Address(self.next),
            init,
            ty: type_of(size),
            atomic: true,
            array: step > 0 && length.is_some(),
            span: analysis.objects.get(id).span,
        });
        if !analysis.objects.get(id).initialised {
            self.uninitialised.insert(cells);
        }
        self.next += elements as u64;
        Row { start, step, size, cells: Some(Cells { object: cells, elements, length }) }
    }

    /// The cells of an object of which something is known.
    pub(super) fn cells_of(&self, id: ObjectId) -> impl Iterator<Item = Cell> {
        let rows = self.rows.get(&id).into_iter().flatten().filter_map(|row| row.cells);
        rows.flat_map(|Cells { object, elements, .. }| {
            (0..elements).map(move |i| Cell { object, index: Operand::Const(i) })
        })
    }

    /// The cell that an access to a target goes to; `None` if it may hold anything.
    pub(super) fn element(&self, analysis: &Analysis, target: &Target, size: u8) -> Option<Element> {
        let row = self
            .rows
            .get(&target.object)?
            .iter()
            .find(|row| row.size == size && Offset { start: row.start, step: row.step }.meets(target.offset))?;
        let Cells { object, elements, length } = row.cells?;
        let Some(length) = length else { return Some(Element::Any { cells: object, elements }) };
        if let Some(at) = target.offset.as_exact() {
            let index = if row.step == 0 { 0 } else { (at - row.start) / row.step as i64 };
            return Some(Element::Cell(Cell { object, index: Operand::Const(index) }));
        }
        let base = analysis.objects.get(target.object).base as Word + row.start;
        Some(Element::At { cells: object, base, step: row.step, length })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What an object, or a part of it, is called in the source.
fn name(analysis: &Analysis, id: ObjectId, offset: i64) -> String {
    let program: &Program = analysis.program;
    let object = analysis.objects.get(id);
    let part = |name: String| if offset == 0 { name } else { format!("{name}+{offset}") };
    match object.origin {
        Origin::Global(_) => program.pointer_name(object.base.wrapping_add_signed(offset)),
        Origin::ThreadWords(thread) => program.pointer_name(memory::start_cell(thread).wrapping_add_signed(offset)),
        Origin::AnyThreadWords => "a thread".to_owned(),
        Origin::ThreadArguments(thread) => format!("what thread {thread} is made with"),
        Origin::ThreadMade(thread) => format!("start of thread {thread}"),
        Origin::Function(f) => program.functions[f as usize].name.clone(),
        Origin::Private { .. } | Origin::Stack { .. } => part(format!("the local of line {}", object.span.line)),
        Origin::ThreadLocal { thread, .. } => part(format!("the thread-local of thread {thread}")),
        Origin::Heap(..) => part(format!("the allocation of line {}", object.span.line)),
    }
}

//! The views of the monitors as variables, and their operations as assignments.
//!
//! A set bit of a view means "may still be missed" (see `tracking`). Joining two views is an intersection, and to know
//! is to clear.

use std::fmt::Write;

use fencepost_check::{Classes, Index, LocationId, Tracking, ValueId};
use fencepost_models::Strength;
use fencepost_monitor::{Access, Cell, Operation, Recorder, View};
use fencepost_program::code::Interval;
use fencepost_program::{Program, Value};

use crate::facts::Facts;
use crate::text::{Identifiers, literal, shared_variable, without_brackets};
use crate::views::view_names;

/// Bits of an `int` that are not its sign.
pub(crate) const CHUNK: u32 = 31;
/// The variable that takes what is overwritten; one for each chunk.
const OVERWRITTEN: &str = "overwritten";

pub(crate) struct Monitors<'a> {
    pub(crate) facts: &'a Facts<'a>,
    /// By view: the name of each chunk, and its number of bits.
    pub(crate) views: Vec<Vec<(String, u32)>>,
    /// By thread, what holds the location of its last event.
    pub(crate) runs: Vec<String>,
}

impl<'a> Monitors<'a> {
    pub(crate) fn new(program: &Program, facts: &'a Facts<'a>, identifiers: &mut Identifiers) -> Monitors<'a> {
        let tracking = facts.tracking();
        let names = view_names(program, facts);
        let views = names.into_iter().enumerate().map(|(view, name)| {
            let bits = tracking.bits(View(view as u32));
            let chunks = bits.div_ceil(CHUNK);
            let chunk = |k: u32| {
                let wanted = if chunks == 1 { name.clone() } else { format!("{name}_{k}") };
                (identifiers.fresh(&wanted), (bits - k * CHUNK).min(CHUNK))
            };
            (0..chunks).map(chunk).collect()
        });
        let views = views.collect();
        let runs =
            program.threads.iter().map(|t| identifiers.fresh(&format!("run_{}", without_brackets(&t.name)))).collect();
        Monitors { facts, views, runs }
    }

    pub(crate) fn tracking(&self) -> &'a Tracking {
        self.facts.tracking()
    }

    pub(crate) fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let scratch = self.tracking().plan.scratch().0 as usize;
        for (view, chunks) in self.views.iter().enumerate() {
            for (name, bits) in chunks {
                if view == scratch {
                    lines.push(format!("hidden int {name};"));
                } else {
                    let range = Interval { lo: 0, hi: (1 << bits) - 1 };
                    lines.push(shared_variable(name, range, 0));
                }
            }
        }
        let widest = self.views.iter().map(Vec::len).max().unwrap_or(0);
        lines.extend((0..widest).map(|k| format!("hidden int {OVERWRITTEN}_{k};")));
        if self.tracking().plan.tracks_last_location() {
            let range = Interval { lo: 0, hi: self.tracking().stale.len() as Value };
            lines.extend(self.runs.iter().map(|run| shared_variable(run, range, 0)));
        }
        lines
    }

    /// What the bits of a view mean.
    pub(crate) fn legend(&self, program: &Program) -> Vec<String> {
        let tracking = self.tracking();
        let mut lines = Vec::new();
        for (at, number) in self.facts.accessed() {
            let name = program.cell_name(at);
            if let Some(monitored) = tracking.monitored[number] {
                let stale = &tracking.stale[monitored];
                let mut text = format!("{name}:");
                if let Some(bit) = stale.sc_bit {
                    let _ = write!(text, " {} in VSC, MSC and WSC; elsewhere", bits_text(&[bit]));
                }
                for (what, classes) in [("a read of", &stale.reads), ("a write after", &stale.updates)] {
                    for (class, values) in self.by_class(number, classes) {
                        let values: Vec<String> = values.iter().map(Value::to_string).collect();
                        let _ = write!(text, " {} {what} {},", bits_text(&[class]), values.join(" or "));
                    }
                }
                if !text.ends_with(':') {
                    lines.push(text.trim_end_matches(',').to_owned());
                }
            }
            if let Some(races) = &tracking.races[number] {
                let mut cells: Vec<Cell> = races.plain_write.into_iter().collect();
                for class in [&races.plain_reads, &races.atomic_reads, &races.atomic_writes] {
                    cells.extend(class.iter().flatten());
                }
                let bits: Vec<String> = cells.iter().map(|&c| bits_text(&[tracking.race_bit(c)])).collect();
                lines.push(format!("{name}: {} the last accesses, for races", bits.join(", ")));
            }
        }
        lines
    }

    /// The operations of an access that the monitors make, with what other threads may then miss of it.
    pub(crate) fn access(&self, access: Access, fenced: bool) -> Vec<String> {
        let record = |leaves: bool| {
            let mut recorder = Recorder::default();
            let access = Access { leaves, ..access };
            if fenced {
                self.tracking().plan.fence(&mut recorder, access.thread, true, false, false);
            }
            self.tracking().plan.access(&mut recorder, &access);
            if fenced {
                self.tracking().plan.fence(&mut recorder, access.thread, false, true, false);
            }
            recorder.operations
        };
        if !self.tracking().plan.tracks_last_location() {
            return self.operations(&record(false));
        }
        // An access that follows one to another location first ends what that one began.
        let run = &self.runs[access.thread];
        let number = access.location + 1;
        let (staying, leaving) = (record(false), record(true));
        let mut lines = vec!["if".to_owned(), format!(":: {run} == {number}")];
        let common = match leaving.strip_suffix(staying.as_slice()) {
            Some(first) => {
                lines.push(format!(":: else -> {}", block(self.operations(first))));
                staying.as_slice()
            }
            None => {
                lines[1].push_str(&format!(" -> {}", block(self.operations(&staying))));
                lines.push(format!(":: else -> {}", block(self.operations(&leaving))));
                &[]
            }
        };
        lines.push("fi;".to_owned());
        lines.extend(self.operations(common));
        lines.push(format!("{run} = {number};"));
        lines
    }

    /// An access to a location without monitors, or a fence: the next access leaves it.
    pub(crate) fn end_run(&self, thread: usize) -> Vec<String> {
        if self.tracking().plan.tracks_last_location() {
            vec![format!("{} = 0;", self.runs[thread])]
        } else {
            Vec::new()
        }
    }

    pub(crate) fn tainted_read(&self, access: Access) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.tracking().plan.tainted_read(&mut recorder, &access);
        self.operations(&recorder.operations)
    }

    pub(crate) fn fence(&self, thread: usize, order: Strength) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.tracking().plan.fence(&mut recorder, thread, order.acquire, order.release, order.sc);
        self.operations(&recorder.operations)
    }

    /// An SC fence of RA or RC20 in the only thread that has any.
    pub(crate) fn lone_fence(&self, thread: usize) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.tracking().plan.fence(&mut recorder, thread, true, false, false);
        self.tracking().plan.fence(&mut recorder, thread, false, true, false);
        self.operations(&recorder.operations)
    }

    /// A race cell is touched: every view along happens-before may miss it, except the thread's own.
    pub(crate) fn touch(&self, thread: usize, cell: Cell) -> Vec<String> {
        let tracking = self.tracking();
        let bit = tracking.race_bit(cell);
        let hb = tracking.plan.sc_views()..tracking.plan.sc_views() + tracking.plan.hb_views();
        let mut lines: Vec<String> = hb.map(|view| self.set(View(view), bit)).collect();
        let mut recorder = Recorder::default();
        tracking.plan.touch(&mut recorder, thread, cell);
        lines.extend(self.operations(&recorder.operations));
        lines
    }

    /// A write of the value in `old` is overwritten: every view may miss what comes now.
    pub(crate) fn overwrite(&self, number: LocationId, by_rmw: bool, old: &str) -> Vec<String> {
        let tracking = self.tracking();
        let Some(monitored) = tracking.monitored[number] else { return Vec::new() };
        let stale = &tracking.stale[monitored];
        let scratch = tracking.plan.scratch();
        let mut lines = Vec::new();
        if let Some(bit) = stale.sc_bit {
            lines.extend((0..tracking.plan.sc_views()).map(|view| self.set(View(view), bit)));
        }
        let values = &self.facts.location(number).values;
        let bits = |value: usize| -> Vec<u32> {
            let updates = if by_rmw { None } else { stale.updates.bit(ValueId::from_index(value)) };
            stale.reads.bit(ValueId::from_index(value)).into_iter().chain(updates).collect()
        };
        let numbered: Vec<(Value, Vec<u32>)> = values.iter().enumerate().map(|(n, &v)| (v, bits(n))).collect();
        let chunks = self.views.iter().map(Vec::len).max().unwrap_or(0) as u32;
        for k in 0..chunks {
            let masks: Vec<(Value, u32)> = numbered.iter().map(|(v, bits)| (*v, chunk_mask(bits, k))).collect();
            if masks.iter().all(|(_, mask)| *mask == 0) {
                continue;
            }
            lines.push(format!("{OVERWRITTEN}_{k} = {};", select(old, &masks)));
            for view in tracking.plan.sc_views()..scratch.0 {
                if let Some((name, _)) = self.views[view as usize].get(k as usize) {
                    lines.push(format!("{name} = {name} | {OVERWRITTEN}_{k};"));
                }
            }
        }
        lines
    }

    fn by_class(&self, number: LocationId, classes: &Classes) -> Vec<(u32, Vec<Value>)> {
        let values = &self.facts.location(number).values;
        let of = |class: u32| {
            let members =
                values.iter().enumerate().filter(|(n, _)| classes.bit(ValueId::from_index(*n)) == Some(class));
            members.map(|(_, &v)| v).collect()
        };
        classes.all().map(|class| (class, of(class))).collect()
    }

    fn set(&self, view: View, bit: u32) -> String {
        let (name, _) = &self.views[view.0 as usize][chunk_of(bit)];
        format!("{name} = {name} | {};", mask_text(&[bit]))
    }

    fn operations(&self, operations: &[Operation]) -> Vec<String> {
        let mut lines = Vec::new();
        for &operation in operations {
            match operation {
                Operation::Join { into, from } => {
                    for ((into, width), (from, from_width)) in self.chunks(into, from) {
                        let kept = mask(*width) & !mask(*from_width);
                        let other = if kept == 0 { from.clone() } else { format!("({from} | {kept})") };
                        lines.push(format!("{into} = {into} & {other};"));
                    }
                }
                Operation::Copy { into, from } => {
                    for ((into, width), (from, from_width)) in self.chunks(into, from) {
                        let kept = mask(*width) & !mask(*from_width);
                        let cut =
                            if from_width > width { format!("({from} & {})", mask(*width)) } else { from.clone() };
                        lines.push(match kept {
                            0 => format!("{into} = {cut};"),
                            kept => format!("{into} = ({into} & {kept}) | {cut};"),
                        });
                    }
                }
                Operation::Know { view, cell } => {
                    let bits = self.tracking().cell_bits(view, cell);
                    for (k, (name, width)) in self.views[view.0 as usize].iter().enumerate() {
                        let known = chunk_mask(&bits, k as u32);
                        if known != 0 {
                            lines.push(format!("{name} = {name} & {};", mask(*width) & !known));
                        }
                    }
                }
            }
        }
        lines
    }

    /// Views for psc know nothing of race cells, and so may be shorter.
    fn chunks(&self, into: View, from: View) -> impl Iterator<Item = (&(String, u32), &(String, u32))> {
        self.views[into.0 as usize].iter().zip(&self.views[from.0 as usize])
    }
}

pub(crate) fn chunk_of(bit: u32) -> usize {
    (bit / CHUNK) as usize
}

fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

pub(crate) fn chunk_mask(bits: &[u32], k: u32) -> u32 {
    bits.iter().filter(|&&bit| bit / CHUNK == k).fold(0, |mask, bit| mask | 1 << (bit % CHUNK))
}

pub(crate) fn mask_text(bits: &[u32]) -> String {
    chunk_mask(bits, bits.first().map_or(0, |bit| bit / CHUNK)).to_string()
}

fn bits_text(bits: &[u32]) -> String {
    let chunk = bits.first().map_or(0, |bit| bit / CHUNK);
    if chunk == 0 { mask_text(bits) } else { format!("{} of _{chunk}", mask_text(bits)) }
}

fn block(mut lines: Vec<String>) -> String {
    if lines.is_empty() {
        lines.push("skip".to_owned());
    }
    lines.join(" ")
}

/// The entry of a table for the value in a variable. Most values share one entry, which comes last.
fn select(variable: &str, table: &[(Value, u32)]) -> String {
    let most = table.iter().max_by_key(|(_, mask)| table.iter().filter(|(_, m)| m == mask).count());
    let otherwise = most.map_or(0, |(_, mask)| *mask);
    let others = table.iter().filter(|(_, mask)| *mask != otherwise);
    others.fold(otherwise.to_string(), |rest, (value, mask)| {
        format!("({variable} == {} -> {mask} : {rest})", literal(*value))
    })
}

//! The views of the monitors as variables, and their operations as assignments.
//!
//! A set bit of a view means "may still be missed" (see `layout`). Joining two views is an intersection, and to know is to
//! clear.

use std::fmt::Write;

use fencepost_monitor::{Access, Cell, Operation, Recorder, View};
use fencepost_program::{Accept, Program, Value};

use super::facts::Facts;
use super::text::{Identifiers, cell_identifier, literal, shared_variable};
use crate::layout::{Classes, Layout};
use crate::step::Order;

/// Bits of an `int` that are not its sign.
const CHUNK: u32 = 31;
/// The variable that takes what is overwritten; one for each chunk.
const OVERWRITTEN: &str = "overwritten";

pub(super) struct Monitors<'a> {
    facts: &'a Facts<'a>,
    /// By view: the name of each chunk, and its number of bits.
    views: Vec<Vec<(String, u32)>>,
    /// By thread, what holds the location of its last event.
    runs: Vec<String>,
}

impl<'a> Monitors<'a> {
    pub(super) fn new(program: &Program, facts: &'a Facts<'a>, identifiers: &mut Identifiers) -> Monitors<'a> {
        let layout = &facts.layout;
        let names = view_names(program, facts);
        let views = layout.rows.iter().zip(names).map(|(row, name)| {
            let bits: u32 = row.iter().map(|field| field.mask.count_ones()).sum();
            let chunks = bits.div_ceil(CHUNK);
            let chunk = |k: u32| {
                let wanted = if chunks == 1 { name.clone() } else { format!("{name}_{k}") };
                (identifiers.fresh(&wanted), (bits - k * CHUNK).min(CHUNK))
            };
            (0..chunks).map(chunk).collect()
        });
        let views = views.collect();
        let runs = program.threads.iter().map(|t| identifiers.fresh(&format!("run_{}", t.name))).collect();
        Monitors { facts, views, runs }
    }

    fn layout(&self) -> &'a Layout {
        &self.facts.layout
    }

    pub(super) fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let scratch = self.layout().plan.scratch().0 as usize;
        let kept = self.views.iter().enumerate();
        for (view, chunks) in kept {
            for (name, bits) in chunks {
                if view == scratch {
                    lines.push(format!("hidden int {name};"));
                } else {
                    let range = super::range::Range { lo: 0, hi: (1 << bits) - 1 };
                    lines.push(shared_variable(name, range, 0));
                }
            }
        }
        let widest = self.views.iter().map(Vec::len).max().unwrap_or(0);
        lines.extend((0..widest).map(|k| format!("hidden int {OVERWRITTEN}_{k};")));
        if self.layout().plan.tracks_runs() {
            let range = super::range::Range { lo: 0, hi: self.layout().stale.len() as Value };
            lines.extend(self.runs.iter().map(|run| shared_variable(run, range, 0)));
        }
        lines
    }

    /// What the bits of a view mean.
    pub(super) fn legend(&self, program: &Program) -> Vec<String> {
        let layout = self.layout();
        let mut lines = Vec::new();
        for (at, number) in self.facts.accessed() {
            let name = program.cell_name(at);
            if let Some(monitored) = layout.monitored[number] {
                let stale = &layout.stale[monitored];
                let mut text = format!("{name}:");
                if let Some(bit) = stale.sc_bit {
                    let _ = write!(text, " in VSC, MSC, WSC {};", bits_text(&[bit]));
                }
                for (what, classes) in [("to read", &stale.reads), ("to write after", &stale.updates)] {
                    for (class, values) in self.by_class(number, classes) {
                        let values: Vec<String> = values.iter().map(Value::to_string).collect();
                        let _ = write!(text, " {what} {} {};", values.join(" or "), bits_text(&[class]));
                    }
                }
                lines.push(text);
            }
            if let Some(races) = &layout.races[number] {
                let mut cells: Vec<Cell> = races.plain_write.into_iter().collect();
                for class in [&races.plain_reads, &races.atomic_reads, &races.atomic_writes] {
                    cells.extend(class.iter().flatten());
                }
                let bits: Vec<String> = cells.iter().map(|&c| bits_text(&[layout.race_bit(c)])).collect();
                lines.push(format!("{name}: last accesses {}", bits.join(", ")));
            }
        }
        lines
    }

    /// The operations of an access that the monitors make, with what other threads may then miss of it.
    pub(super) fn access(&self, access: Access, fenced: bool) -> Vec<String> {
        let record = |leaves: bool| {
            let mut recorder = Recorder::default();
            let access = Access { leaves, ..access };
            if fenced {
                self.layout().plan.fence(&mut recorder, access.thread, true, false, false);
            }
            self.layout().plan.access(&mut recorder, &access);
            if fenced {
                self.layout().plan.fence(&mut recorder, access.thread, false, true, false);
            }
            recorder.operations
        };
        if !self.layout().plan.tracks_runs() {
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
    pub(super) fn end_run(&self, thread: usize) -> Vec<String> {
        if self.layout().plan.tracks_runs() { vec![format!("{} = 0;", self.runs[thread])] } else { Vec::new() }
    }

    pub(super) fn tainted_read(&self, access: Access) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.layout().plan.tainted_read(&mut recorder, &access);
        self.operations(&recorder.operations)
    }

    pub(super) fn fence(&self, thread: usize, order: Order) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.layout().plan.fence(&mut recorder, thread, order.acquire, order.release, order.sc);
        self.operations(&recorder.operations)
    }

    /// An SC fence of RA or RC20 in the only thread that has any.
    pub(super) fn lone_fence(&self, thread: usize) -> Vec<String> {
        let mut recorder = Recorder::default();
        self.layout().plan.fence(&mut recorder, thread, true, false, false);
        self.layout().plan.fence(&mut recorder, thread, false, true, false);
        self.operations(&recorder.operations)
    }

    /// A race cell is touched: every view along happens-before may miss it, except the thread's own.
    pub(super) fn touch(&self, thread: usize, cell: Cell) -> Vec<String> {
        let layout = self.layout();
        let bit = layout.race_bit(cell);
        let hb = layout.plan.sc_views()..layout.plan.sc_views() + layout.plan.hb_views();
        let mut lines: Vec<String> = hb.map(|view| self.set(View(view), bit)).collect();
        let mut recorder = Recorder::default();
        layout.plan.touch(&mut recorder, thread, cell);
        lines.extend(self.operations(&recorder.operations));
        lines
    }

    /// A write of the value in `old` is overwritten: every view may miss what comes now.
    pub(super) fn overwrite(&self, number: usize, by_rmw: bool, old: &str) -> Vec<String> {
        let layout = self.layout();
        let Some(monitored) = layout.monitored[number] else { return Vec::new() };
        let stale = &layout.stale[monitored];
        let scratch = layout.plan.scratch();
        let mut lines = Vec::new();
        if let Some(bit) = stale.sc_bit {
            lines.extend((0..layout.plan.sc_views()).map(|view| self.set(View(view), bit)));
        }
        let values = &self.facts.location(number).values;
        let bits = |value: usize| -> Vec<u32> {
            let updates = if by_rmw { None } else { stale.updates.bit(value as u32) };
            stale.reads.bit(value as u32).into_iter().chain(updates).collect()
        };
        let numbered: Vec<(Value, Vec<u32>)> = values.iter().enumerate().map(|(n, &v)| (v, bits(n))).collect();
        let chunks = self.views.iter().map(Vec::len).max().unwrap_or(0) as u32;
        for k in 0..chunks {
            let masks: Vec<(Value, u32)> = numbered.iter().map(|(v, bits)| (*v, chunk_mask(bits, k))).collect();
            if masks.iter().all(|(_, mask)| *mask == 0) {
                continue;
            }
            lines.push(format!("{OVERWRITTEN}_{k} = {};", select(old, &masks)));
            for view in layout.plan.sc_views()..scratch.0 {
                if let Some((name, _)) = self.views[view as usize].get(k as usize) {
                    lines.push(format!("{name} = {name} | {OVERWRITTEN}_{k};"));
                }
            }
        }
        lines
    }

    /// When a step that would take a value of its location might take a stale one (paper 003 Thm. 5.3; ERR-SC of
    /// paper 001 Fig. 5). `None`: never.
    pub(super) fn stale(
        &self,
        thread: usize,
        number: usize,
        order: Order,
        updates: bool,
        accept: &Accepted,
    ) -> Option<String> {
        let layout = self.layout();
        let monitored = layout.monitored[number]?;
        let stale = &layout.stale[monitored];
        let (sc_view, _) = &self.views[layout.plan.sc_view(thread).0 as usize][chunk_of(stale.sc_bit?)];
        let aware = format!("!({sc_view} & {})", mask_text(&[stale.sc_bit?]));
        let classes = if updates { &stale.updates } else { &stale.reads };
        let all: Vec<u32> = classes.all().collect();
        let access = |leaves| {
            let Order { acquire, release, sc, .. } = order;
            Access { thread, location: monitored, reads: true, writes: false, acquire, release, sc, leaves }
        };
        let missed = |leaves: bool| {
            let views = layout.plan.rules_out(&access(leaves));
            let chunks = all.iter().map(|bit| bit / CHUNK).max().map_or(0, |k| k + 1);
            let parts = (0..chunks).filter_map(|k| {
                let mask = self.accepted(number, classes, accept, k)?;
                let views = views.iter().map(|v| self.views[v.0 as usize][k as usize].0.clone());
                Some(format!("({} & {mask})", views.collect::<Vec<_>>().join(" & ")))
            });
            let parts: Vec<String> = parts.collect();
            (!parts.is_empty()).then(|| parts.join(" || "))
        };
        let leaving = missed(true)?;
        if !layout.plan.tracks_runs() || missed(false).as_ref() == Some(&leaving) {
            return Some(format!("{aware} && ({leaving})"));
        }
        let run = format!("{} == {}", self.runs[thread], monitored + 1);
        Some(format!("{aware} && (({run}) -> ({}) : ({leaving}))", missed(false)?))
    }

    /// The bits of the values that a step accepts, within one chunk, as an expression. `None`: none.
    fn accepted(&self, number: usize, classes: &Classes, accept: &Accepted, k: u32) -> Option<String> {
        let all = chunk_mask(&classes.all().collect::<Vec<_>>(), k);
        let (accept, expr) = match accept {
            Accepted::Known(accept) => (*accept, None),
            Accepted::Exactly(expr) => (Accept::Any, Some((expr, false))),
            Accepted::AllBut(expr) => (Accept::Any, Some((expr, true))),
        };
        let values = &self.facts.location(number).values;
        let of = |value: Value| {
            let number = values.iter().position(|&v| v == value);
            let bit = number.and_then(|n| classes.bit(n as u32));
            bit.map_or(0, |bit| chunk_mask(&[bit], k))
        };
        let mask = match accept {
            Accept::Any => all,
            Accept::Exactly(value) => of(value),
            Accept::AllBut(value) => all & !of(value),
        };
        if mask == 0 {
            return None;
        }
        let Some((expr, complement)) = expr else { return Some(mask.to_string()) };
        let masks = values.iter().map(|&v| (v, if complement { all & !of(v) } else { of(v) })).collect::<Vec<_>>();
        let otherwise = if complement { all } else { 0 };
        let nested = masks.iter().rev().fold(otherwise.to_string(), |rest, (value, mask)| {
            format!("(({expr}) == {} -> {mask} : {rest})", literal(*value))
        });
        Some(nested)
    }

    /// The values that a step may compare with; `None`: any.
    pub(super) fn critical(&self, number: usize, reads: bool, updates: bool) -> Option<Vec<Value>> {
        let location = self.facts.location(number);
        if location.apart || self.layout().monitored[number].is_none() {
            return None;
        }
        let (of_reads, of_updates) = (&location.critical_reads, &location.critical_updates);
        Some(match (reads, updates) {
            (true, true) => of_reads.iter().filter(|v| of_updates.contains(v)).copied().collect(),
            (true, false) => of_reads.clone(),
            _ => of_updates.clone(),
        })
    }

    /// When an access races with an earlier one, and the race cell that it touches itself.
    pub(super) fn race(
        &self,
        thread: usize,
        number: usize,
        writes: bool,
        atomic: bool,
    ) -> (Option<String>, Option<Cell>) {
        let layout = self.layout();
        let Some(cells) = &layout.races[number] else { return (None, None) };
        let (conflicts, touched) = cells.of_access(thread, writes, atomic);
        let bits: Vec<u32> = conflicts.into_iter().map(|cell| layout.race_bit(cell)).collect();
        let view = &self.views[layout.plan.hb_view(thread).0 as usize];
        let parts = view.iter().enumerate().filter_map(|(k, (name, _))| {
            let mask = chunk_mask(&bits, k as u32);
            (mask != 0).then(|| format!("({name} & {mask})"))
        });
        let parts: Vec<String> = parts.collect();
        ((!parts.is_empty()).then(|| parts.join(" || ")), touched)
    }

    fn by_class(&self, number: usize, classes: &Classes) -> Vec<(u32, Vec<Value>)> {
        let values = &self.facts.location(number).values;
        let of = |class: u32| {
            let members = values.iter().enumerate().filter(|(n, _)| classes.bit(*n as u32) == Some(class));
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
                    let bits = self.layout().cell_bits(view, cell);
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

/// Which values a step accepts, where they may be the value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Accepted {
    Known(Accept),
    Exactly(String),
    AllBut(String),
}

fn chunk_of(bit: u32) -> usize {
    (bit / CHUNK) as usize
}

fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

fn chunk_mask(bits: &[u32], k: u32) -> u32 {
    bits.iter().filter(|&&bit| bit / CHUNK == k).fold(0, |mask, bit| mask | 1 << (bit % CHUNK))
}

fn mask_text(bits: &[u32]) -> String {
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

/// The names of the papers: VSC, MSC, WSC, V (current), Va, Vr, W; psc has none there.
fn view_names(program: &Program, facts: &Facts) -> Vec<String> {
    let layout = &facts.layout;
    let plan = &layout.plan;
    let mut names: Vec<String> = (0..layout.rows.len()).map(|view| format!("view_{view}")).collect();
    let (sc, hb) = (plan.sc_views(), plan.sc_views() + plan.hb_views());
    let mut name = |view: View, of_sc: &str, of_hb: &str, owner: &str| {
        names[view.0 as usize] = match view.0 {
            v if v < sc => format!("{of_sc}_{owner}"),
            v if v < hb => format!("{of_hb}_{owner}"),
            v => format!("psc{v}_{owner}"),
        };
    };
    for (thread, t) in program.threads.iter().enumerate() {
        plan.thread_views(thread).into_iter().for_each(|v| name(v, "VSC", "V", &t.name));
        plan.acquire_views(thread).into_iter().for_each(|v| name(v, "VSC", "Va", &t.name));
        plan.release_views(thread).into_iter().for_each(|v| name(v, "VSC", "Vr", &t.name));
    }
    let cells = facts.accessed().into_iter().map(|(at, number)| (cell_identifier(program, at), number));
    for (owner, number) in cells.chain(facts.fence_location().map(|number| ("fence".to_owned(), number))) {
        let Some(location) = layout.monitored[number] else { continue };
        for (i, view) in plan.location_views(location).into_iter().enumerate() {
            name(view, if i == 0 { "MSC" } else { "WSC" }, "W", &owner);
        }
    }
    names
}

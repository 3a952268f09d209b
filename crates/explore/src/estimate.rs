//! How many executions there are, and how long it takes to see them, by random descent (Knuth, "Estimating the
//! efficiency of backtrack programs", 1975).
//!
//! A descent goes from the root to a leaf of the tree of branches and takes one of the ways at random at each node. One
//! leaf that was reached with probability p stands for 1/p of them; the mean over many descents is their number,
//! whatever the probabilities are. They are best where they are those of the leaves: a revisit leads to a much larger
//! part of the tree than the events that come after it. So the first descents learn how large the parts are.

use std::time::{Duration, Instant};

use fencepost_budget::{Budget, Limits};
use fencepost_models::{Engine, Refusal};
use fencepost_program::{Address, Failure, Freed, Program};
use fencepost_story::Estimate;

use crate::Options;
use crate::branch::Branch;
use crate::event::Id;
use crate::execution::Execution;
use crate::explorer::{Advance, Explorer, Flow, Overlap, Visitor};
use crate::heap::HeapError;
use crate::learned::{Learned, Remedy};
use crate::locations::Locations;
use crate::races::Race;
use crate::steps::Steps;
use crate::threads::Interpreter;

/// Fewer descents than this say little about the error.
const DESCENTS: u32 = 1_000;
/// How many descents teach.
const LESSONS: u32 = 5_000;
/// Exact enough, as a part of the whole.
const ERROR: f64 = 0.02;
/// A descent that adds more events than this counts as one to a leaf.
const MAX_EVENTS: usize = 4_000;

/// Descends for at most about this time. `None` if that is not enough for one descent. Refuses a program that the model
/// cannot take.
pub fn estimate(program: &Program, options: &Options, time: Duration) -> Result<Option<Estimate>, Refusal> {
    options.model.admit(Engine::Explore, program)?;
    Ok(descend_repeatedly(program, options, time))
}

fn descend_repeatedly(program: &Program, options: &Options, time: Duration) -> Option<Estimate> {
    let budget = &options.budget.within(Limits { timeout: Some(time), bytes: None });
    let learned = learned(program, options, budget)?;
    let interpreter = Interpreter::new(program, options.unroll, learned.freed.clone());
    let steps = Steps::new(program, &interpreter, options.model, &learned);
    let mut explorer = Explorer::new(&steps, options, Locations::default());
    let mut random = fastrand::Rng::with_seed(0);
    let started = Instant::now();
    let mut sizes = Sizes::default();
    let mut learned = 0;
    while learned == 0 || learned < LESSONS && started.elapsed() < time / 2 {
        let descent = Descent::new(&mut explorer, &mut random, &sizes, budget)?;
        sizes.learn(&descent);
        learned += 1;
    }
    let (mut sum, mut squares, mut work, mut tried, mut descents) = (0.0, 0.0, 0.0, 0, 0);
    let relative_error = |sum: f64, squares: f64, count: f64| {
        let mean = sum / count;
        let variance = (squares / count - mean * mean).max(0.0);
        if mean > 0.0 { (variance / count).sqrt() / mean } else { 0.0 }
    };
    let since = Instant::now();
    while descents < DESCENTS || relative_error(sum, squares, f64::from(descents)) > ERROR {
        let Some(descent) = Descent::new(&mut explorer, &mut random, &sizes, budget) else { break };
        descents += 1;
        sum += descent.executions;
        squares += descent.executions * descent.executions;
        work += descent.work;
        tried += descent.tried;
    }
    if descents == 0 {
        return None;
    }
    let count = f64::from(descents);
    // Each alternative is tried to count it, and half of them again to take one.
    let seconds_each = since.elapsed().as_secs_f64() / f64::from(tried.max(1)) / 1.5;
    Some(Estimate {
        executions: sum / count,
        error: relative_error(sum, squares, count),
        seconds: work / count * seconds_each / options.jobs.get() as f64,
        descents,
    })
}

/// What the first execution shows.
fn learned(program: &Program, options: &Options, budget: &Budget) -> Option<Learned> {
    let mut learned = Learned::nothing(options.one_order_at_barriers);
    loop {
        let interpreter = Interpreter::new(program, options.unroll, learned.freed.clone());
        let steps = Steps::new(program, &interpreter, options.model, &learned);
        let mut explorer = Explorer::new(&steps, options, Locations::default());
        let mut branch = Branch::new(&steps);
        let mut leaf = Leaf { budget: budget.clone(), ..Leaf::default() };
        let mut depth = 0;
        explorer.descend(&mut branch, &mut leaf);
        while branch.depth() > depth && branch.execution.len() <= MAX_EVENTS {
            depth = branch.depth();
            let mut advance = explorer.advance(&mut branch);
            while matches!(advance, Advance::Refused) && !budget.is_spent() {
                advance = explorer.advance(&mut branch);
            }
            if let Advance::Added = advance {
                explorer.descend(&mut branch, &mut leaf);
            }
        }
        budget.check().ok()?;
        match leaf.overlap {
            Some(overlap) => learned.note(overlap),
            None if !leaf.freed.is_empty() => learned.freed.extend(leaf.freed),
            None if leaf.order_at_barriers_matters => learned.one_order_at_barriers = false,
            None => return Some(learned),
        }
    }
}

/// The facts about a node that are known before its subtree is visited: whether it is a revisit, and its events.
#[derive(Clone, Copy)]
struct Node {
    revisit: bool,
    events: usize,
}

/// How many leaves there are below a node, by what is known of it.
#[derive(Default)]
struct Sizes(Vec<(f64, u32)>);

impl Sizes {
    fn learn(&mut self, descent: &Descent) {
        for &(node, weight) in &descent.path {
            let index = Sizes::index(node);
            if self.0.len() <= index {
                self.0.resize(index + 1, (0.0, 0));
            }
            self.0[index].0 += descent.executions / weight;
            self.0[index].1 += 1;
        }
    }

    fn guess(&self, node: Node) -> f64 {
        match self.0.get(Sizes::index(node)) {
            Some(&(sum, count)) if sum > 0.0 => sum / f64::from(count),
            _ => 1.0,
        }
    }

    fn index(node: Node) -> usize {
        node.events * 2 + node.revisit as usize
    }
}

struct Descent {
    executions: f64,
    /// The alternatives that a whole exploration would try.
    work: f64,
    /// Those that the descent tried.
    tried: u32,
    /// The nodes on the way, each with what it stands for.
    path: Vec<(Node, f64)>,
}

impl Descent {
    /// `None` if the budget is spent before its end.
    fn new(explorer: &mut Explorer, random: &mut fastrand::Rng, sizes: &Sizes, budget: &Budget) -> Option<Descent> {
        let mut descent = Descent { executions: 0.0, work: 1.0, tried: 1, path: Vec::new() };
        let mut branch = Branch::new(explorer.steps);
        let mut leaf = Leaf { budget: budget.clone(), ..Leaf::default() };
        let mut weight = 1.0;
        let mut depth = branch.depth();
        let mut ways: Vec<(Node, f64)> = Vec::new();
        explorer.descend(&mut branch, &mut leaf);
        while branch.depth() > depth && branch.execution.len() <= MAX_EVENTS {
            depth = branch.depth();
            let top = branch.top();
            ways.clear();
            loop {
                budget.check().ok()?;
                let node = match explorer.advance(&mut branch) {
                    Advance::Exhausted => break,
                    Advance::Refused => None,
                    Advance::Added => Some(Node { revisit: false, events: branch.execution.len() }),
                    Advance::Revisit(revisited) => Some(Node { revisit: true, events: revisited.execution.len() }),
                };
                ways.extend(node.map(|node| (node, sizes.guess(node))));
                descent.tried += 1;
                descent.work += weight;
            }
            let total: f64 = ways.iter().map(|&(_, size)| size).sum();
            // Half of the time any way will do, lest one is never taken.
            let chance = |size: f64| 0.5 * size / total + 0.5 / ways.len() as f64;
            let mut point = random.f64();
            let chosen = ways.iter().position(|&(_, size)| {
                point -= chance(size);
                point < 0.0
            });
            let Some(chosen) = chosen.or(ways.len().checked_sub(1)) else { return Some(descent) };
            let (node, size) = ways[chosen];
            weight /= chance(size);
            descent.path.push((node, weight));
            branch.set_top(top);
            let mut skip = chosen;
            loop {
                budget.check().ok()?;
                match explorer.advance(&mut branch) {
                    Advance::Exhausted => unreachable!("there were more ways"),
                    Advance::Added if skip == 0 => {
                        explorer.descend(&mut branch, &mut leaf);
                        break;
                    }
                    Advance::Revisit(revisited) if skip == 0 => {
                        (branch, depth) = (revisited, 0);
                        break;
                    }
                    Advance::Added | Advance::Revisit(_) => skip -= 1,
                    Advance::Refused => {}
                }
            }
        }
        budget.check().ok()?;
        descent.executions = weight * f64::from(leaf.executions);
        Some(descent)
    }
}

/// Counts what a descent ends in.
#[derive(Default)]
struct Leaf {
    budget: Budget,
    executions: u32,
    overlap: Option<([Address; 2], Remedy)>,
    freed: Freed,
    order_at_barriers_matters: bool,
}

impl Visitor for Leaf {
    fn tick(&mut self, events: usize) -> Flow {
        if events > MAX_EVENTS || self.budget.is_spent() { Flow::Stop } else { Flow::GoOn }
    }

    fn complete(&mut self, _: &Explorer, _: &Execution) -> Flow {
        self.executions += 1;
        Flow::GoOn
    }

    fn blocked(&mut self, _: &Explorer, _: &Execution) -> Flow {
        self.executions += 1;
        Flow::GoOn
    }

    fn deadlock(&mut self, _: &Explorer, _: &Execution, _: &[usize]) -> Flow {
        self.executions += 1;
        Flow::GoOn
    }

    fn failed(&mut self, _: &Explorer, _: &Execution, _: usize, _: Failure) -> Flow {
        self.executions += 1;
        Flow::GoOn
    }

    fn freed(&mut self, start: u64, size: u64) -> Flow {
        self.freed.insert(start, size);
        Flow::Stop
    }

    fn overlap(&mut self, _: &Explorer, _: &Execution, overlap: Overlap) -> Flow {
        self.overlap = Some((overlap.cells, overlap.remedy)).filter(|&(_, remedy)| remedy != Remedy::Nothing);
        Flow::GoOn
    }

    fn order_at_barrier_matters(&mut self) -> Flow {
        self.order_at_barriers_matters = true;
        Flow::GoOn
    }

    fn heap_error(&mut self, _: &Explorer, _: &Execution, _: HeapError) -> Flow {
        Flow::GoOn
    }

    fn race(&mut self, _: &Explorer, _: &Execution, _: Race, _: Id) -> Flow {
        Flow::GoOn
    }
}

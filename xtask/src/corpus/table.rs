//! The table of a run: counts for each folder, disagreements, and refusals by reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::outcome::{Outcome, Row};

#[derive(Default)]
struct Counts {
    tasks: usize,
    read: usize,
    answered: usize,
    agreed: usize,
    disagreed: usize,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        self.tasks += 1;
        self.read += usize::from(outcome != Outcome::Refused);
        self.answered += usize::from(matches!(outcome, Outcome::Agreed | Outcome::Disagreed));
        self.agreed += usize::from(outcome == Outcome::Agreed);
        self.disagreed += usize::from(outcome == Outcome::Disagreed);
    }

    fn row(&self, name: &str) -> String {
        let Counts { tasks, read, answered, agreed, disagreed } = self;
        format!("| {name} | {tasks} | {read} | {answered} | {agreed} | {disagreed} |\n")
    }
}

pub fn summary(rows: &[Row]) -> String {
    let mut text = String::from("| tasks of | tasks | read | answered | agreed | disagreed |\n");
    text += "| --- | ---: | ---: | ---: | ---: | ---: |\n";
    let (mut all, mut folders) = (Counts::default(), BTreeMap::<String, Counts>::new());
    for row in rows {
        all.add(row.outcome());
        folders.entry(group(row)).or_default().add(row.outcome());
    }
    for (folder, counts) in &folders {
        text += &counts.row(folder);
    }
    text += &all.row("all");
    text += &counted(rows);
    text += "\nDisagreements:\n";
    for row in rows.iter().filter(|row| row.outcome() == Outcome::Disagreed) {
        let _ = writeln!(text, "- {}", row.line());
    }
    for (title, outcome) in [("Refused", Outcome::Refused), ("Not answered", Outcome::Open)] {
        let _ = writeln!(text, "\n{title}, by reason:");
        text += &reasons(rows.iter().filter(|row| row.outcome() == outcome));
    }
    text
}

/// The folder of the task, and what is asked.
fn group(row: &Row) -> String {
    let folder = row.task.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder} {}", row.task.question.name()).trim().to_owned()
}

/// Whether the numbers of executions are the same, where both are known.
fn counted(rows: &[Row]) -> String {
    let both = rows.iter().filter_map(|row| Some((row.executions()?, row.task.executions?)));
    let counts: Vec<(u64, u64)> = both.collect();
    let same = counts.iter().filter(|(ours, theirs)| ours == theirs).count();
    if counts.is_empty() { String::new() } else { format!("\n{same} of {} have as many executions\n", counts.len()) }
}

fn reasons<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    let mut reasons = BTreeMap::<String, Vec<&str>>::new();
    for row in rows {
        reasons.entry(reason(&row.said())).or_default().push(&row.task.name);
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, tasks)| std::cmp::Reverse(tasks.len()));
    let line = |(reason, tasks): (String, Vec<&str>)| format!("- {} x {reason} (such as {})\n", tasks.len(), tasks[0]);
    reasons.into_iter().map(line).collect()
}

/// The reason without the place, so that the same reason in several files is one.
pub fn reason(said: &str) -> String {
    let words = said.split_whitespace().filter(|word| !is_place(word));
    words.collect::<Vec<_>>().join(" ")
}

fn is_place(word: &str) -> bool {
    let numbered = word.trim_end_matches(':').split(':').skip(1);
    word.contains('/') || (numbered.clone().count() > 0 && numbered.clone().all(|part| part.parse::<u64>().is_ok()))
}

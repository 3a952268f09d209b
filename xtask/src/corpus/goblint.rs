//! Goblint's regression tests: a comment at the end of a line says what happens there. Its manual gives each comment a
//! concrete meaning, and only that is compared:
//!
//! | comment | meaning |
//! | --- | --- |
//! | none, `SUCCESS`, `TODO` behind a check | it always succeeds |
//! | `FAIL` | it always fails, if it is reached |
//! | `UNKNOWN!` | it can fail |
//! | `UNKNOWN`, `WARN`, `NOWARN` | says nothing about executions |
//! | `RACE!`, `NORACE` | a race is possible, or not |
//! | `DEADLOCK`, `NODEADLOCK` | a deadlock is possible, or not |
//!
//! `RACE` without `!` is a warning that Goblint cannot avoid, and says nothing about executions. Nor does a file say
//! anything about races in lines that have no comment. Programs without threads are left out.

use std::path::Path;

use super::task::{Expected, Question, Task};
use super::{files, name, text};

const CHECKS: [&str; 3] = ["__goblint_check(", "__goblint_assert(", "assert("];

pub fn tasks(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for file in files(directory, ".c")? {
        let text = text(&file)?;
        let first = text.lines().next().unwrap_or_default();
        if !text.contains("pthread_create") || first.contains("SKIP") {
            continue;
        }
        let include = format!("-I{}", file.parent().unwrap_or(directory).display());
        for asked in questions(&text) {
            tasks.push(Task {
                name: name(directory, &file),
                file: file.clone(),
                text: asked.text,
                question: asked.question,
                model: "sc",
                expected: asked.expected,
                clang: definitions(first).chain([include.clone()]).collect(),
                quiet_lines: asked.quiet_lines,
                executions: None,
            });
        }
    }
    Ok(tasks)
}

pub struct Asked {
    pub question: Question,
    pub expected: Expected,
    pub text: Option<String>,
    pub quiet_lines: Vec<u64>,
}

/// What the comments of a program ask.
pub fn questions(text: &str) -> Vec<Asked> {
    let lines: Vec<Line> = text.lines().map(Line::read).collect();
    let mut asked = Vec::new();
    let numbers = |wanted: Mark| {
        let marked = lines.iter().enumerate().filter(move |(_, line)| line.mark == Some(wanted));
        marked.map(|(number, _)| number as u64 + 1).collect::<Vec<u64>>()
    };
    // Goblint calls it a race too if memory is freed while another thread accesses it.
    let freed = lines.iter().any(|line| line.mark == Some(Mark::Race) && line.text.contains("free("));
    let races = if freed { Question::Memory } else { Question::Races };
    for (question, bad, good) in
        [(races, Mark::Race, Mark::NoRace), (Question::Deadlocks, Mark::Deadlock, Mark::NoDeadlock)]
    {
        let (bad, good) = (numbers(bad), numbers(good));
        let expected = if bad.is_empty() { Expected::Holds } else { Expected::Violated };
        // With a warning that may be false, nothing is known of the whole program.
        let open = bad.is_empty() && lines.iter().any(|line| line.mark == Some(Mark::PerhapsRace));
        let quiet_lines = if question == Question::Races { good.clone() } else { Vec::new() };
        let asks = !bad.is_empty() || !good.is_empty();
        if asks && !open {
            asked.push(Asked { question, expected, text: None, quiet_lines });
        }
    }
    for (expected, wanted) in [(Expected::Holds, Mark::Succeeds), (Expected::Violated, Mark::CanFail)] {
        if lines.iter().any(|line| line.mark == Some(wanted)) {
            let kept = lines.iter().map(|line| line.keeping(wanted) + "\n").collect::<String>();
            let text = Some(format!("extern void _Exit(int);\n#line 1\n{kept}"));
            asked.push(Asked { question: Question::Assertions, expected, text, quiet_lines: Vec::new() });
        }
    }
    asked
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Race,
    NoRace,
    PerhapsRace,
    Deadlock,
    NoDeadlock,
    /// A check that always succeeds.
    Succeeds,
    /// A check that can fail.
    CanFail,
    /// A check of which nothing is known.
    Open,
}

struct Line<'t> {
    text: &'t str,
    /// Where the check begins, and how it is spelt.
    check: Option<(usize, &'static str)>,
    mark: Option<Mark>,
}

impl<'t> Line<'t> {
    fn read(text: &'t str) -> Line<'t> {
        let (code, comment) = text.split_once("//").unwrap_or((text, ""));
        let at = |name: &'static str| {
            let begin = code.find(name)?;
            let word = code[..begin].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            (!word).then_some((begin, name))
        };
        let declared = ["#define", "extern ", "void "].iter().any(|start| code.trim_start().starts_with(start));
        let check = CHECKS.into_iter().find_map(at).filter(|_| !declared);
        let mark = match comment.trim() {
            _ if code.trim().is_empty() => None,
            comment if check.is_some() => Some(of_check(comment)),
            comment => of_access(comment),
        };
        Line { text, check, mark }
    }

    /// The line, with its check only if it has this mark. Another check is evaluated, and if it is of the kind that
    /// ends the program where it fails, the program ends there without an error.
    fn keeping(&self, mark: Mark) -> String {
        let Some((begin, check)) = self.check.filter(|_| self.mark != Some(mark)) else {
            return self.text.to_owned();
        };
        let (before, rest) = (&self.text[..begin], &self.text[begin + check.len()..]);
        if check == "__goblint_check(" {
            return format!("{before}(void)({rest}");
        }
        match rest.rfind(");") {
            Some(end) => format!("{before}(void)((0 != ({})) || (_Exit(0), 0){}", &rest[..end], &rest[end..]),
            None => self.text.to_owned(),
        }
    }
}

fn of_check(comment: &str) -> Mark {
    let word = comment.split_whitespace().next().unwrap_or_default();
    match word {
        _ if comment.contains("UNKNOWN!") || word.starts_with("FAIL") => Mark::CanFail,
        _ if comment.contains("UNKNOWN") || comment.contains("WARN") || comment.contains("FAIL") => Mark::Open,
        _ => Mark::Succeeds,
    }
}

fn of_access(comment: &str) -> Option<Mark> {
    let comment = comment.strip_prefix("TODO").unwrap_or(comment).trim();
    let word = comment.split_whitespace().next()?;
    match word {
        _ if word.starts_with("NORACE") => Some(Mark::NoRace),
        _ if word.starts_with("RACE!") => Some(Mark::Race),
        _ if word.starts_with("RACE") => Some(Mark::PerhapsRace),
        "NODEADLOCK" => Some(Mark::NoDeadlock),
        "DEADLOCK" => Some(Mark::Deadlock),
        _ => None,
    }
}

/// Definitions for the preprocessor among Goblint's options in the first line.
fn definitions(first: &str) -> impl Iterator<Item = String> {
    let words = first.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    words.filter(|word| word.starts_with("-D")).map(str::to_owned)
}

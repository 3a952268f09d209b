//! Every `console` block of the documentation is run, and prints what the page shows. `UPDATE_DOCS=1` writes what it
//! prints now. CONTRIBUTING.md says how a page leaves out lines, and how it marks a block that is not run.

use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::normal::agree;
use crate::pages::{Page, pages, root};

/// A block of code of a page.
struct Block {
    language: String,
    /// The comment right before it, without `<!--` and `-->`.
    comment: String,
    text: Range<usize>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut comment = String::new();
    let mut open: Option<Block> = None;
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        match (event, &mut open) {
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                let language =
                    if let CodeBlockKind::Fenced(language) = kind { language.to_string() } else { String::new() };
                open = Some(Block { language, comment: std::mem::take(&mut comment), text: range.end..range.start });
            }
            (Event::Text(_), Some(block)) => {
                block.text = block.text.start.min(range.start)..block.text.end.max(range.end);
            }
            (Event::End(TagEnd::CodeBlock), _) => blocks.extend(open.take()),
            (Event::Html(html), _) => {
                comment = html.trim().trim_start_matches("<!--").trim_end_matches("-->").trim().into()
            }
            (Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock), _) => {}
            _ => comment.clear(),
        }
    }
    for block in &mut blocks {
        // An empty block has no text.
        if block.text.start > block.text.end {
            block.text = 0..0;
        }
    }
    blocks
}

/// The commands of a block, each with the output that follows it. A command ends at a line without a `\\` at its end.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((command, _))) if command.ends_with('\\') => command.push_str(&format!("\n{line}")),
            (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    commands
}

/// What a command prints in a directory that has `programs`, and where the earlier commands of the page have been run.
fn printed(command: &str, directory: &Path) -> String {
    let mut path = vec![Path::new(env!("CARGO_BIN_EXE_fencepost")).parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(directory)
        .env("PATH", env::join_paths(path).unwrap());
    let output = shell.output().unwrap();
    // Debug information has the directory in which a program was compiled.
    let text = String::from_utf8_lossy(&output.stdout).replace(&format!("{}/", directory.display()), "");
    if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end()) }
}

/// The page with what its commands print now, where that differs by more than its cost.
fn renewed(page: &Page) -> String {
    let runs = |block: &Block| block.language == "console" && !block.comment.starts_with("not run: ");
    let blocks: Vec<Block> = blocks(&page.text).into_iter().filter(runs).collect();
    if blocks.is_empty() {
        return page.text.clone();
    }
    let directory = tempfile::tempdir().unwrap();
    // A copy: reports on LLVM IR show only sources below the current directory, and a link leads out of it.
    let copied = Command::new("cp").arg("-r").arg(root().join("programs")).arg(directory.path()).status();
    assert!(copied.unwrap().success());
    let mut text = page.text.clone();
    let mut shift = 0;
    for block in blocks {
        let mut now = String::new();
        for (command, shown) in commands(&page.text[block.text.clone()]) {
            let printed = printed(&command, directory.path());
            now.push_str(&format!("$ {command}\n{}", if agree(&shown, &printed) { shown } else { printed }));
        }
        let at = |offset: usize| offset.checked_add_signed(shift).unwrap();
        text.replace_range(at(block.text.start)..at(block.text.end), &now);
        shift += now.len() as isize - block.text.len() as isize;
    }
    text
}

#[test]
fn examples_of_readme_and_docs_show_what_commands_print() {
    let mut stale = String::new();
    for page in pages() {
        let now = renewed(&page);
        if now == page.text {
            continue;
        }
        if env::var_os("UPDATE_DOCS").is_some() {
            fs::write(root().join(&page.path), now).unwrap();
        } else {
            let different = page.text.lines().zip(now.lines()).find(|(then, now)| then != now);
            let (then, now) = different.unwrap_or_default();
            stale.push_str(&format!("{}\n  shows  {then}\n  is now {now}\n", page.path.display()));
        }
    }
    assert!(stale.is_empty(), "stale: run `UPDATE_DOCS=1 cargo test -p fencepost --test docs examples`\n{stale}");
}

#[test]
fn what_looks_like_a_terminal_is_run_or_says_why_not() {
    let mut run = 0;
    for page in pages() {
        for block in blocks(&page.text) {
            let text = &page.text[block.text.clone()];
            if !text.lines().any(|line| line.trim_start().starts_with("$ ")) {
                continue;
            }
            let place = format!("{}, line {}", page.path.display(), page.text[..block.text.start].lines().count());
            assert_eq!(block.language, "console", "{place}: a block with commands is a `console` block");
            assert!(text.starts_with("$ "), "{place}: a block starts with a command");
            run += usize::from(!block.comment.starts_with("not run: "));
        }
    }
    assert!(run >= 15, "only {run} blocks are run");
}

/// A block after `<!-- file: programs/... -->` is what stands there in that file.
#[test]
fn code_that_names_a_file_stands_in_it() {
    for page in pages() {
        for block in blocks(&page.text) {
            let Some(file) = block.comment.strip_prefix("file: ") else { continue };
            let there = fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            let text = &page.text[block.text];
            assert!(there.contains(text), "{}: this does not stand in {file}:\n{text}", page.path.display());
        }
    }
}

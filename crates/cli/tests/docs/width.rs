//! Prose is at most 120 columns wide, in pages and in comments. Tables, headings and blocks of code cannot be broken.
//! The changelog is left out, because every change adds to it.

use std::path::Path;

use crate::pages::{pages, sources};

const WIDTH: usize = 120;

#[test]
fn prose_is_at_most_120_columns_wide() {
    let mut wide = Vec::new();
    for page in pages().into_iter().filter(|page| page.path != Path::new("CHANGELOG.md")) {
        let mut in_code = false;
        for (number, line) in page.text.lines().enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            in_code ^= is_fence;
            let cannot_break = in_code || is_fence || line.starts_with(['|', '#']) || line.starts_with("    ");
            if !cannot_break && line.chars().count() > WIDTH && line.trim().contains(' ') {
                wide.push(format!("{}:{}", page.path.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "lines of more than {WIDTH} columns:\n{}", wide.join("\n"));
}

#[test]
fn comments_are_at_most_120_columns_wide() {
    let mut wide = Vec::new();
    for source in sources() {
        for (number, line) in source.text.lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > WIDTH {
                wide.push(format!("{}:{}", source.path.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "comments of more than {WIDTH} columns:\n{}", wide.join("\n"));
}

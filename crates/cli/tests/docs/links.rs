//! Relative links in Markdown lead to files that exist, and to headings of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::pages::{Page, pages, root};

/// The name of a heading in a link, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    heading.trim().chars().filter_map(kept).collect()
}

#[derive(Default)]
struct Contents {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

fn contents(page: &Page) -> Contents {
    let mut contents = Contents::default();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(&page.text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&heading.take().unwrap_or_default());
                // A heading that comes again gets a number.
                let before = seen.entry(name.clone()).or_default();
                contents.anchors.insert(if *before == 0 { name } else { format!("{name}-{before}") });
                *before += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                contents.links.push(dest_url.into_string());
            }
            _ => {}
        }
    }
    contents
}

/// The path that a link of a page leads to, without `.` and `..`.
fn target(page: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in page.parent().unwrap_or(Path::new("")).join(link).components() {
        match component {
            Component::ParentDir => {
                assert!(path.pop(), "{} in {} leads out of the repository", link, page.display());
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

#[test]
fn relative_links_and_anchors_resolve() {
    let all: BTreeMap<PathBuf, Contents> = pages().iter().map(|page| (page.path.clone(), contents(page))).collect();
    let mut broken = Vec::new();
    let mut looked_at = 0;
    for (path, contents) in &all {
        for link in contents.links.iter().filter(|link| !link.contains("://")) {
            looked_at += 1;
            let (file, anchor) = link.split_once('#').map_or((link.as_str(), None), |(file, name)| (file, Some(name)));
            let to = if file.is_empty() { path.clone() } else { target(path, file) };
            let found = match anchor {
                None => root().join(&to).is_file(),
                Some(anchor) => all.get(&to).is_some_and(|contents| contents.anchors.contains(anchor)),
            };
            if !found {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(looked_at > 50, "only {looked_at} links were found");
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

/// The book has no pages outside `docs`, so a link that leaves it would be dead there.
#[test]
fn links_of_the_book_stay_in_the_book() {
    for page in pages().iter().filter(|page| page.path.starts_with("docs")) {
        for link in contents(page).links.iter().filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let to = target(&page.path, link.split('#').next().unwrap());
            assert!(to.starts_with("docs"), "{}: {link} leaves the book", page.path.display());
        }
    }
}

#[test]
fn the_book_has_every_page_of_docs() {
    let pages = pages();
    let summary = pages.iter().find(|page| page.path == Path::new("docs/SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> =
        contents(summary).links.iter().map(|link| target(&summary.path, link)).chain([summary.path.clone()]).collect();
    let there: BTreeSet<PathBuf> =
        pages.iter().map(|page| page.path.clone()).filter(|path| path.starts_with("docs")).collect();
    assert_eq!(listed, there);
}

#[test]
fn anchors_are_those_of_github() {
    assert_eq!(anchor("`fencepost prove`: assertions, with no bound"), "fencepost-prove-assertions-with-no-bound");
    assert_eq!(anchor("What C11 means"), "what-c11-means");
}

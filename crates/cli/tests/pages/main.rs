//! Reports in a real browser: Debian's Chromium opens what `--graph FILE.html` and `--graphs FILE.html` write.
#![cfg(target_os = "linux")]

mod browser;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use browser::Browser;

const DESK: (u32, u32) = (1440, 900);
const ON_SCREEN: &str = include_str!("on_screen.js");

fn directory(test: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages").join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs")
}

/// Runs `fencepost` in a directory, and returns the page that it was told to write there.
fn page(directory: &Path, arguments: &[&str]) -> PathBuf {
    written(directory, "page.html", arguments)
}

fn written(directory: &Path, file: &str, arguments: &[&str]) -> PathBuf {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    let ran = command.args(arguments).current_dir(directory).stdin(Stdio::null()).output().unwrap();
    let page = directory.join(file);
    assert!(page.exists(), "{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    page
}

/// Of a picture, what is outside of its frame.
const OUTSIDE: &str = "(() => { const frame = document.documentElement.viewBox.baseVal; const shapes = \
    [...document.querySelectorAll('svg > path, svg > text, svg > g > rect, svg > g > text')]; \
    const isOutside = (box) => box.x < frame.x || box.y < frame.y || box.x + box.width > frame.x + frame.width || \
    box.y + box.height > frame.y + frame.height; \
    return shapes.filter((shape) => isOutside(shape.getBBox())).map((shape) => shape.outerHTML); })()";

#[test]
fn pictures_fit_their_frames() {
    for (program, command, more) in [
        ("examples/SB.fp", "check", &[][..]),
        ("rc20/peterson.fp", "check", &[]),
        ("tutorial/queue-1.cc", "explore", &[]),
        ("c/cpp/double-checked.cc", "explore", &["--", "-DFIRST=std::memory_order_relaxed"]),
    ] {
        let directory = directory("pictures");
        let path = programs().join(program);
        let arguments = [&[command, "--graph", "why.svg", path.to_str().unwrap()], more].concat();
        let picture = written(&directory, "why.svg", &arguments);
        let browser = open(&picture);
        assert!(browser.value("document.querySelectorAll('svg > path').length").as_u64() > Some(3), "{program}");
        assert_eq!(browser.value(OUTSIDE), serde_json::json!([]), "{program}");
    }
}

/// The page about a program of the corpus.
fn page_of(test: &str, command: &str, program: &str, more: &[&str]) -> PathBuf {
    let path = programs().join(program);
    let arguments = [&[command, "--graph", "page.html", path.to_str().unwrap()], more].concat();
    page(&directory(test), &arguments)
}

fn open(page: &Path) -> Browser {
    let browser = Browser::start(DESK);
    browser.open(page);
    browser
}

/// All that is so of every page, whatever it is about.
fn check(browser: &Browser) {
    look(browser);
    let steps = browser.value("fencepost.execution.lastPlace").as_u64().unwrap();
    walk(browser, steps);
    switch_relations(browser);
    fold_and_unfold(browser);
    assert_eq!(browser.console(), [""; 0]);
    assert_eq!(browser.requests(), [""; 0]);
}

/// After "fit", everything is in the window, and nothing covers anything.
fn look(browser: &Browser) {
    browser.press(&["f"]);
    let seen = browser.value(ON_SCREEN);
    assert!(seen["nodes"].as_u64().unwrap() > 0, "{seen}");
    assert_eq!(seen["overlaps"], serde_json::json!([]));
    assert_eq!(seen["outside"], serde_json::json!([]));
}

fn walk(browser: &Browser, places: u64) {
    browser.press(&["Home"]);
    assert_eq!(browser.value("document.querySelector('#walk input').value"), "0");
    for place in 1..=places.min(12) {
        browser.press(&["ArrowRight"]);
        assert_eq!(browser.value("fencepost.at"), place);
        let marked = browser.value("document.querySelectorAll('.node.current, .cycle li.lit, .run tr.current').length");
        let told = browser.value("document.querySelector('#walk .now').textContent");
        assert!(marked.as_u64().unwrap() > 0 || !told.as_str().unwrap().is_empty(), "place {place}: {told}");
    }
    browser.press(&["ArrowLeft"]);
    assert_eq!(browser.value("fencepost.at"), places.min(12).saturating_sub(1));
    browser.press(&["End"]);
    assert_eq!(browser.value("fencepost.at"), places);
    assert_eq!(browser.value("document.querySelectorAll('.node.later').length"), 0);
}

fn switch_relations(browser: &Browser) {
    let relations = browser.value("[...document.querySelectorAll('#graph .toggle')].map((b) => b.dataset.relation)");
    for relation in relations.as_array().unwrap() {
        let button = format!("#graph .toggle[data-relation='{}']", relation.as_str().unwrap());
        let drawn = "document.querySelectorAll('#stage .edge').length";
        let pressed = format!("document.querySelector(\"{button}\").getAttribute('aria-pressed')");
        let (before, edges) = (browser.value(&pressed), browser.value(drawn));
        browser.click(&button);
        assert_ne!(browser.value(&pressed), before, "{relation}");
        let now = browser.value(drawn);
        match before.as_str() {
            Some("true") => assert!(now.as_u64() <= edges.as_u64(), "{relation}"),
            _ => assert!(now.as_u64() >= edges.as_u64(), "{relation}"),
        }
        browser.press(&["f"]);
        assert_eq!(browser.value(ON_SCREEN)["overlaps"], serde_json::json!([]), "{relation}");
        browser.click(&button);
        assert_eq!(browser.value(drawn), edges, "{relation}");
    }
}

fn fold_and_unfold(browser: &Browser) {
    let count = "document.querySelectorAll('#stage .node:not(.chip)').length";
    let all = browser.value("fencepost.execution.nodes.length");
    let folded = browser.value("fencepost.execution.nodes.filter((node) => node.folded).length").as_u64().unwrap();
    let before = browser.value(count).as_u64().unwrap();
    assert_eq!(before + folded, all.as_u64().unwrap());
    if folded == 0 {
        return;
    }
    assert!(browser.value("document.querySelectorAll('.node.chip').length").as_u64().unwrap() > 0);
    browser.press(&["o"]);
    assert_eq!(browser.value(count), all);
    look(browser);
    browser.press(&["o"]);
    assert_eq!(browser.value(count).as_u64().unwrap(), before);
    // One chip opens its own events.
    browser.value("document.querySelector('.node.chip').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    assert!(browser.value(count).as_u64().unwrap() > before);
}

#[test]
fn store_buffering_can_be_walked_through_to_its_cycle() {
    let browser = open(&page_of("sb", "check", "examples/SB.fp", &[]));
    check(&browser);
    // From the last place backwards: each step of the cycle has its sentence, its edge and its item in the list.
    browser.press(&["End"]);
    for _ in 0..browser.value("fencepost.execution.cycle.length").as_u64().unwrap() {
        assert_eq!(browser.value("document.querySelectorAll('.cycle li.lit').length"), 1);
        browser.press(&["ArrowLeft"]);
    }
    assert_eq!(browser.value("document.querySelectorAll('.cycle li.lit').length"), 0);
    // Of the registers, the walk shows what the threads have read.
    browser.press(&["Home", "ArrowRight", "ArrowRight"]);
    let state = browser.value("document.querySelector('#state').textContent");
    assert!(state.as_str().unwrap().contains("memory"), "{state}");
}

#[test]
fn an_event_is_the_same_in_all_three_columns() {
    let browser = open(&page_of("linked", "check", "examples/SB.fp", &[]));
    browser.click("#explanation a.event");
    let id = browser.value("fencepost.selected");
    for selector in ["#stage .node.selected", "#source .ev.selected", "#explanation a.event.selected"] {
        assert!(
            browser.value(&format!("document.querySelectorAll('{selector}').length")).as_u64() > Some(0),
            "{selector}"
        );
    }
    assert_eq!(browser.value("Number(document.querySelector('.node.selected').dataset.id)"), id);
    browser.press(&["Escape", "ArrowDown"]);
    assert!(browser.value("fencepost.selected").is_u64(), "keys alone select events");
    // The table says the same for those who see no drawing.
    browser.press(&["t"]);
    let rows = browser.value("document.querySelectorAll('#table tbody tr').length");
    assert_eq!(rows, browser.value("fencepost.execution.nodes.filter((n) => !fencepost.execution.isFolded(n)).length"));
    let unnamed = "[...document.querySelectorAll('.node')].filter((n) => !n.getAttribute('aria-label')).length";
    assert_eq!(browser.value(unnamed), 0);
}

#[test]
fn iriw_has_four_threads_side_by_side() {
    check(&open(&page_of("iriw", "check", "examples/IRIW.fp", &[])));
}

#[test]
fn peterson_is_explained() {
    check(&open(&page_of("peterson", "check", "rc20/peterson.fp", &[])));
}

#[test]
fn a_mutex_deadlock_shows_who_waits_for_whom() {
    let browser = open(&page_of("deadlock", "explore", "c/ends/deadlock.c", &[]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('.node.waiting').length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('.edge.waits').length"), 2);
}

#[test]
fn a_race_has_an_edge_of_its_own() {
    let directory = directory("race");
    let text = "#include <pthread.h>\n#include <stdatomic.h>\nint data;\natomic_int ready;\n\
        void *producer(void *unused) { data = 1; atomic_store_explicit(&ready, 1, memory_order_relaxed); return 0; }\n\
        int main(void) {\n  pthread_t thread;\n  pthread_create(&thread, 0, producer, 0);\n\
        \x20 if (atomic_load_explicit(&ready, memory_order_acquire)) return data - 1;\n  return 0;\n}\n";
    fs::write(directory.join("race.c"), text).unwrap();
    let browser = open(&page(&directory, &["explore", "--graph", "page.html", "race.c"]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('.edge.race').length"), 1);
    assert_eq!(browser.value("document.querySelectorAll('.node.alarm').length"), 2);
}

#[test]
fn a_seqlock_in_c_fits_the_window() {
    let directory = directory("seqlock");
    let text = fs::read_to_string(programs().join("c/seqlock.c")).unwrap();
    let broken = text
        .replace("memory_order_release", "memory_order_relaxed")
        .replace("memory_order_acquire", "memory_order_relaxed");
    assert_ne!(text, broken);
    fs::write(directory.join("seqlock.c"), broken).unwrap();
    check(&open(&page(&directory, &["explore", "--graph", "page.html", "seqlock.c"])));
}

#[test]
fn a_queue_in_cpp_shows_its_race() {
    let browser = open(&page_of("queue", "explore", "tutorial/queue-1.cc", &[]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('.edge.race').length"), 1);
}

#[test]
fn what_the_library_does_is_folded_away() {
    let broken = ["--", "-DFIRST=std::memory_order_relaxed"];
    let browser = open(&page_of("double-checked", "explore", "c/cpp/double-checked.cc", &broken));
    check(&browser);
    let whys = "[...new Set(fencepost.execution.nodes.map((node) => node.folded))]";
    assert!(browser.value(whys).as_array().unwrap().contains(&"library".into()));
}

#[test]
fn three_hundred_events_open_fitted_and_readable() {
    let directory = directory("three-hundred");
    fs::write(directory.join("long.fp"), long(3, 99)).unwrap();
    let browser = open(&page(&directory, &["explore", "--graph", "page.html", "long.fp"]));
    let events = browser.value("fencepost.execution.nodes.length").as_u64().unwrap();
    assert!(events > 290, "{events}");
    // The text of an event is at least ten pixels high.
    assert!(browser.value("fencepost.graph.view.scale").as_f64().unwrap() > 0.6);
    check(&browser);
}

/// Threads with this number of stores each, and an assertion that fails.
fn long(threads: usize, stores: usize) -> String {
    let mut text = String::from("atomic x, y, done;\n");
    for thread in 0..threads {
        text.push_str(&format!("thread t{thread} {{\n"));
        for store in 0..stores {
            text.push_str(&format!("  {}.store({store}, rlx);\n", if store % 2 == 0 { "x" } else { "y" }));
        }
        text.push_str(if thread == 0 { "  assert(0);\n}\n" } else { "}\n" });
    }
    text
}

#[test]
fn all_executions_are_grouped_by_their_final_states() {
    let directory = directory("all");
    let program = programs().join("examples/SB.fp");
    let browser = open(&page(&directory, &["explore", "--graphs", "page.html", program.to_str().unwrap()]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('#list details').length"), 4);
    assert_eq!(browser.value("document.querySelectorAll('#list button.item').length"), 4);
    browser.press(&["n"]);
    assert_eq!(browser.value("fencepost.execution.number"), 1);
    let state = browser.value("document.querySelectorAll('#list summary code')[2].textContent");
    browser.value(&format!(
        "(() => {{ const f = document.querySelector('#filter'); f.value = {state}; f.dispatchEvent(new Event('input')); }})()"
    ));
    assert_eq!(browser.value("[...document.querySelectorAll('#list details')].filter((d) => !d.hidden).length"), 1);
}

#[test]
fn models_are_compared_by_an_execution_for_each_difference() {
    let browser = open(&page_of("models", "explore", "examples/SB.fp", &["--models", "rc11,sc,tso"]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('#list button.item').length"), 2);
    assert_eq!(browser.value("document.querySelectorAll('.cycle li').length"), 4);
}

#[test]
fn a_program_without_a_violation_has_its_sources_and_its_verdict() {
    let browser = open(&page_of("holds", "check", "examples/SB+sc.fp", &[]));
    assert_eq!(browser.value("document.querySelector('.badge').textContent"), "holds");
    assert!(browser.value("document.querySelectorAll('#source .line').length").as_u64() > Some(5));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_condition_that_is_satisfied_shows_the_execution() {
    let directory = directory("exists");
    let text = "C SB\n{}\nP0 (atomic_int *x, atomic_int *y) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n\
        \x20 int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\nP1 (atomic_int *x, atomic_int *y) {\n\
        \x20 atomic_store_explicit(y, 1, memory_order_relaxed);\n\
        \x20 int r0 = atomic_load_explicit(x, memory_order_relaxed);\n}\nexists (0:r0=0 /\\ 1:r0=0)\n";
    fs::write(directory.join("sb.litmus"), text).unwrap();
    let browser = open(&page(&directory, &["explore", "--graph", "page.html", "sb.litmus"]));
    check(&browser);
    assert_eq!(browser.value("document.querySelector('.badge').textContent"), "holds");
    assert_eq!(browser.value("fencepost.execution.cycle.length > 0"), true);
}

/// Names and comments that would be markup, end the script, or turn the direction of text around.
#[test]
fn text_of_the_program_stays_text() {
    let directory = directory("hostile");
    let text = "// </script><script>document.title = 'owned'</script><!--\n\
        // <img src=http://127.0.0.1:9/x onerror=alert(1)> \" ' ` &lt; \u{1b}[31m \u{202e} \u{7f}\n\
        atomic x, y;\nthread left {\n  x.store(1, rel); // <b>bold</b>\n  a = y.load(acq);\n}\n\
        thread right {\n  y.store(1, rel);\n  b = x.load(acq);\n}\n";
    let name = "<img src=x onerror=alert(1)>.fp";
    fs::write(directory.join(name), text).unwrap();
    let browser = open(&page(&directory, &["check", "--graph", "page.html", name]));
    check(&browser);
    assert_eq!(browser.value("document.querySelectorAll('img, #source b, #source script').length"), 0);
    let source = browser.value("document.querySelector('#source').textContent");
    let source = source.as_str().unwrap();
    assert!(source.contains("</script><script>document.title = 'owned'</script><!--"), "{source}");
    assert!(!source.contains(['\u{1b}', '\u{202e}', '\u{7f}']), "{source:?}");
    assert!(browser.value("document.title").as_str().unwrap().contains(name));
}

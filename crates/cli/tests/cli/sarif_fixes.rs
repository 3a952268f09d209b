//! Fixes that a SARIF viewer can apply: the source with the replacements holds.

use serde_json::Value;

use crate::support::{STORE_BUFFERING, Sandbox};

const MESSAGE: &str = "\
atomic x, y;
thread w { x.store(1, rlx); y.store(1, rlx); }
thread r { wait(y == 1, rlx); b = x.load(rlx); assert(b == 1); }
";

const LOCK: &str = "\
#include <stdatomic.h>
#include <pthread.h>
atomic_int lock;
int x;
void *add(void *_) {
  int free = 0;
  while (!atomic_compare_exchange_weak_explicit(&lock, &free, 1,
           memory_order_relaxed, memory_order_relaxed))
    free = 0;
  x++;
  __atomic_store_n((int *)&lock, 0, __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
}
";

const PUBLISH: &str = "\
#include <atomic>
#include <thread>
std::atomic<bool> ready[2];
int x;
int main() {
  std::thread t([] { x = 1; ready[1].store(true, std::memory_order_relaxed); });
  if (ready[1].load(std::memory_order_relaxed)) x = 2;
  t.join();
}
";

/// The orderings are out of sight: such fixes are words.
const HIDDEN: &str = "\
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
#define STORE(x) atomic_store_explicit(&x, 1, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
atomic_int x, y;
void *write(void *_) {
  STORE(x);
  STORE(y);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  if (LOAD(y)) assert(LOAD(x));
  pthread_join(t, 0);
}
";

/// A text with the replacements of one artifact. No two are at one place.
fn replaced(text: &str, change: &Value) -> String {
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let mut replacements: Vec<&Value> = change["replacements"].as_array().expect("replacements").iter().collect();
    let place = |replacement: &Value| {
        let region = &replacement["deletedRegion"];
        assert_eq!(region["startLine"], region["endLine"]);
        let before: usize = text.split_inclusive('\n').take(number(&region["startLine"]) - 1).map(str::len).sum();
        before + number(&region["startColumn"]) - 1..before + number(&region["endColumn"]) - 1
    };
    replacements.sort_by_key(|replacement| std::cmp::Reverse(place(replacement).start));
    let mut text = text.to_owned();
    let places: Vec<_> = replacements.iter().map(|replacement| place(replacement)).collect();
    for (range, replacement) in places.into_iter().zip(replacements) {
        text.replace_range(range, replacement["insertedContent"]["text"].as_str().expect("text"));
    }
    text
}

/// The sources that the fixes of a report lead to.
fn fixed(command: &str, file: &str, text: &str) -> Vec<String> {
    let sandbox = Sandbox::new(&format!("sarif-fixes-{command}-{file}"), &[(file, text)]);
    let ran = sandbox.run(&[command, "--format", "sarif", file]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let log: Value = serde_json::from_str(&ran.stdout).expect("SARIF");
    let result = &log["runs"][0]["results"][0];
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains("\nFix: ")), "{result}");
    let Some(fixes) = result["fixes"].as_array() else { return Vec::new() };
    let sources = fixes.iter().map(|fix| {
        assert!(fix["description"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let changes = fix["artifactChanges"].as_array().expect("changes");
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0]["artifactLocation"]["uri"], file);
        replaced(text, &changes[0])
    });
    sources.collect()
}

#[test]
fn a_source_with_the_replacements_holds() {
    let cases = [
        ("check", "sb.fp", STORE_BUFFERING),
        ("check", "mp.fp", MESSAGE),
        ("explore", "mp.fp", MESSAGE),
        ("check", "lock.c", LOCK),
        ("explore", "lock.c", LOCK),
        ("check", "publish.cc", PUBLISH),
        ("explore", "publish.cc", PUBLISH),
    ];
    for (command, file, text) in cases {
        let fixed = fixed(command, file, text);
        assert!(!fixed.is_empty(), "{command} {file}");
        for fixed in fixed {
            assert_ne!(fixed, text);
            let ran = Sandbox::new(&format!("sarif-fixed-{command}-{file}"), &[(file, &fixed)]).run(&[command, file]);
            assert_eq!(ran.status, Some(0), "{command} {file}:\n{fixed}\n{}", ran.stdout);
        }
    }
}

#[test]
fn an_ordering_out_of_sight_is_not_replaced() {
    assert_eq!(fixed("explore", "hidden.c", HIDDEN), Vec::<String>::new());
}

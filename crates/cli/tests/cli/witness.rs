//! `--witness`: answers in the formats of SV-COMP.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{STORE_BUFFERING, Sandbox};

/// Fails only if the thread runs before `main` looks, and the value from outside is 2.
const FAILING: &str = "\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  x = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t thread;
  int n = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  y = x;
  pthread_mutex_unlock(&lock);
  assert(!(y == 1 && n == 2)); // <&>
  pthread_join(thread, 0);
  return 0;
}
";

const CORRECT: &str = "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 1);\n  return 0;\n}\n";

const RACY: &str = "\
#include <pthread.h>
int x;
void *worker(void *unused) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  x = 2;
  pthread_join(thread, 0);
  return 0;
}
";

/// An element of XML.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    text: String,
}

/// Reads XML without comments; panics if it is not well-formed.
fn xml(text: &str) -> Element {
    let body = text.split_once("?>").expect("a declaration").1;
    let mut open =
        vec![Element { name: String::new(), attributes: BTreeMap::new(), children: vec![], text: "".into() }];
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        open.last_mut().expect("open").text += rest[..start].trim();
        let end = rest.find('>').expect("an end of a tag");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().expect("open");
            assert_eq!(element.name, name);
            open.last_mut().expect("a parent").children.push(element);
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut element = Element { name: name.into(), attributes: BTreeMap::new(), children: vec![], text: "".into() };
        while let Some((key, value)) = attributes.trim_start().split_once("=\"") {
            let (value, others) = value.split_once('"').expect("a quote");
            assert!(element.attributes.insert(key.into(), value.into()).is_none(), "{key} twice");
            attributes = others;
        }
        assert!(attributes.trim().is_empty(), "{attributes}");
        if empty { open.last_mut().expect("open").children.push(element) } else { open.push(element) }
    }
    assert!(open.len() == 1 && open[0].children.len() == 1 && rest.trim().is_empty());
    open.remove(0).children.remove(0)
}

impl Element {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The data of an element of the graph, by key.
    fn data(&self) -> BTreeMap<&str, &str> {
        self.all("data").map(|data| (data.attributes["key"].as_str(), data.text.as_str())).collect()
    }
}

/// Checks what the format 1.0 asks of every witness, and returns the graph.
fn graphml(text: &str) -> Element {
    let mut root = xml(text);
    assert_eq!(root.name, "graphml");
    let keys: BTreeMap<String, String> =
        root.all("key").map(|key| (key.attributes["id"].clone(), key.attributes["for"].clone())).collect();
    let graph = root.children.pop().expect("a graph");
    assert_eq!(graph.name, "graph");
    for of in std::iter::once(&graph).chain(&graph.children).filter(|element| element.name != "data") {
        for data in of.all("data") {
            assert_eq!(keys[&data.attributes["key"]], of.name, "{data:?}");
        }
    }
    let data = graph.data();
    for key in ["witness-type", "producer", "specification", "programfile"] {
        assert!(!data[key].is_empty(), "{key}");
    }
    assert_eq!((data["sourcecodelang"], data["architecture"]), ("C", "64bit"));
    assert!(data["programhash"].len() == 64 && data["programhash"].chars().all(|c| c.is_ascii_hexdigit()));
    let time = data["creationtime"];
    assert!(time.len() == 20 && &time[10..11] == "T" && time.ends_with('Z'), "{time}");
    let nodes: BTreeSet<&str> = graph.all("node").map(|node| node.attributes["id"].as_str()).collect();
    assert_eq!(nodes.len(), graph.all("node").count());
    assert_eq!(graph.all("node").filter(|node| node.data().contains_key("entry")).count(), 1);
    for edge in graph.all("edge") {
        let (source, target) = (edge.attributes["source"].as_str(), edge.attributes["target"].as_str());
        assert!(source != target && nodes.contains(source) && nodes.contains(target), "{edge:?}");
    }
    let mut created = BTreeSet::new();
    for edge in graph.all("edge") {
        let data = edge.data();
        created.extend(data.get("createThread").copied());
        assert!(data.get("threadId").is_none_or(|thread| created.contains(thread)), "{data:?}");
    }
    graph
}

#[test]
fn a_failing_execution_is_an_automaton_with_its_threads_and_values() {
    let sandbox = Sandbox::new("witness_graphml", &[("failing.c", FAILING)]);
    let ran = sandbox.run(&["explore", "--nondet", "0..2", "--witness", "w.graphml", "failing.c"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let graph = graphml(&sandbox.read("w.graphml"));
    let data = graph.data();
    assert_eq!(data["witness-type"], "violation_witness");
    assert_eq!(data["specification"], "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!(data["programfile"], "failing.c");
    let edges: Vec<_> = graph.all("edge").map(Element::data).collect();
    let place = |line: &str, thread: &str| {
        edges
            .iter()
            .position(|edge| edge.get("startline") == Some(&line) && edge.get("threadId") == Some(&thread))
            .unwrap_or_else(|| panic!("no step of {thread} at {line}: {edges:?}"))
    };
    let chosen = &edges[place("14", "0")];
    assert_eq!(chosen["assumption"], "\\result == 2;");
    assert_eq!(chosen["assumption.resultfunction"], "__VERIFIER_nondet_int");
    assert_eq!(edges[place("15", "0")]["createThread"], "1");
    let entered = edges.iter().position(|edge| edge.get("enterFunction") == Some(&"worker")).expect("entered");
    // The worker is first at the lock.
    let order = [place("14", "0"), place("15", "0"), entered, place("8", "1"), place("17", "0"), place("19", "0")];
    assert!(order.is_sorted(), "{order:?}");
    let last = graph.all("edge").last().expect("an edge").attributes["target"].clone();
    let violation = graph.all("node").find(|node| node.data().contains_key("violation")).expect("a violation");
    assert_eq!(violation.attributes["id"], last);
}

#[test]
fn the_newer_format_has_the_values_and_the_place_of_the_violation() {
    let sandbox = Sandbox::new("witness_yaml", &[("failing.c", FAILING)]);
    let ran = sandbox.run(&["explore", "--nondet", "0..2", "--witness", "w.yml", "failing.c"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let text = sandbox.read("w.yml");
    let (head, content) = text.split_once("  content:\n").expect("content");
    let keys: Vec<&str> = head
        .lines()
        .filter_map(|line| line.trim_start_matches(['-', ' ']).split_once(": "))
        .map(|(key, _)| key)
        .collect();
    let expected = [
        "entry_type",
        "format_version",
        "uuid",
        "creation_time",
        "name",
        "version",
        "\"failing.c\"",
        "specification",
        "data_model",
        "language",
    ];
    assert_eq!(keys, expected);
    let value = |key: &str| {
        let line = head.lines().find(|line| line.trim_start_matches(['-', ' ']).starts_with(&format!("{key}: ")));
        line.expect("a key").split_once(": ").expect("a value").1.trim_matches('"')
    };
    assert_eq!((value("entry_type"), value("format_version")), ("violation_sequence", "2.0"));
    let uuid: Vec<usize> = value("uuid").split('-').map(str::len).collect();
    assert_eq!(uuid, [8, 4, 4, 4, 12]);
    assert_eq!(value("uuid").as_bytes()[14], b'4');
    let expected = "  - segment:
    - waypoint:
        type: \"function_return\"
        action: \"follow\"
        location:
          file_name: \"failing.c\"
          line: 14
          column: 33
        constraint:
          value: \"\\\\result == 2\"
          format: \"ext_c_expression\"
  - segment:
    - waypoint:
        type: \"target\"
        action: \"follow\"
        location:
          file_name: \"failing.c\"
          line: 19
          column: 3
";
    assert_eq!(content, expected);
}

#[test]
fn the_hash_is_that_of_the_file() {
    // printf 'int main(void) { return 0; }\n' | sha256sum
    let sandbox = Sandbox::new("witness_hash", &[("empty.c", "int main(void) { return 0; }\n")]);
    let ran = sandbox.run(&["explore", "--witness", "w.graphml", "empty.c"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let graph = graphml(&sandbox.read("w.graphml"));
    assert_eq!(graph.data()["programhash"], "2ad75d95660563887d8d3f1d0ae1dcf18c2379cbd83a5c72f5ab276351ee6949");
}

#[test]
fn an_answer_without_a_violation_is_a_correctness_witness() {
    let sandbox = Sandbox::new("witness_correct", &[("correct.c", CORRECT)]);
    for command in ["explore", "prove"] {
        let ran = sandbox.run(&[command, "--witness", "w.graphml", "correct.c"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let graph = graphml(&sandbox.read("w.graphml"));
        assert_eq!(graph.data()["witness-type"], "correctness_witness");
        assert_eq!(graph.all("edge").count(), 0);
        sandbox.run(&[command, "--witness", "w.yml", "correct.c"]);
        let text = sandbox.read("w.yml");
        assert!(text.starts_with("- entry_type: \"invariant_set\"\n") && text.ends_with("  content: []\n"), "{text}");
    }
}

#[test]
fn an_answer_about_some_executions_is_no_correctness_witness() {
    let sandbox = Sandbox::new("witness_bounded", &[("correct.c", CORRECT)]);
    let ran = sandbox.run(&["explore", "--unroll", "3", "--witness", "w.yml", "correct.c"]);
    assert!(ran.stderr.contains("there is no witness") && ran.stderr.contains("--unroll"), "{}", ran.stderr);
    assert!(!sandbox.has("w.yml"));
}

#[test]
fn a_race_violates_its_own_property() {
    let sandbox = Sandbox::new("witness_race", &[("racy.c", RACY)]);
    let ran = sandbox.run(&["explore", "--witness", "w.graphml", "racy.c"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let graph = graphml(&sandbox.read("w.graphml"));
    assert_eq!(graph.data()["specification"], "CHECK( init(main()), LTL(G ! data-race) )");
}

#[test]
fn an_alarm_that_is_real_is_a_violation() {
    let failing = CORRECT.replace("assert(x == 1)", "assert(x == 2)");
    let sandbox = Sandbox::new("witness_real", &[("failing.c", failing.as_str())]);
    let ran = sandbox.run(&["prove", "--confirm", "--witness", "w.graphml", "failing.c"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let graph = graphml(&sandbox.read("w.graphml"));
    assert_eq!(graph.data()["witness-type"], "violation_witness");
    assert!(graph.all("edge").any(|edge| edge.data().get("startline") == Some(&"4")));
}

#[test]
fn only_one_c_program_has_a_witness() {
    let sandbox = Sandbox::new("witness_refused", &[("sb.fp", STORE_BUFFERING), ("a.c", CORRECT), ("b.c", CORRECT)]);
    for command in ["explore", "prove"] {
        let ran = sandbox.run(&[command, "--witness", "w.yml", "sb.fp"]);
        assert!(ran.status == Some(2) && ran.stderr.contains("--witness is for C programs"), "{}", ran.stderr);
        let ran = sandbox.run(&[command, "--witness", "w.yml", "a.c", "b.c"]);
        assert!(ran.status == Some(2) && ran.stderr.contains("one input only"), "{}", ran.stderr);
        let ran = sandbox.run(&[command, "--witness", "w.txt", "a.c"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(".graphml, .yml or .yaml"), "{}", ran.stderr);
    }
}

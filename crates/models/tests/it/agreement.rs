//! JAM21 by relation and by clocks agree on the graphs of programs: those of the corpus, and random ones.

use std::fs;

use fencepost_frontend::{parse_fp, parse_litmus};
use fencepost_graph::Graph;
use fencepost_models::Model;
use fencepost_models::jam21::{consistent_by_clocks, consistent_by_relation};
use fencepost_oracle::Bounds;
use fencepost_oracle::free_graphs::{Question, Verdict, generate};
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_program::Program;
use fencepost_testing::{at_least, files, seeds, trials};

/// Compares on every graph that is extended: all that are coherent, whether JAM21 allows them or not.
#[derive(Default)]
struct Compare {
    graphs: u64,
    inconsistent: u64,
    different: Option<Graph>,
}

impl Question for Compare {
    fn admits(&mut self, graph: &Graph) -> Verdict {
        let expected = consistent_by_relation(graph);
        if consistent_by_clocks(graph) != expected {
            self.different = Some(graph.clone());
            return Verdict::Stop;
        }
        self.graphs += 1;
        self.inconsistent += u64::from(!expected);
        // Without SC accesses and fences, RC11 is the coherence that JAM21 builds on.
        if expected || Model::Rc20.consistent(graph) { Verdict::Extend } else { Verdict::Cut }
    }
}

fn compare(program: &Program, graphs: u64, name: &str) -> Compare {
    let mut question = Compare::default();
    // What a bound cuts off is not compared.
    let _ = generate(program, Model::Jam21.sc_fence_label(), Bounds { events: 64, graphs }, &mut question);
    if let Some(graph) = &question.different {
        panic!("{name}: by clocks {}\n{graph}", consistent_by_clocks(graph));
    }
    question
}

#[test]
fn relation_and_clocks_agree_on_the_corpus() {
    let mut programs = 0;
    for file in ["jam21", "litmus", "examples"].iter().flat_map(|directory| files(directory, &["fp", "litmus"])) {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let input = match file.extension().and_then(|e| e.to_str()) {
            Some("fp") => parse_fp(&name, &text),
            Some("litmus") => parse_litmus(&name, &text),
            _ => continue,
        };
        let input = input.unwrap_or_else(|e| panic!("{e}"));
        compare(&input.program, 1_000, &name);
        programs += 1;
    }
    assert!(programs > 200, "only {programs} programs");
}

#[test]
fn relation_and_clocks_agree_on_random_programs() {
    let (mut graphs, mut inconsistent) = (0, 0);
    for seed in seeds(trials(10_000)) {
        let sketch = random_sketch(seed, Profile::Rc11).to_string();
        let input = parse_fp("random.fp", &sketch).unwrap_or_else(|e| panic!("{e}\n{sketch}"));
        let compared = compare(&input.program, 80, &sketch);
        graphs += compared.graphs;
        inconsistent += compared.inconsistent;
    }
    assert!(
        graphs > at_least(200_000, 10_000) && inconsistent > at_least(5_000, 10_000),
        "{graphs} graphs, {inconsistent} of them inconsistent"
    );
}

mod fixture;

use fencepost_program::Span;
use fencepost_report::{Report, SarifLog, dot, html, json, svg, text};
use fencepost_story::{AccessSite, FindingKind, Outcome, Property, Reason, Verdict};
use fixture::{graph, report, sources, verdict};
use serde_json::Value;

fn rendered(outcome: Outcome, render: impl Fn(&Report<'_>) -> String) -> String {
    let (sources, verdict) = (sources(), verdict(outcome));
    render(&report(&sources, &verdict))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("valid JSON")
}

#[test]
fn text_shows_verdict_accesses_run_and_fixes() {
    insta::assert_snapshot!(rendered(Outcome::Violated, |r| text(r, false)));
}

#[test]
fn text_without_colour_has_no_escape_sequences() {
    let plain = rendered(Outcome::Violated, |r| text(r, false));
    let coloured = rendered(Outcome::Violated, |r| text(r, true));
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn the_verdict_is_the_first_word_of_the_first_line() {
    for (outcome, word) in [
        (Outcome::Holds, "holds: "),
        (Outcome::Violated, "violated: "),
        (Outcome::Unknown(Reason::Timeout), "unknown: "),
        (Outcome::Unknown(Reason::Other("a loop may not end".into())), "unknown: "),
    ] {
        assert!(rendered(outcome, |r| text(r, false)).starts_with(word));
    }
}

#[test]
fn a_limit_is_never_told_as_a_yes() {
    for reason in [Reason::Timeout, Reason::StateLimit, Reason::MemoryLimit, Reason::Interrupted] {
        let shown = rendered(Outcome::Unknown(reason), |r| r.headline());
        assert!(!shown.contains("is robust"), "{shown}");
        assert!(shown.contains("not searched completely"), "{shown}");
    }
}

#[test]
fn a_yes_without_robustness_says_that_it_is_about_sc_only() {
    let (sources, verdict) = (sources(), verdict(Outcome::Holds));
    let report = Report { properties: &[Property::Races, Property::Deadlocks], ..report(&sources, &verdict) };
    assert_eq!(report.headline(), "holds: sb.fp has no data race or deadlock in sequentially consistent executions");
    assert!(text(&report, false).contains("Robustness was not checked"));
}

#[test]
fn a_yes_without_races_says_so() {
    let (sources, verdict) = (sources(), verdict(Outcome::Holds));
    let report = Report { properties: &[Property::Robustness], ..report(&sources, &verdict) };
    assert_eq!(report.headline(), "holds: sb.fp is robust under rc11");
    assert!(text(&report, false).contains("Data races were not checked"));
}

#[test]
fn a_no_of_the_observational_analysis_without_an_execution_says_that_it_can_be_a_false_alarm() {
    let (sources, mut verdict) = (sources(), verdict(Outcome::Violated));
    let confirmed = Report { observational: true, ..report(&sources, &verdict) };
    assert_eq!(confirmed.headline(), "violated: sb.fp is not observationally robust under rc11");
    assert_eq!(confirmed.caveat(), None);
    assert!(parsed(&json(&confirmed))["violations"][0].get("confirmed").is_none());
    verdict.violations[0].confirmed = false;
    let report = Report { observational: true, ..report(&sources, &verdict) };
    assert_eq!(parsed(&json(&report))["violations"][0]["confirmed"], false);
    assert_eq!(report.headline(), "violated: sb.fp may not be observationally robust under rc11");
    assert!(text(&report, false).replace('\n', " ").contains("false alarm"));
    assert!(parsed(&json(&report))["caveat"].as_str().unwrap().contains("false alarm"));
}

#[test]
fn violations_of_several_kinds_are_all_in_the_headline() {
    let sources = sources();
    let mut verdict = verdict(Outcome::Violated);
    let mut race = verdict.violations[0].clone();
    race.kind = FindingKind::DataRace;
    verdict.violations.push(race);
    assert_eq!(report(&sources, &verdict).headline(), "violated: sb.fp is not robust under rc11 and has a data race");
}

#[test]
fn accesses_without_a_place_in_the_source_are_still_told() {
    let sources = sources();
    let mut verdict = verdict(Outcome::Violated);
    verdict.violations[0].accesses[1].span = Span::default();
    verdict.violations[0].trace[0].span = Span::default();
    let shown = text(&report(&sources, &verdict), false);
    assert!(shown.contains("note: left: this write may be missed"), "{shown}");
    let parsed = parsed(&json(&report(&sources, &verdict)));
    assert_eq!(parsed["violations"][0]["accesses"][1]["line"], Value::Null);
}

#[test]
fn two_accesses_on_one_stretch_of_source_are_both_named() {
    let sources = sources();
    let mut verdict = verdict(Outcome::Violated);
    verdict.violations[0].accesses[1].span = verdict.violations[0].accesses[0].span;
    let shown = text(&report(&sources, &verdict), false);
    assert!(shown.contains("right: may read the stale value 0") && shown.contains("left: this write may be missed"));
}

#[test]
fn spans_that_point_outside_the_source_do_not_panic() {
    let sources = sources();
    let mut verdict = verdict(Outcome::Violated);
    for span in [
        Span { line: 999, column: 1, length: 4, ..Span::default() },
        Span { line: 4, column: 999, length: 4, ..Span::default() },
        Span { line: 2, column: 1, length: u32::MAX, ..Span::default() },
        Span { file: fencepost_program::FileId(7), line: 1, column: 1, length: 1 },
    ] {
        verdict.violations[0].accesses[0].span = span;
        verdict.violations[0].trace[0].span = span;
        let report = report(&sources, &verdict);
        assert!(text(&report, false).contains("may read the stale value 0"));
        assert!(html(&report).contains("</html>"));
        parsed(&json(&report));
        parsed(&sarif(&report));
    }
}

#[test]
fn json_is_one_line_with_the_documented_fields() {
    let line = rendered(Outcome::Violated, json);
    assert!(!line.contains('\n'));
    insta::assert_snapshot!(serde_json::to_string_pretty(&parsed(&line)).unwrap());
}

#[test]
fn json_gives_a_reason_only_for_an_unknown() {
    let unknown = parsed(&rendered(Outcome::Unknown(Reason::StateLimit), json));
    assert_eq!(unknown["verdict"], "unknown");
    assert_eq!(unknown["reason"], "state limit");
    assert!(parsed(&rendered(Outcome::Holds, json)).get("reason").is_none());
}

fn sarif(report: &Report<'_>) -> String {
    let mut log = SarifLog::default();
    log.add(report);
    log.text()
}

#[test]
fn sarif_has_a_result_with_a_flow_for_each_thread() {
    let log = parsed(&rendered(Outcome::Violated, sarif));
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let result = &run["results"][0];
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(result["ruleId"], run["tool"]["driver"]["rules"][index]["id"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "sb.fp");
    assert_eq!(place["region"], serde_json::json!({ "startLine": 10, "startColumn": 7, "endColumn": 18 }));
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4);
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let ids: Vec<&str> = flows.iter().map(|flow| flow["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["left", "right"]);
    assert_eq!(flows[1]["locations"][0]["executionOrder"], 3);
}

#[test]
fn sarif_tells_what_was_not_decided() {
    let (sources, verdict) = (sources(), verdict(Outcome::Unknown(Reason::Timeout)));
    let mut log = SarifLog::default();
    log.add(&report(&sources, &verdict));
    log.fail("b.fp: not a program");
    let log = parsed(&log.text());
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().len(), 2);
}

#[test]
fn dot_groups_events_by_thread() {
    insta::assert_snapshot!(dot(&graph()));
}

#[test]
fn svg_stays_as_it_was_looked_at() {
    insta::assert_snapshot!(svg(&graph()));
}

#[test]
fn edges_to_events_that_do_not_exist_are_not_drawn() {
    let mut broken = graph();
    broken.edges[2].to = 99;
    assert_eq!(svg(&broken).matches("<path d=\"M").count() + 1, svg(&graph()).matches("<path d=\"M").count());
}

#[test]
fn an_empty_graph_is_an_empty_picture() {
    assert!(svg(&fencepost_story::WitnessGraph::default()).ends_with("</svg>\n"));
}

/// What the page's script reads.
fn data(page: &str) -> Value {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    parsed(data)
}

#[test]
fn html_has_the_finding_as_data_and_needs_nothing_else() {
    let page = rendered(Outcome::Violated, html);
    assert!(!page.contains("src=") && !page.contains("href="), "needs nothing else");
    assert!(page.contains("default-src 'none'"));
    let data = data(&page);
    assert_eq!(data["word"], "violated");
    let execution = &data["executions"][0];
    assert_eq!(execution["nodes"].as_array().unwrap().len(), 6);
    assert_eq!(execution["nodes"][2]["span"], serde_json::json!({ "file": 0, "line": 4, "column": 3, "length": 15 }));
    assert_eq!(execution["steps"].as_array().unwrap().len(), 3);
    assert_eq!(data["sources"][0]["text"], fixture::TEXT);
    let derived = |relation: &Value| relation["derived"] == true;
    assert!(!data["relations"].as_array().unwrap().iter().any(derived), "po, rf, mo and fr are drawn at first");
}

#[test]
fn html_without_a_script_has_the_same_facts() {
    let page = rendered(Outcome::Violated, html);
    let plain = page.split("<noscript>").nth(1).unwrap().split("</noscript>").next().unwrap();
    assert!(plain.contains("<mark class=\"first\">x.load(acq)</mark>"));
    assert!(plain.contains("<mark>x.store(1, rel)</mark>"));
    assert!(plain.contains("<svg "));
}

#[test]
fn text_of_the_program_cannot_end_the_data_of_the_page() {
    let hostile = "</script><script>alert(1)</script><!-- \u{1b}[31m \u{202e}";
    let mut sources = sources();
    sources[0].text.push_str(hostile);
    sources[0].name = hostile.into();
    let mut verdict = verdict(Outcome::Violated);
    verdict.violations[0].message = hostile.into();
    verdict.violations[0].graph.as_mut().unwrap().threads[0] = hostile.into();
    let page = html(&report(&sources, &verdict));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(!page.contains(['\u{1b}', '\u{202e}']));
    let shown = "</script><script>alert(1)</script><!-- \u{fffd}[31m \u{fffd}";
    assert_eq!(data(&page)["executions"][0]["threads"][0], shown);
}

/// A deadlock has an access for each thread that waits.
#[test]
fn every_access_of_a_finding_is_shown_in_every_form() {
    let sources = sources();
    let mut finding = fixture::store_buffering();
    let waiting = |thread: usize| AccessSite {
        role: "waits".into(),
        thread: format!("other[{thread}]"),
        span: fixture::span(9, 3, 15),
        ..finding.accesses[1].clone()
    };
    let more: Vec<AccessSite> = (0..3).map(waiting).collect();
    finding.accesses.extend(more);
    let verdict = Verdict { violations: vec![finding], ..verdict(Outcome::Violated) };
    let report = report(&sources, &verdict);
    let mut log = SarifLog::default();
    log.add(&report);
    let (text, html, sarif) = (text(&report, false), html(&report), log.text());
    for thread in ["left", "right", "other[0]", "other[1]", "other[2]"] {
        assert!([&text, &html, &sarif].iter().all(|form| form.contains(thread)), "{thread}");
    }
    assert_eq!(parsed(&json(&report))["violations"][0]["accesses"].as_array().unwrap().len(), 5);
    assert_eq!(parsed(&sarif)["runs"][0]["results"][0]["relatedLocations"].as_array().unwrap().len(), 4);
}

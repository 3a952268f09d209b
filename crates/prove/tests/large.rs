//! The larger C programs keep the results that are written down for them (`cargo xtask table fruittree write`).

mod large_programs;

use fencepost_frontend::read_with_every_value;
use fencepost_prove::{Method, Model, prove};
use large_programs::{Row, directory, expected, options};

/// One of each kind, and small: all of them take minutes.
const PROGRAMS: [&str; 5] = ["sbc_watchdog_01", "disk_01", "network_card_01", "serial_port_01", "keyboard"];

#[test]
fn small_drivers_have_the_results_that_are_written_down() {
    for program in PROGRAMS {
        let path = directory().join(format!("{program}.c"));
        let input = read_with_every_value(&path, &[]).unwrap_or_else(|error| panic!("{program}: {error}"));
        for method in [Method::Mine, Method::AllThreads] {
            let model = Model::Tso;
            let proof = prove(&input.program, None, &options(model, method)).expect("it is supported");
            let proved = proof.answers.iter().filter(|a| a.is_proved()).count();
            let properties = proof.answers.len();
            let found = Row { program: program.to_owned(), model, method, properties, proved, complete: true };
            let expected = expected().into_iter().find(|row| row.is_about_the_same(&found));
            assert_eq!(expected, Some(found));
        }
    }
}

/// Paper 002 Table 4 has 2.6 times, and no more than WATTS, which is unsound for TSO.
#[test]
fn far_more_is_written_down_as_proved_than_by_methods_that_do_not_know_the_order() {
    let rows = expected();
    let proved = |row: &&Row, method: Method| {
        let same = |r: &&Row| r.program == row.program && r.model == row.model && r.method == method;
        rows.iter().find(same).map_or(0, |r| r.proved)
    };
    let ours: Vec<&Row> = rows.iter().filter(|r| r.method == Method::AllThreads && r.model == Model::Tso).collect();
    assert!(ours.len() >= 30, "{}", ours.len());
    let total = |method| ours.iter().map(|row| proved(row, method)).sum::<usize>();
    let (mine, watts, all) = (total(Method::Mine), total(Method::Watts), total(Method::AllThreads));
    assert!(all * 10 >= mine * 26, "{all} by us, {mine} by Miné's method");
    assert!(all >= watts, "{all} by us, {watts} by WATTS");
}

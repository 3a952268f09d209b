//! The table, in Markdown.

use super::measure::Check;
use super::rows::Row;
use super::spin::Spin;

const OURS: [&str; 7] = ["program", "model", "verdict", "states", "s", "MiB", "states/s"];
const THEIRS: [&str; 6] = ["SPIN s", "its search s", "its states", "its MiB", "total ×", "search ×"];

/// SPIN's time to search must be at least this for a row to count as one on which we are slower.
const WORTH_COMPARING: f64 = 1.0;

#[derive(Default)]
pub struct Table {
    with_spin: bool,
    states: u64,
    seconds: f64,
    slowest: f64,
    /// Our seconds in the rows that SPIN finished, and its own.
    compared: f64,
    spin_total: f64,
    spin_search: f64,
    total_ratios: Vec<f64>,
    search_ratios: Vec<f64>,
    slower: Vec<String>,
    larger: Vec<String>,
    differing: Vec<String>,
    unfinished: Vec<String>,
}

impl Table {
    pub fn new(with_spin: bool) -> Table {
        Table { with_spin, ..Table::default() }
    }

    pub fn header(&self) -> String {
        let theirs: &[&str] = if self.with_spin { &THEIRS } else { &[] };
        let columns: Vec<&str> = OURS.iter().chain(theirs).copied().collect();
        let lines: Vec<&str> = (0..columns.len()).map(|i| if i < 3 { "---" } else { "---:" }).collect();
        format!("{}{}", markdown(&columns), markdown(&lines))
    }

    pub fn row(&mut self, row: &Row, ours: &Check, theirs: Option<&Spin>) -> String {
        self.states += ours.states;
        self.seconds += ours.seconds;
        self.slowest = self.slowest.max(ours.seconds);
        let model = if row.observational { format!("{} obs.", row.model) } else { row.model.to_owned() };
        let name = format!("{} ({model})", row.program);
        let mut cells = vec![
            row.program.clone(),
            model,
            ours.verdict.clone(),
            ours.states.to_string(),
            seconds(ours.seconds),
            mebibytes(ours.peak_bytes),
            format!("{:.0}", ours.states as f64 / ours.seconds),
        ];
        if let Some(theirs) = theirs {
            cells.extend(self.spin_cells(name, ours, theirs));
        }
        markdown(&cells)
    }

    fn spin_cells(&mut self, name: String, ours: &Check, theirs: &Spin) -> Vec<String> {
        let Some(search) = &theirs.search else {
            self.unfinished.push(name);
            let mut cells = vec![String::new(); THEIRS.len()];
            cells[0] = "limit".to_owned();
            return cells;
        };
        let total = theirs.preparation + search.seconds;
        let ratios = [total / ours.seconds, search.seconds / ours.seconds];
        self.compared += ours.seconds;
        self.spin_total += total;
        self.spin_search += search.seconds;
        self.total_ratios.push(ratios[0]);
        self.search_ratios.push(ratios[1]);
        if search.seconds > WORTH_COMPARING && search.seconds < ours.seconds {
            self.slower.push(name.clone());
        }
        if ours.peak_bytes > search.peak_bytes {
            self.larger.push(name.clone());
        }
        if search.violated != (ours.verdict != "holds") {
            self.differing.push(name);
        }
        vec![
            seconds(total),
            seconds(search.seconds),
            search.states.to_string(),
            mebibytes(search.peak_bytes),
            ratio(ratios[0]),
            ratio(ratios[1]),
        ]
    }

    pub fn footer(&self) -> String {
        let mut lines = vec![format!(
            "{} states in {} s, {:.0} a second; the slowest row takes {} s.",
            self.states,
            seconds(self.seconds),
            self.states as f64 / self.seconds,
            seconds(self.slowest)
        )];
        if self.with_spin {
            lines.push(format!(
                "SPIN finished {} rows, in {} s, {} s of them searching; we take {} s for the same rows.",
                self.total_ratios.len(),
                seconds(self.spin_total),
                seconds(self.spin_search),
                seconds(self.compared)
            ));
            lines.push(format!(
                "Geometric means: SPIN takes {} times as long in all, {} times as long to search.",
                ratio(geometric_mean(&self.total_ratios)),
                ratio(geometric_mean(&self.search_ratios))
            ));
            lines.push(format!("Slower than SPIN's search where that takes over a second: {}.", list(&self.slower)));
            lines.push(format!("More memory than SPIN: {}.", list(&self.larger)));
            lines.push(format!("Other verdicts than SPIN: {}.", list(&self.differing)));
            lines.push(format!("SPIN did not finish: {}.", list(&self.unfinished)));
        }
        let items: String = lines.iter().map(|line| format!("- {line}\n")).collect();
        format!("\n{items}")
    }
}

fn list(rows: &[String]) -> String {
    if rows.is_empty() { "none".to_owned() } else { rows.join(", ") }
}

fn markdown(cells: &[impl AsRef<str>]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.3}") } else { format!("{seconds:.1}") }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / (1 << 20) as f64)
}

fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|v| v.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::spin::Search;

    fn row() -> Row {
        Row { program: "p".into(), file: "p.fp".into(), model: "ra", observational: false }
    }

    fn check(verdict: &str) -> Check {
        Check { verdict: verdict.into(), states: 100, seconds: 0.5, peak_bytes: 3 << 20 }
    }

    fn spin(violated: bool) -> Spin {
        let search = Search { violated, states: 100, seconds: 1.0, peak_bytes: 130 << 20 };
        Spin { preparation: 3.0, search: Some(search) }
    }

    #[test]
    fn ratios_are_spins_time_over_ours() {
        let mut table = Table::new(true);
        let line = table.row(&row(), &check("holds"), Some(&spin(false)));
        assert_eq!(line, "| p | ra | holds | 100 | 0.500 | 3 | 200 | 4.000 | 1.000 | 100 | 130 | 8.0 | 2.0 |\n");
        assert!(table.footer().contains("SPIN takes 8.0 times as long in all, 2.0 times as long to search"));
    }

    #[test]
    fn rows_with_other_verdicts_are_named() {
        let mut table = Table::new(true);
        table.row(&row(), &check("robustness"), Some(&spin(true)));
        assert!(table.footer().contains("Other verdicts than SPIN: none"));
        table.row(&row(), &check("robustness"), Some(&spin(false)));
        assert!(table.footer().contains("Other verdicts than SPIN: p (ra)"));
    }

    #[test]
    fn rows_that_spin_did_not_finish_are_named_and_in_no_mean() {
        let mut table = Table::new(true);
        table.row(&row(), &check("holds"), Some(&Spin { preparation: 3.0, search: None }));
        assert!(table.footer().contains("SPIN did not finish: p (ra)"));
        table.row(&row(), &check("holds"), Some(&spin(false)));
        assert!(table.footer().contains("SPIN finished 1 rows"));
        assert!(table.footer().contains("SPIN takes 8.0 times"));
    }

    #[test]
    fn without_spin_there_are_only_our_columns() {
        let mut table = Table::new(false);
        assert!(!table.header().contains("SPIN"));
        assert_eq!(table.row(&row(), &check("holds"), None).matches('|').count(), OURS.len() + 1);
        assert!(!table.footer().contains("SPIN"));
    }
}

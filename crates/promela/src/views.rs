//! The names of the views.

use fencepost_monitor::View;
use fencepost_program::Program;

use crate::facts::Facts;
use crate::text::without_brackets;

/// The names of the papers: VSC, MSC, WSC, V (current), Va, Vr, W; psc has none there.
pub(crate) fn view_names(program: &Program, facts: &Facts) -> Vec<String> {
    let tracking = facts.tracking();
    let plan = &tracking.plan;
    let mut names: Vec<String> = (0..plan.views()).map(|view| format!("view_{view}")).collect();
    let (sc, hb) = (plan.sc_views(), plan.sc_views() + plan.hb_views());
    let mut name = |view: View, of_sc: &str, of_hb: &str, owner: &str| {
        names[view.0 as usize] = match view.0 {
            v if v < sc => format!("{of_sc}_{owner}"),
            v if v < hb => format!("{of_hb}_{owner}"),
            v => format!("psc{v}_{owner}"),
        };
    };
    for thread in 0..program.threads.len() {
        let owner = without_brackets(&program.threads[thread].name);
        plan.thread_views(thread).into_iter().for_each(|v| name(v, "VSC", "V", &owner));
        plan.acquire_views(thread).into_iter().for_each(|v| name(v, "VSC", "Va", &owner));
        plan.release_views(thread).into_iter().for_each(|v| name(v, "VSC", "Vr", &owner));
    }
    let cells = facts.accessed().into_iter().map(|(at, number)| (without_brackets(&program.cell_name(at)), number));
    for (owner, number) in cells.chain(facts.fence_location().map(|number| ("fence".to_owned(), number))) {
        let Some(location) = tracking.monitored[number] else { continue };
        for (i, view) in plan.location_views(location).into_iter().enumerate() {
            name(view, if i == 0 { "MSC" } else { "WSC" }, "W", &owner);
        }
    }
    names
}

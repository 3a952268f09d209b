//! Expressions mean the same whether they are computed while reading or while running.

use crate::support::generate::Generator;
use crate::support::sc::final_states;
use fencepost_frontend::parse_fp;

#[test]
fn a_constant_expression_has_the_value_that_running_it_gives() {
    let mut compared = 0;
    for seed in 0..5000 {
        let expression = Generator::expression_text(seed);
        let i = [0, 1, -1, 7, i64::MIN + 1, i64::MAX][seed as usize % 6];
        let constant = expression.replace('i', &format!("({i})"));
        let text = format!(
            "const N = 3; atomic x, y = {constant};\nthread t {{ i = {i}; r = {expression}; x.store(r, rlx); }}\n"
        );
        let program = match parse_fp("test.fp", &text) {
            Ok(input) => input.program,
            Err(error) => {
                assert_eq!(error.diagnostics[0].message, "division by zero", "{error}");
                continue;
            }
        };
        let cells: Vec<Vec<i64>> = final_states(&program).into_iter().map(|(_, cells)| cells).collect();
        let value = program.objects[1].init[0];
        assert_eq!(cells, [[value, value]], "{text}");
        compared += 1;
    }
    assert!(compared > 2500, "{compared}");
}

//! Every answer of the checks in the search is that of the definitions: [`crate::consistency`] compares them in tests.

use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_story::Properties;
use fencepost_testing::{seeds, trials};

use crate::{Options, count};

#[test]
fn each_check_in_the_search_gives_the_answer_of_the_definition() {
    let programs = trials(2_500);
    for seed in seeds(programs) {
        let profile = [Profile::Ra, Profile::Rc20, Profile::Rc11, Profile::Processor][seed as usize % 4];
        let text = random_sketch(seed, profile).to_string();
        let Ok(input) = parse_fp("random.fp", &text) else { continue };
        for model in Model::admitting(Engine::Explore, &input.program) {
            let options = Options { properties: Properties::NONE, max_executions: Some(60), ..Options::new(model) };
            count(&input.program, &options, &Default::default()).unwrap();
        }
    }
}

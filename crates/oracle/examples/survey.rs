//! Surveys random programs: `cargo run --release --example survey -- FIRST_SEED COUNT`. Says how many are robust under
//! each model, how many graphs were looked at, and how long it took; `--print` writes the programs as well.

use std::time::Instant;

use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_oracle::{Bounds, survey};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (first, count) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(1000));
    let print = std::env::args().any(|a| a == "--print");
    let asked: [(Profile, &[Model]); 3] =
        [(Profile::Ra, &[Model::Ra]), (Profile::Rc20, &[Model::Ra, Model::Rc20]), (Profile::Rc11, &[Model::Rc11])];
    for (profile, models) in asked {
        for &model in models {
            let start = Instant::now();
            let mut answers = [0; 5];
            for seed in first..first + count {
                let text = random_sketch(seed, profile).to_string();
                if print {
                    println!("// seed {seed}, {profile:?}\n{text}");
                }
                let program = match parse_fp("random", &text) {
                    Ok(input) => input.program,
                    Err(error) => panic!("{text}\n{error:?}"),
                };
                let Ok(found) = survey(&program, model, Bounds::default()) else {
                    answers[4] += 1;
                    continue;
                };
                answers[0] += found.not_robust.is_none() as u32;
                answers[1] += found.not_observationally_robust.is_none() as u32;
                answers[2] += found.racy.is_some() as u32;
                answers[3] += found.fails.is_some() as u32;
            }
            let [robust, observational, racy, fails, too_large] = answers;
            println!(
                "{profile:?} programs under {model}: {robust} robust, {observational} observationally robust, {racy} racy, \
                 {fails} fail, {too_large} too large; {:.3} ms a program",
                start.elapsed().as_secs_f64() * 1e3 / count as f64
            );
        }
    }
}

use std::time::Instant;
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let model: fencepost_check::Model = args.remove(0).parse().unwrap();
    let jobs: usize = std::env::var("JOBS").map_or(1, |j| j.parse().unwrap());
    for f in args {
        let input = match fencepost_frontend::read(std::path::Path::new(&f)) {
            Ok(i) => i,
            Err(e) => {
                println!("{f}: parse error {e}");
                continue;
            }
        };
        for observational in [false, true] {
            let options = fencepost_check::Options {
                model,
                observational,
                jobs,
                forget: std::env::var("NOFORGET").is_err(),
                ..Default::default()
            };
            let t = Instant::now();
            let r = fencepost_check::check(&input.program, &options, &Default::default());
            let v = r.unwrap();
            println!(
                "{f} obs={observational} {:?} {:?} {:?} {:.3}s {}MB",
                v.outcome,
                v.violations.first().map(|v| (v.kind, &v.message)),
                v.statistics.states,
                t.elapsed().as_secs_f64(),
                v.statistics.peak_bytes >> 20
            );
            if std::env::var("VERBOSE").is_ok() {
                if let Some(v) = v.violations.first() {
                    for s in &v.trace {
                        println!("  {} {} {:?} {:?} line {}", s.thread, s.text, s.read, s.written, s.span.line)
                    }
                    println!("  {:?}\n  {:?}", v.explanation, v.fixes)
                }
            }
        }
    }
}

use std::time::Instant;
fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let model: fencepost_models::Model = args.remove(0).parse().unwrap();
    for f in args {
        let input = fencepost_frontend::read(std::path::Path::new(&f)).unwrap_or_else(|e| panic!("{e}"));
        let t = Instant::now();
        let e = fencepost_explore::explore(
            &input.program,
            &fencepost_explore::Options::new(model),
            &Default::default(),
            |_| {},
        );
        println!(
            "{f} {} {} {:?} {:.3}s {:?}",
            e.complete,
            e.blocked,
            e.verdict.outcome,
            t.elapsed().as_secs_f64(),
            e.verdict.violations.first().map(|v| &v.message)
        );
    }
}

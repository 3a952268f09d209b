//! Controlled schedules.

use std::fs;

use crate::support::{build, directory, run};

/// Two threads that say in which order they come.
const ORDER: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int position;
static char order[64];
static void *worker(void *name) {
  for (int i = 0; i < 16; i++) order[atomic_fetch_add(&position, 1)] = *(char *)name;
  return name;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, "a");
  pthread_create(&b, 0, worker, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  puts(order);
  return 0;
}
"#;

#[test]
fn the_same_seed_is_the_same_run_and_others_differ() {
    let here = directory("schedules");
    fs::write(here.join("order.c"), ORDER).unwrap();
    let program = here.join("order");
    build(&here.join("order.c"), &program, "gcc", &[]);
    for schedule in ["random", "pct"] {
        let order = |seed: u32| run(&program, &format!("schedule={schedule}:seed={seed}:steps=40")).stdout;
        let orders: Vec<Vec<u8>> = (0..20).map(order).collect();
        assert_eq!(orders, (0..20).map(order).collect::<Vec<_>>(), "{schedule}");
        let different: std::collections::HashSet<_> = orders.iter().collect();
        assert!(different.len() >= 5, "{schedule}: {} different orders", different.len());
    }
}

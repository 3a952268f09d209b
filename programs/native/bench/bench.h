/* What the programs of `cargo xtask bench run` share. Each does a fixed amount of work, prints a sum that does not depend on
   the schedule, and has no race. */
#ifndef BENCH_H
#define BENCH_H

#define THREADS 4

#include "../threads.h"
#include <stdint.h>
#include <string.h>

static void parallel(body *each) {
  body *bodies[THREADS];
  for (int i = 0; i < THREADS; i++)
    bodies[i] = each;
  run(THREADS, bodies);
}

/* Numbers that look random and are the same in every run. */
static inline uint32_t next_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

#endif

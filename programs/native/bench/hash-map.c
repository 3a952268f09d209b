/* A hash map with chains, cut into stripes with a mutex each. */
#include "bench.h"

#define BUCKETS 4096
#define STRIPES 64

struct entry {
  struct entry *next;
  uint32_t key;
  long value;
};

static struct entry *buckets[BUCKETS];
static pthread_mutex_t mutexes[STRIPES];

static void add(uint32_t key) {
  uint32_t bucket = key * 2654435769u >> 20;
  pthread_mutex_lock(&mutexes[bucket % STRIPES]);
  struct entry *entry = buckets[bucket];
  while (entry && entry->key != key)
    entry = entry->next;
  if (!entry) {
    entry = malloc(sizeof *entry);
    *entry = (struct entry){buckets[bucket], key, 0};
    buckets[bucket] = entry;
  }
  entry->value++;
  pthread_mutex_unlock(&mutexes[bucket % STRIPES]);
}

static void *work(void *number) {
  uint32_t random = 17 + (long)number;
  for (int i = 0; i < 250000; i++)
    add(next_random(&random) % 20000);
  return NULL;
}

int main(void) {
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&mutexes[i], NULL);
  parallel(work);
  long sum = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (struct entry *entry = buckets[i]; entry; entry = entry->next)
      sum += entry->value;
  printf("%ld\n", sum);
}

#define _GNU_SOURCE  // sched_getaffinity
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include "CDepthThreads.h"

size_t ck_processors(void) {
#if defined(__linux__)
  // The kernel rejects a set that is smaller than its own. 16 sets contain 16384 processors.
  cpu_set_t sets[16];
  if (sched_getaffinity(0, sizeof sets, sets) == 0) return (size_t)CPU_COUNT_S(sizeof sets, sets);
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (size_t)count : 1;
}

static atomic_size_t forks;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

size_t ck_forks(void) { return atomic_load(&forks); }

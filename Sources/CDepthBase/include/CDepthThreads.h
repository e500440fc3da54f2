#ifndef CDEPTHTHREADS_H
#define CDEPTHTHREADS_H
#include <stddef.h>

/// Hints to the processor that the caller spins in a loop.
static inline void ck_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Number of processors that the calling thread may run on, or else of all processors that are
/// online.
size_t ck_processors(void);

/// Number of times that this process or one of its ancestors was made by `fork` since the program
/// began: a child has one more than its parent.
size_t ck_forks(void);

/// `pipe` and `accept` whose descriptors no program gets that another thread starts at the same moment. (On Linux; other
/// systems have no call for it.)
int ck_pipe(int ends[2]);
int ck_accept(int descriptor);
#endif

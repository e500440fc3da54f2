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

/// Leaves one heap to all threads if the process's address space is limited (`ulimit -v`).
///
/// The GNU C library otherwise reserves 64 MB of addresses for each of several threads, and twice that for a
/// moment. Under a limit, work would then fail, in one run and not in the next, for want of addresses
/// that nothing is ever written to. To be called before there are threads.
void ck_share_heap_under_limit(void);

/// `pipe` and `accept` whose descriptors no program gets that another thread starts at the same moment. (On Linux; other
/// systems have no call for it.)
int ck_pipe(int ends[2]);
int ck_accept(int descriptor);
#endif

#ifndef CDEPTHTHREADS_H
#define CDEPTHTHREADS_H
#include <stddef.h>

/// Executes the processor's hint for spin loops.
static inline void ck_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Number of processors available to the calling thread, or else of all online processors.
size_t ck_processors(void);

/// Number of `fork` calls between the program's first process and this process. A child has one more than its parent.
size_t ck_forks(void);

/// `pipe` and `accept` with descriptors that are closed on exec, atomically on Linux, so that concurrently started programs do
/// not inherit them.
int ck_pipe(int ends[2]);
int ck_accept(int descriptor);
#endif

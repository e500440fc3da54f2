#ifndef CDEPTHTHREADS_H
#define CDEPTHTHREADS_H
#include <stddef.h>

/// Tells the processor that the caller is waiting in a loop.
static inline void ck_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Processors that the calling thread may run on; all that are online where the system does not say.
size_t ck_processors(void);
#endif

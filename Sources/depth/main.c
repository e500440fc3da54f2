// The program's entry in C, which receives the arguments even where Swift's `CommandLine` does not find them.

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

_Noreturn void depth_main(int count, char **arguments, const char *revision);

#define REVISION_BYTES 24

#if defined(__ELF__)
__attribute__((section(".depth_revision")))
#endif
/// The commit of the build, such as 88ac74cb; empty if unknown. Scripts/lib/revision.sh writes the commit into the linked
/// program, so that nothing is compiled again.
static const volatile char revision[REVISION_BYTES] = "";

/// Keeps the memory of a frame's pictures for the next frame. By default, glibc returns this memory to the system, which
/// clears the pages before the next use, and each thread has its own heap.
static void keep_freed_pages(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_ARENA_MAX, 1);
#endif
}

int main(int count, char **arguments) {
  keep_freed_pages();
  char text[REVISION_BYTES + 1] = "";
  for (int i = 0; i < REVISION_BYTES; i++) text[i] = revision[i];
  depth_main(count, arguments, text);
}

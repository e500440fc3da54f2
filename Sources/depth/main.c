// The entry of the program, in C: it has the arguments that the system gave, also where Swift's `CommandLine` does not find them.

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

_Noreturn void depth_main(int count, char **arguments, const char *revision);

#define REVISION_BYTES 24

#if defined(__ELF__)
__attribute__((section(".depth_revision")))
#endif
/// The commit that was built, such as 88ac74cb. Scripts/lib/revision.sh writes it into the linked program, which costs no compilation;
/// empty otherwise.
static const volatile char revision[REVISION_BYTES] = "";

/// Keeps the memory of a frame's pictures for the next frame: by default, glibc gives each back to the system, which clears
/// its pages again, and each thread keeps a heap of its own.
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

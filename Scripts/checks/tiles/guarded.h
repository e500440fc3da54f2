// Random numbers, and memory that ends at a page which must not be touched.
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;

/// A random number below n.
static size_t below(size_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (size_t)(state >> 16) % n;
}

/// Memory whose last byte is the last one of a page, before a page that cannot be read.
typedef struct {
  uint8_t *pages, *bytes;
  size_t length;
} guarded;

static guarded guarded_bytes(size_t count) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (count + page - 1) / page * page;
  guarded g = {.length = body + page};
  g.pages = mmap(NULL, g.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.pages == MAP_FAILED || mprotect(g.pages + body, page, PROT_NONE)) abort();
  g.bytes = g.pages + body - count;
  return g;
}

static void release(guarded g) { munmap(g.pages, g.length); }

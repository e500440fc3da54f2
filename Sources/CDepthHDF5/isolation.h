// Describes a file in a child process.
#ifndef CHDF5_ISOLATION_H
#define CHDF5_ISOLATION_H
#include "../CDepthBase/include/CDepthSandbox.h"
#include "describe.h"

/// Makes an arena shared by parent and child; returns NULL on failure.
static inline ch5_arena *ch5_make_arena(uint64_t capacity) {
  ch5_arena *arena = (ch5_arena *)cds_share(capacity);
  if (!arena) return NULL;
  arena->capacity = capacity;
  arena->used = (sizeof *arena + 7) & ~(uint64_t)7;
  return arena;
}

typedef struct {
  const char *path, *request;
  ch5_arena *arena;
} ch5_visit;

static inline void ch5_make_visit(const void *context) {
  const ch5_visit *visit = (const ch5_visit *)context;
  ch5_describe(visit->path, visit->request, visit->arena);
}

/// Starts `ch5_describe` in a child process with limits of processor time and wall-clock time, in seconds, and half a
/// gigabyte of memory. Returns false if no process could be started; errno has the reason.
static inline bool ch5_start_child(const char *path, const char *request, ch5_arena *arena,
                                   unsigned processor_seconds, unsigned seconds, cds_child *started) {
  const ch5_visit visit = {path, request, arena};
  const cds_limits limits = {512ull << 20, processor_seconds, seconds, false};
  return cds_start(limits, ch5_make_visit, &visit, started);
}

static inline cds_outcome ch5_end_child(cds_child child, const ch5_arena *arena) {
  return cds_end(child, &arena->is_done);
}
#endif

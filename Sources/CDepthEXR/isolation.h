// Reads a file in a child process.
#ifndef CEXR_ISOLATION_H
#define CEXR_ISOLATION_H
#include "../CDepthSandbox/include/CDepthSandbox.h"
#include "read.h"

/// Memory that parent and child share: how reading ended, and the values.
typedef struct {
  int32_t is_done;
  exr_result_t result;
  float values[];
} cexr_arena;

static inline uint64_t cexr_arena_size(uint64_t values) { return sizeof(cexr_arena) + values * sizeof(float); }

/// NULL where there is no memory; values begin as zeros.
static inline cexr_arena *cexr_make_arena(uint64_t values) {
  return (cexr_arena *)cds_share(cexr_arena_size(values));
}

static inline void cexr_free_arena(cexr_arena *arena, uint64_t values) {
  cds_unshare(arena, cexr_arena_size(values));
}

static inline const float *cexr_values(const cexr_arena *arena) { return arena->values; }

typedef struct {
  const cexr_request *request;
  cexr_arena *arena;
} cexr_visit;

static inline void cexr_make_visit(const void *context) {
  const cexr_visit *visit = (const cexr_visit *)context;
  visit->arena->result = cexr_read(visit->request, visit->arena->values);
  visit->arena->is_done = 1;
}

/// Runs `cexr_read` in a child process, with `bytes` of memory and so many seconds of processor time, and ten times
/// as many of wall-clock time, for a processor that many others use. The parent's signal handlers and mask are
/// preserved.
static inline cds_outcome cexr_read_apart(const cexr_request *request, cexr_arena *arena, uint64_t bytes,
                                          unsigned seconds) {
  const cexr_visit visit = {request, arena};
  const cds_limits limits = {bytes, seconds, 10 * seconds};
  cds_child child;
  if (!cds_start(limits, cexr_make_visit, &visit, &child)) return CDS_NO_PROCESS;
  return cds_end(child, &arena->is_done);
}
#endif

#pragma once

// Reads a file in a child process, so that a hostile file can crash or hang only the child.
//
// Between fork and _exit the child runs only the library that reads and the C library: the parent's
// other threads do not exist there and may have held locks of any other runtime.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
  CDS_FINISHED,
  CDS_CRASHED,
  CDS_TIMED_OUT,
  CDS_NO_PROCESS,
} cds_outcome;

/// What a child may take.
typedef struct {
  /// Bytes of memory beyond what the parent has mapped.
  uint64_t bytes;
  /// Seconds of processor time and of the clock.
  unsigned processor_seconds, seconds;
} cds_limits;

/// A child process, between `cds_start` and `cds_end`.
typedef struct {
  pid_t process;
  /// The end of a pipe whose other end the child holds open while it lives.
  int pipe_end;
  /// When the child is killed, in milliseconds of the monotonic clock.
  long long deadline;
} cds_child;

/// Zeros that parent and child share, or NULL. Pages that are never written take no memory.
void *cds_share(uint64_t bytes);
void cds_unshare(void *memory, uint64_t bytes);

/// Starts `work` in a child process with limits. The parent's signal handlers and mask are
/// preserved. Returns false if no process could be started; errno has the reason.
bool cds_start(cds_limits limits, void (*work)(const void *context), const void *context,
               cds_child *started);

/// Waits for a child; no zombie process is left. The child has set `is_done`, in shared memory, when it finished.
cds_outcome cds_end(cds_child child, const volatile int32_t *is_done);

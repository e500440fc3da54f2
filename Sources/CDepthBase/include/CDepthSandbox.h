#pragma once

// Reads a file in a child process, so that a malicious file can crash or hang only the child.
//
// Between fork and _exit, the child runs only the reading library and the C library. The child lacks the parent's other
// threads, which may have held locks of other runtimes during fork.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
  CDS_FINISHED,
  CDS_CRASHED,
  CDS_TIMED_OUT,
  CDS_NO_PROCESS,
} cds_outcome;

/// Limits of a child.
typedef struct {
  /// Bytes of memory in addition to the parent's mapped memory.
  uint64_t bytes;
  /// Seconds of processor time and of wall-clock time.
  unsigned processor_seconds, seconds;
  /// Whether all descriptors of the parent are closed, and the child ignores SIGINT, SIGTERM and SIGHUP.
  bool is_alone;
} cds_limits;

/// A child process, between `cds_start` and `cds_end`.
typedef struct {
  pid_t process;
  /// The read end of a pipe whose write end the child holds open while it runs.
  int pipe_end;
  /// Time at which the child is killed, in milliseconds of the monotonic clock.
  long long deadline;
} cds_child;

/// Zeroed memory shared by parent and child, or NULL. Unwritten pages use no memory.
void *cds_share(uint64_t bytes);
void cds_unshare(void *memory, uint64_t bytes);

/// Starts `work` in a child process with limits. The parent's signal handlers and mask are preserved. Returns false and sets
/// errno if no process could be started.
bool cds_start(cds_limits limits, void (*work)(const void *context), const void *context,
               cds_child *started);

/// Waits up to `milliseconds` for the end of a child or its deadline. Returns false if neither has occurred.
bool cds_wait(cds_child child, int milliseconds);

/// Waits for a child and reaps it. A child that has finished has set `is_done` in shared memory.
cds_outcome cds_end(cds_child child, const volatile int32_t *is_done);

/// Kills a child.
void cds_kill(cds_child child);

/// Confines the calling process, which must have one thread, to computation in memory. Opening files or sockets, starting
/// processes and signaling other processes fail with EPERM. Threads, reads and writes of open descriptors, and abort are
/// allowed. Returns false if the system has no such filter; Linux 3.17 and later on x86-64 and arm64 have it.
bool cds_confine(void);

#pragma once

#include <stddef.h>

// Files that are being written under temporary names, and the signals that remove them.
//
// The names are kept in fixed memory, because a signal handler may neither allocate nor wait.

/// Remembers a file that a signal removes. Returns a slot, or -1 when the path is too long or all slots
/// are taken: such a file stays if the process is killed.
int cpf_remember(const char *path);

/// Forgets the file of a slot; -1 is allowed.
void cpf_forget(int slot);

/// From now on SIGINT, SIGTERM and SIGHUP remove the remembered files and then end the process as they
/// would have without this. A signal that was ignored stays ignored.
void cpf_remove_on_signals(void);

/// Whether a signal is ignored.
int cpf_is_ignored(int number);

/// With `finishes`, the first SIGINT is only counted, so that the work under way can be finished; the
/// second ends the process. Without, the first one ends it.
void cpf_finish_on_interrupt(int finishes);

/// How often SIGINT has come and was only counted.
int cpf_interrupts(void);

/// Between these two calls no signal ends the process: several files get their names together.
void cpf_begin_renaming(void);
void cpf_end_renaming(void);

/// Makes a file of `count` bytes that goes away with its descriptor: in memory on Linux, elsewhere in the folder
/// for temporary files. Returns the descriptor, which is closed on `exec` and inherited by `fork`, or -1 with the
/// reason in errno.
int cpf_memory_file(const void *bytes, size_t count);

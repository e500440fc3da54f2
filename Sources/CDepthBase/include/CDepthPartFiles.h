#pragma once

#include <stddef.h>

// Removal of temporary files by signals while the files are being written.
//
// File names are in fixed memory, because a signal handler must not allocate or block.

/// Registers a file for removal by a signal. Returns the file's slot, or -1 if the path is too long or all slots are used.
/// After -1, a signal leaves the file.
int cpf_remember(const char *path);

/// Unregisters the file of a slot; -1 is allowed.
void cpf_forget(int slot);

/// Installs handlers of SIGINT, SIGTERM and SIGHUP that remove the registered files and then end the process by the signal.
/// Ignored signals stay ignored.
void cpf_remove_on_signals(void);

/// Whether a signal is ignored.
int cpf_is_ignored(int number);

/// With `finishes`, the first SIGINT is only counted, so that the current work can finish, and the second SIGINT ends the
/// process. Otherwise the first SIGINT ends the process.
void cpf_finish_on_interrupt(int finishes);

/// Number of SIGINTs that were only counted.
int cpf_interrupts(void);

/// Between these two calls, no signal ends the process, so several files can be renamed together.
void cpf_begin_renaming(void);
void cpf_end_renaming(void);

/// Creates an unnamed temporary file of `count` bytes: in memory on Linux, elsewhere in the folder for temporary files.
/// Returns the file's descriptor, which is closed on `exec` and inherited by `fork`; on failure, returns -1 and sets errno.
int cpf_memory_file(const void *bytes, size_t count);

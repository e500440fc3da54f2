#include <stdbool.h>

/// From now on AMX instructions that the processor does not have run on a model, one per thread.
bool trap_tiles(void);
/// Whether this thread has run instructions on its model since the last call. Ends the process if they broke a rule or left
/// tiles configured.
bool finish_trapped_tiles(void);

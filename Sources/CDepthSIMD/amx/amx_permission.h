#include <stdbool.h>

/// Returns whether the processor has AMX-INT8 and this process may use tiles. The first call requests
/// permission from Linux.
bool ck_has_amx_int8(void);

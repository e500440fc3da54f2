// The registers of the model, for kernels with a model on the stack.
#include "ck_amx_model.h"

#include <stdbool.h>

struct ck_amx_model {
  bool is_configured;
  /// Bytes per row of each tile; 0 if the tile is not configured.
  uint16_t row_bytes[8];
  uint8_t rows[8];
  const char *_Nullable fault;
  uint8_t bytes[8][16][64];
};

/// The initial state, with bytes that a kernel should never see.
void ck_amx_model_start(ck_amx_model *_Nonnull m);
/// Ends the process with a message if a rule was broken or the tiles were not released.
void ck_amx_model_finish(const ck_amx_model *_Nonnull m);

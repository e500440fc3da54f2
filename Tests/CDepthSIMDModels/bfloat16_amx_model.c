// The convolution by tiles on their model, for every processor of every architecture.
#include "amx_model_tiles.h"
#define ISA amx_model
#define LANES 4
#include "../../Sources/CDepthSIMD/instantiate_bfloat16.h"

// The convolution by tiles on their model, for every processor of every architecture. No vectors read its panels, so that
// tiles multiply whatever the depth.
#include "../amx_model_tiles.h"
#define ISA amx_model
#define LANES 4
#include "../instantiate_codes.h"

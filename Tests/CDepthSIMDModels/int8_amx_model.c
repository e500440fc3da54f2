// The convolution by tiles on their model, for every processor of every architecture. No vectors read its panels, so that
// tiles multiply whatever the depth.
#define ISA amx_model
#define LANES 4
#include "../../Sources/CDepthSIMD/instantiate_int8.h"

#include "amx_model_tiles.h"
#define TILES amx_model
#include "../../Sources/CDepthSIMD/amx/instantiate_int8_tiles.h"

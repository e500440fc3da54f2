// The convolution by tiles on the tile model, for every processor. No vector kernel reads the
// panels, so tiles multiply at any depth.
#define ISA amx_model
#define LANES 4
#include "../../Sources/CDepthSIMD/instantiate_int8.h"

#include "amx_model_tiles.h"
#define TILES amx_model
#include "../../Sources/CDepthSIMD/amx/instantiate_int8_tiles.h"

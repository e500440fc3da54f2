// The convolution by vectors with VDPBF16PS in plain C, for every processor of every architecture.
#include "../bfloat16_arithmetic.h"
#define ISA model
#define LANES 4
#define BFLOAT16_ROWS 6
#include "../instantiate_bfloat16.h"

// OpenEXR for Swift: one channel of floats out of a file in memory and into one, by OpenEXRCore.
#ifndef CEXR_SHIM_H
#define CEXR_SHIM_H
#include <OpenEXR/openexr.h>

#include "isolation.h"
#include "read.h"
#include "write.h"
#endif

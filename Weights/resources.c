// The HDF5 file of this folder is the resource of a C target, because SwiftPM adds a `Bundle.module` to Swift targets with
// resources. Nothing here uses it, and it links every program with Foundation and its 40 MB of Unicode tables.
#include "DepthWeights.h"

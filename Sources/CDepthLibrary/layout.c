// The layout of depth.h, on which bindings in other languages rely. The layout changes only with
// DEPTH_ABI_VERSION.
#include <stddef.h>

#include "depth.h"

_Static_assert(sizeof(depth_failure) == 1024, "depth_failure");
_Static_assert(sizeof(depth_open_options) == 48, "depth_open_options");
_Static_assert(offsetof(depth_open_options, precision) == 24, "depth_open_options");
_Static_assert(offsetof(depth_open_options, metres) == 40, "depth_open_options");
_Static_assert(sizeof(depth_picture) == 48, "depth_picture");
_Static_assert(offsetof(depth_picture, max_pixels) == 40, "depth_picture");
_Static_assert(sizeof(depth_map) == 40, "depth_map");
_Static_assert(offsetof(depth_map, row_floats) == 32, "depth_map");
_Static_assert(sizeof(depth_refine_options) == 56, "depth_refine_options");
_Static_assert(offsetof(depth_refine_options, focal_length) == 40, "depth_refine_options");
_Static_assert(offsetof(depth_refine_options, calibration) == 48, "depth_refine_options");
_Static_assert(sizeof(depth_estimate_facts) == 56, "depth_estimate_facts");
_Static_assert(offsetof(depth_estimate_facts, expected_error) == 48, "depth_estimate_facts");
_Static_assert(sizeof(depth_stereo_options) == 48, "depth_stereo_options");
_Static_assert(offsetof(depth_stereo_options, estimator) == 40, "depth_stereo_options");
_Static_assert(sizeof(depth_views) == 48, "depth_views");

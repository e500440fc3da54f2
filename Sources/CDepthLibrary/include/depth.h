/* depth.h: depth in metres from one photo, from any language that calls C.
 *
 *   depth_estimator *estimator = NULL;
 *   depth_failure failure = DEPTH_FAILURE_INIT;
 *   if (depth_open(NULL, &estimator, &failure) != DEPTH_OK) { puts(failure.message); return 1; }
 *
 *   depth_picture photo = DEPTH_PICTURE_INIT;          // the bytes of a photo file
 *   photo.bytes = bytes;
 *   photo.byte_count = count;
 *   depth_map map = DEPTH_MAP_INIT;                    // without memory: asks for the size
 *   depth_estimate(estimator, &photo, NULL, &map, NULL, &failure);
 *   map.values = malloc(sizeof(float) * map.height * map.width);
 *   map.value_count = (uint64_t)map.height * map.width;
 *   depth_estimate(estimator, &photo, NULL, &map, NULL, &failure);
 *   depth_close(estimator);
 *
 * Rules
 *
 * - Every structure begins with its own size. A library that is newer than the program uses defaults for fields that the
 *   program's header lacks. A library that is older than the program fails if a field unknown to the library is not zero. The
 *   macros DEPTH_..._INIT fill in sizes and defaults.
 * - Every call returns a depth_status. If it is not DEPTH_OK, the call writes one sentence to `failure`, which may be
 *   NULL, and leaves the memory of results unchanged.
 * - The caller owns all memory. Pointers are used during the call only.
 * - Several threads may call functions other than depth_close at once, also with one estimator. Concurrent calls share the
 *   threads. The same picture gives the same bits for any number of threads and calls.
 * - After `fork`, a call with an estimator of the parent process fails with DEPTH_FORKED; the child must open an estimator.
 *   A process must not fork while another of its threads is inside depth_open.
 * - Rows come before columns; row 0 is at the top. Depth is in metres along the optical axis; larger is farther. Weights
 *   without metric training give DEPTH_RELATIVE_DISPARITY instead, which is then the map's unit. A pixel has no value if the
 *   number is not finite, or if a number in metres or disparity is not positive.
 */
#ifndef SWIFT_DEPTH_DEPTH_H
#define SWIFT_DEPTH_DEPTH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Increases when programs compiled with an earlier header would no longer work. */
#define DEPTH_ABI_VERSION 1

/** The ABI version of the loaded library; compare it with DEPTH_ABI_VERSION. */
uint32_t depth_abi_version(void);

/** The version of the library, such as "0.2.0", valid until the process ends. */
const char *depth_version(void);

/** The result of a call. Later versions may add values. */
typedef int32_t depth_status;
enum {
  DEPTH_OK = 0,
  DEPTH_INVALID_ARGUMENT = 1,  /**< A number, name or setting is out of range, or a result's memory is too small. */
  DEPTH_UNREADABLE = 2,  /**< A file does not exist, or the system does not allow it to be read. */
  DEPTH_UNSUPPORTED_FORMAT = 3,  /**< The bytes are not a picture of a supported format. */
  DEPTH_DAMAGED = 4,  /**< The bytes begin correctly for their format, but then violate its rules or end too early. */
  DEPTH_TOO_LARGE = 5,  /**< The picture or result has more pixels than allowed. */
  DEPTH_INSUFFICIENT_MEMORY = 6,  /**< The call needs more memory than the process may use. */
  DEPTH_UNKNOWN_UNIT = 7,  /**< The call cannot use a map of this unit. */
  DEPTH_SIZE_MISMATCH = 8,  /**< A map and its picture have different proportions. */
  DEPTH_NO_DEPTH = 9,  /**< No pixel has a depth where one is needed. */
  DEPTH_WEIGHTS = 10,  /**< The weights are not installed, or do not fit their network or the precision. */
  DEPTH_FORKED = 11,  /**< The estimator was opened by the parent process. */
  DEPTH_OTHER = 12  /**< Another failure, which the message describes. */
};

/** The reason why a call failed. */
typedef struct depth_failure {
  uint32_t struct_size;
  depth_status status;
  /** One sentence, UTF-8, ended by a zero byte; truncated if it is longer. */
  char message[1016];
} depth_failure;
#define DEPTH_FAILURE_INIT {sizeof(depth_failure), DEPTH_OK, {0}}

/** Loaded weights and the memory of their networks; opaque. */
typedef struct depth_estimator depth_estimator;

/** The arithmetic of the networks' layers. It does not depend on the number format in a weights file. */
enum {
  DEPTH_PRECISION_FLOAT32 = 0,  /**< 32-bit floats. */
  /** 8-bit integers. FCRN computes only the last layer in floats, and takes less than half the time and a third of the memory
   *  of float32. Integers need weights with scales, like the bundled weights; otherwise depth_open fails with DEPTH_WEIGHTS. */
  DEPTH_PRECISION_INT8 = 1,
  /** DEPTH_PRECISION_INT8 if the weights record a loss of at most .002 of delta1, otherwise DEPTH_PRECISION_FLOAT32;
   *  depth_precision returns the choice. */
  DEPTH_PRECISION_AUTO = 2
};

/** The training data of published weights, which determines the meaning of a map's numbers. */
enum {
  /** The kind given by the file's name or config.json; also for weights of another network. */
  DEPTH_WEIGHTS_KIND_OF_FILE = 0,
  DEPTH_WEIGHTS_KIND_INDOOR = 1,  /**< Metres up to 20. */
  DEPTH_WEIGHTS_KIND_OUTDOOR = 2,  /**< Metres up to 80. */
  DEPTH_WEIGHTS_KIND_RELATIVE = 3  /**< Disparity up to scale and shift. */
};

/** Options of depth_open. */
typedef struct depth_open_options {
  uint32_t struct_size;
  /** 1 to 256; 0 for one per processor. */
  int32_t threads;
  /** Names or paths of weights, whose networks form one estimate: "default", "compact", the name of a published network such
   *  as "depth-anything-v2-small", HDF5 files, or published weights. NULL means the environment's DEPTH_WEIGHTS or "default".
   *  Bundled weights are in `Weights` or `../share/swift-depth/Weights`, relative to the library's folder. */
  const char *const *weights;
  uint32_t weights_count;
  /** Whether the networks also process the mirrored picture, for twice the time: 1 for yes, 0 or -1 for no. */
  int32_t mirrored;
  /** DEPTH_PRECISION_...; DEPTH_PRECISION_FLOAT32 for programs whose structure ends before this field. */
  int32_t precision;
  /** The shorter side of the input of a network that keeps a photo's proportions. It is a multiple of 14 from 252 to 1036 for
   *  Depth Anything V2, and a multiple of 32 from 192 to 1024 for ZipDepth. 0 means the defaults, 518 and 384; other networks
   *  need 0. */
  int32_t input_size;
  /** DEPTH_WEIGHTS_KIND_... for published weights of Depth Anything V2 in a file without the kind. */
  int32_t weights_kind;
  /** Approximate number of patches into which MoGe-2 divides a photo, 400 to 3600. 0 means 1200; other networks need 0. */
  int32_t tokens;
  /** Metric weights, such as "default", to which maps of relative weights are fitted; NULL keeps maps relative. */
  const char *metres;
} depth_open_options;
#define DEPTH_OPEN_OPTIONS_INIT \
  {sizeof(depth_open_options), 0, 0, 0, -1, DEPTH_PRECISION_AUTO, 0, DEPTH_WEIGHTS_KIND_OF_FILE, 0, 0}

/** Loads weights.
 *
 * @param options   NULL for the default weights, on all processors.
 * @param estimator Receives the estimator, to be closed by depth_close.
 */
depth_status depth_open(
    const depth_open_options *options, depth_estimator **estimator, depth_failure *failure);

/** Frees an estimator that no call uses; NULL is ignored. */
void depth_close(depth_estimator *estimator);

/** The arithmetic of an estimator's networks.
 *
 * @param precision Receives DEPTH_PRECISION_FLOAT32 or DEPTH_PRECISION_INT8, never DEPTH_PRECISION_AUTO.
 */
depth_status depth_precision(
    depth_estimator *estimator, int32_t *precision, depth_failure *failure);

/** A text that identifies the weights: the files' SHA-256 in hexadecimal, joined by "+"; see `weights_id` of `depth predict`.
 *  The text ends with "+int8" if the networks compute with integers.
 *
 * @param text     Receives the text, ended by a zero byte; NULL to ask for the size.
 * @param capacity Bytes of `text`.
 * @param needed   Receives the size of the text including the zero byte; may be NULL.
 */
depth_status depth_weights_id(
    depth_estimator *estimator, char *text, uint64_t capacity, uint64_t *needed,
    depth_failure *failure);

/** The format of a picture's bytes. */
enum {
  /** A JPEG, PNG, HEIC, WebP or AVIF file. Its Exif block gives the orientation and the focal length. */
  DEPTH_PICTURE_FILE = 0,
  DEPTH_PICTURE_RGB = 1,
  DEPTH_PICTURE_RGBA = 2,
  DEPTH_PICTURE_BGRA = 3,
  DEPTH_PICTURE_GRAY = 4
};

/** A picture that a call reads. */
typedef struct depth_picture {
  uint32_t struct_size;
  /** DEPTH_PICTURE_... */
  int32_t format;
  const void *bytes;
  uint64_t byte_count;
  /** Pixels of a picture in memory; ignored for a file. */
  int32_t height, width;
  /** Bytes from one row to the next; 0 for rows without padding. */
  int64_t row_bytes;
  /** The largest picture or result, pixels; 0 for 2^28. */
  int64_t max_pixels;
} depth_picture;
#define DEPTH_PICTURE_INIT {sizeof(depth_picture), DEPTH_PICTURE_FILE, 0, 0, 0, 0, 0, 0}

/** The unit of a map. */
enum {
  DEPTH_METRES = 0,
  DEPTH_DISPARITY = 1,  /**< 1 / metres. */
  DEPTH_NORMALIZED_NEAR_WHITE = 2,  /**< 1 = nearest, 0 = farthest. */
  DEPTH_NORMALIZED_NEAR_BLACK = 3,  /**< 0 = nearest, 1 = farthest. */
  /** scale / metres + shift, with unknown scale and shift; larger is nearer, and 0 is a value. */
  DEPTH_RELATIVE_DISPARITY = 4,
  /** The expected relative error of each depth, not a depth; see depth_estimate_facts.expected_error. */
  DEPTH_RELATIVE_ERROR = 5,
  DEPTH_NORMALS = 6  /**< Surface normals, not depths; see depth_normals. */
};

/** A depth map that a call reads or writes. */
typedef struct depth_map {
  uint32_t struct_size;
  /** DEPTH_METRES or another unit; the call sets it in a result. */
  int32_t unit;
  /** Value (y, x) is at y * row_floats + x. NULL in a result requests the size: the call sets height, width and unit, and
   *  computes nothing. */
  float *values;
  /** The number of floats in the memory at `values`. */
  uint64_t value_count;
  /** Rows and columns; the call sets them in a result. */
  int32_t height, width;
  /** Floats from one row to the next; 0 for rows without padding. */
  int64_t row_floats;
} depth_map;
#define DEPTH_MAP_INIT {sizeof(depth_map), DEPTH_METRES, 0, 0, 0, 0, 0}

/** The method of refining a map to its picture's resolution and edges. */
enum {
  /** Joint filtering and joint upsampling, as in `depth predict`. */
  DEPTH_REFINE_JOINT = 0,
  /** The picture is not used. The map is unchanged, or stretched linearly to the size of the result. */
  DEPTH_REFINE_NONE = 1,
  DEPTH_REFINE_BILATERAL = 2,
  DEPTH_REFINE_GAUSSIAN = 3
};

/** The size of a result. */
enum {
  /** DEPTH_SIZE_NETWORK for DEPTH_REFINE_NONE, otherwise DEPTH_SIZE_PICTURE. */
  DEPTH_SIZE_DEFAULT = 0,
  DEPTH_SIZE_PICTURE = 1,
  DEPTH_SIZE_NETWORK = 2,  /**< The size of the map before refinement. */
  DEPTH_SIZE_GIVEN = 3  /**< The size in the fields `height` and `width`. */
};

/** The source and the unit of a focal length. */
enum {
  /** The file's Exif block; without a focal length in Exif, the camera of the training data. */
  DEPTH_FOCAL_LENGTH_OF_PICTURE = 0,
  DEPTH_FOCAL_LENGTH_PIXELS = 1,
  DEPTH_FOCAL_LENGTH_35MM = 2,  /**< Millimetres on a frame of 36 x 24 mm with the same diagonal. */
  DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW = 3,  /**< The angle of view along the longer side, degrees. */
  DEPTH_FOCAL_LENGTH_UNCORRECTED = 4  /**< No correction. */
};

/** Options of depth_refine and depth_estimate, equal to the options of `depth predict`. */
typedef struct depth_refine_options {
  uint32_t struct_size;
  /** Threads of depth_refine: 1 to 256; 0 for one per processor. depth_estimate uses its estimator's threads. */
  int32_t threads;
  /** DEPTH_REFINE_... */
  int32_t method;
  /** The influence of the picture's edges in DEPTH_REFINE_JOINT, 0 to 1; negative for the default. */
  float detail;
  /** DEPTH_SIZE_... */
  int32_t size;
  int32_t height, width;
  /** Whether pixels without a value are filled from their neighborhood: 0 or 1. */
  int32_t fill;
  /** DEPTH_FOCAL_LENGTH_...; ignored by depth_refine. */
  int32_t focal_length_kind;
  int32_t reserved;
  double focal_length;
  /** The UTF-8 path of a calibration for the map, written by `depth calibrate` for the same weights and method; NULL for none.
   *  Ignored by depth_refine. */
  const char *calibration;
} depth_refine_options;
#define DEPTH_REFINE_OPTIONS_INIT \
  {sizeof(depth_refine_options), 0, DEPTH_REFINE_JOINT, -1, DEPTH_SIZE_DEFAULT, 0, 0, 0, 0, 0, 0, 0}

/** Numbers of an estimate besides its map. */
typedef struct depth_estimate_facts {
  uint32_t struct_size;
  /** 0 Exif, 1 given by the caller, 2 assumed, 3 estimated by the network. */
  int32_t focal_length_source;
  /** In pixels of the picture. */
  double focal_length;
  /** The disagreement of the averaged maps; NaN for a single map. */
  double spread;
  /** The expected relative error for photos of the training camera. For other photos, the error is about twice as large. NaN
   *  if unknown. */
  double uncertainty;
  /** The factor for the focal length that metres contain; NaN for relative disparity. */
  double depth_factor;
  /** The exponent of the ratio of focal lengths in depth_factor; NaN for relative disparity. */
  double focal_exponent;
  /** Receives the expected relative error of each pixel, |ln estimate - ln truth|, at the size of the map; may be NULL. For
   *  weights without a second output, the call fails with DEPTH_INVALID_ARGUMENT. */
  depth_map *expected_error;
} depth_estimate_facts;
#define DEPTH_ESTIMATE_FACTS_INIT {sizeof(depth_estimate_facts), 0, 0, 0, 0, 0, 0, 0}

/** Estimates the depth of a picture. The map is identical to the map of `depth predict`: metres, or DEPTH_RELATIVE_DISPARITY
 *  for weights without metric training.
 *
 * @param options NULL for defaults.
 * @param map     Receives the map and its unit; see depth_map.values for requesting its size.
 * @param facts   Receives further numbers of the estimate; may be NULL.
 */
depth_status depth_estimate(
    depth_estimator *estimator, const depth_picture *photo, const depth_refine_options *options,
    depth_map *map, depth_estimate_facts *facts, depth_failure *failure);

/** Refines any depth map to its picture's resolution and edges, in the same unit.
 *
 * @param depth   A map of the picture, of any size.
 * @param options NULL for defaults.
 * @param map     Receives the result; it may use the memory of `depth`.
 */
depth_status depth_refine(
    const depth_picture *photo, const depth_map *depth, const depth_refine_options *options,
    depth_map *map, depth_failure *failure);

/** Computes the surface normals of a map in metres or disparity from planes through neighbors, like `depth predict --normals`.
 *
 * @param focal_length Pixels of the map: depth_estimate_facts.focal_length for a map of the picture's size.
 * @param normals      Receives x (right), y (down) and z (forward) of each pixel side by side, in DEPTH_NORMALS. Its width
 *                     is three times that of `depth`. Surfaces facing the camera have z < 0; missing depth gives NaN.
 */
depth_status depth_normals(
    const depth_map *depth, double focal_length, depth_map *normals, depth_failure *failure);

/** Aligns a map with known distances at some pixels, like `depth refine --sparse`. The result has the map's size, in metres.
 *
 * @param sparse A map in metres or disparity that covers the picture; 0 or NaN for unknown distances.
 * @param noise  The standard deviation of the known distances as a share of each, .0001 to 1; usually .01.
 */
depth_status depth_align(
    const depth_picture *photo, const depth_map *depth, const depth_map *sparse, double noise,
    depth_map *map, depth_failure *failure);

/** Writes a depth file with its unit, as `depth predict` does. The path's extension selects the format: .png, .pfm, .npy,
 *  .npz or .exr.
 *
 * @param path      UTF-8. The file appears under this name when it is complete.
 * @param overwrite Whether an existing file may be replaced: 0 or 1.
 */
depth_status depth_write(
    const depth_map *depth, const char *path, int32_t overwrite, depth_failure *failure);

/** The source of a picture's depth. */
enum {
  /** Depth embedded in the file, as in portrait photos, if sufficient; otherwise the network's depth. */
  DEPTH_SOURCE_AUTO = 0,
  DEPTH_SOURCE_NETWORK = 1,
  /** Depth embedded in the file; DEPTH_NO_DEPTH without embedded depth. */
  DEPTH_SOURCE_EMBEDDED = 2,
  /** The map of the call. */
  DEPTH_SOURCE_GIVEN = 3
};

/** Options of depth_stereo. */
typedef struct depth_stereo_options {
  uint32_t struct_size;
  /** 1 to 256; 0 for one per processor. */
  int32_t threads;
  /** The largest movement of a point in each view, as a fraction of the width; .01 is 1 %. */
  double maximum_shift;
  /** The depth in the plane of the screen, from 0 (farthest) to 1 (nearest); negative for the depth of the photo's center. */
  double convergence;
  /** 0 keeps the photo as the left view, 1 as the right view; .5 moves both views by half. */
  double balance;
  /** DEPTH_SOURCE_AUTO, DEPTH_SOURCE_NETWORK or DEPTH_SOURCE_EMBEDDED for a call without a map; otherwise ignored. */
  int32_t depth_source;
  int32_t reserved;
  /** The networks for a picture whose depth is estimated; NULL loads the default weights for the call. */
  depth_estimator *estimator;
} depth_stereo_options;
#define DEPTH_STEREO_OPTIONS_INIT {sizeof(depth_stereo_options), 0, .01, .5, .5, DEPTH_SOURCE_AUTO, 0, 0}

/** Two RGB views of the picture's size. */
typedef struct depth_views {
  uint32_t struct_size;
  /** The DEPTH_SOURCE_... that the call used; set by the call. */
  int32_t depth_source;
  /** NULL requests the size: the call sets height and width, and computes nothing. */
  uint8_t *left, *right;
  /** Bytes of each view. */
  uint64_t byte_count;
  int32_t height, width;
  /** Bytes from one row to the next; 0 for rows without padding. */
  int64_t row_bytes;
} depth_views;
#define DEPTH_VIEWS_INIT {sizeof(depth_views), 0, 0, 0, 0, 0, 0, 0}

/** Renders a picture from the positions of two eyes.
 *
 * @param depth   A map of the picture, of any size and unit; NULL for the source in options.depth_source.
 * @param options NULL for defaults.
 * @param views   Receives both views.
 */
depth_status depth_stereo(
    const depth_picture *photo, const depth_map *depth, const depth_stereo_options *options,
    depth_views *views, depth_failure *failure);

#ifdef __cplusplus
}
#endif
#endif

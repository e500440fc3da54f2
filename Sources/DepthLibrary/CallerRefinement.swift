import CDepthLibrary
import DepthImages
import DepthRefinement
import MonocularDepth

/// The options of `depth_refine` and `depth_estimate`.
struct CallerRefinement {
  let threads: Int?
  /// The options without a picture's limits and without the calibration.
  let options: DepthOptions
  /// The path of the calibration; `nil` for none.
  let calibration: String?

  /// - Throws: ``CallFailure``.
  init(_ options: UnsafePointer<depth_refine_options>?) throws {
    var defaults = unsafe depth_refine_options()
    unsafe defaults.detail = -1
    let options = try unsafe read(options, defaults: defaults, "depth_refine_options")
    let detail = unsafe options.detail
    try require(detail <= 1, "detail is \(detail), expected 0 to 1")
    let method = try unsafe Self.name(options.method)
    self.options = try unsafe DepthOptions(
      camera: Self.camera(options),
      refinement: detail < 0 ? RefinementMethod(method) : RefinementMethod(method, detail: detail),
      resolution: Self.resolution(options), fillsMissing: flag(options.fill, "fill"))
    threads = unsafe DepthLibrary.threads(options.threads)
    calibration = try unsafe options.calibration.map {
      try unsafe path($0, "the path of the calibration")
    }
    try unsafe checkReserved(options.reserved)
  }

  private static func name(_ method: Int32) throws -> RefinementMethod.Name {
    switch Int(method) {
    case DEPTH_REFINE_JOINT: .joint
    case DEPTH_REFINE_NONE: .none
    case DEPTH_REFINE_BILATERAL: .bilateral
    case DEPTH_REFINE_GAUSSIAN: .gaussian
    default:
      throw CallFailure.invalidArgument(
        "the method is \(method), expected one of DEPTH_REFINE_…")
    }
  }

  private static func resolution(_ options: depth_refine_options) throws -> OutputResolution {
    switch unsafe Int(options.size) {
    case DEPTH_SIZE_DEFAULT: .automatic
    case DEPTH_SIZE_PICTURE: .photo
    case DEPTH_SIZE_NETWORK: .network
    case DEPTH_SIZE_GIVEN: unsafe .size(height: Int(options.height), width: Int(options.width))
    default:
      throw CallFailure.invalidArgument(
        "the size is \(unsafe options.size), expected one of DEPTH_SIZE_…")
    }
  }

  private static func camera(_ options: depth_refine_options) throws -> DepthOptions.CameraChoice {
    let length = unsafe options.focal_length
    let kind = unsafe options.focal_length_kind
    return switch Int(kind) {
    case DEPTH_FOCAL_LENGTH_OF_PICTURE: .automatic
    case DEPTH_FOCAL_LENGTH_PIXELS: .focalLength(.pixels(length))
    case DEPTH_FOCAL_LENGTH_35MM: .focalLength(.equivalent35mm(length))
    case DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW: .focalLength(.fieldOfView(length))
    case DEPTH_FOCAL_LENGTH_UNCORRECTED: .uncorrected
    default:
      throw CallFailure.invalidArgument(
        "the kind of focal length is \(kind), expected one of DEPTH_FOCAL_LENGTH_…"
      )
    }
  }

  /// The options for a picture.
  func options(for photo: CallerPicture) -> DepthOptions {
    var options = options
    options.limits = photo.limits
    return options
  }

  /// Rows and columns of the result.
  ///
  /// - Throws: ``CallFailure`` or `DepthError` for a size out of range.
  func size(
    of map: (height: Int, width: Int), photo: CallerPicture
  ) throws -> (height: Int, width: Int) {
    if case .size(let height, let width) = options.resolution {
      let sides = OutputResolution.sides
      try require(
        sides.contains(height) && sides.contains(width),
        "the size of the map is \(width)×\(height), expected 1 to \(sides.upperBound) pixels a side"
      )
    }
    return try options(for: photo).size(
      photo: (photo.height, photo.width), map: map, named: "the map")
  }
}

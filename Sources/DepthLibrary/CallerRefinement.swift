import CDepthLibrary
import DepthImages
import DepthPipeline
import DepthRefinement

/// The options of `depth_refine` and `depth_estimate`.
struct CallerRefinement {
  let threads: Int?
  let settings: MapSettings
  let camera: CameraSetting

  /// - Throws: ``CallFailure``.
  init(_ options: UnsafePointer<depth_refine_options>?) throws {
    var defaults = depth_refine_options()
    defaults.detail = -1
    let options = try unsafe read(options, defaults: defaults, "depth_refine_options")
    try require(options.detail <= 1, "detail is \(options.detail), expected 0 to 1")
    var settings = MapSettings()
    settings.method = try Self.name(options.method)
    settings.detail = options.detail < 0 ? nil : options.detail
    settings.resolution = try Self.resolution(options)
    settings.fillsMissing = try flag(options.fill, "fill")
    self.settings = settings
    camera = try Self.camera(options)
    threads = DepthLibrary.threads(options.threads)
    try checkReserved(options.reserved)
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

  private static func resolution(_ options: depth_refine_options) throws -> OutputResolution? {
    switch Int(options.size) {
    case DEPTH_SIZE_DEFAULT: nil
    case DEPTH_SIZE_PICTURE: .photo
    case DEPTH_SIZE_NETWORK: .network
    case DEPTH_SIZE_GIVEN: .size(height: Int(options.height), width: Int(options.width))
    default:
      throw CallFailure.invalidArgument(
        "the size is \(options.size), expected one of DEPTH_SIZE_…")
    }
  }

  private static func camera(_ options: depth_refine_options) throws -> CameraSetting {
    switch Int(options.focal_length_kind) {
    case DEPTH_FOCAL_LENGTH_OF_PICTURE: .unsaid
    case DEPTH_FOCAL_LENGTH_PIXELS: .focalLength(.pixels(options.focal_length))
    case DEPTH_FOCAL_LENGTH_35MM: .focalLength(.equivalent35mm(options.focal_length))
    case DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW: .focalLength(.fieldOfView(options.focal_length))
    case DEPTH_FOCAL_LENGTH_UNCORRECTED: .uncorrected
    default:
      throw CallFailure.invalidArgument(
        "the kind of focal length is \(options.focal_length_kind), expected one of DEPTH_FOCAL_LENGTH_…"
      )
    }
  }

  /// Rows and columns of the result.
  ///
  /// - Throws: ``CallFailure`` or `DepthError` for a size out of range.
  func size(
    of map: (height: Int, width: Int), photo: CallerPicture
  ) throws -> (height: Int, width: Int) {
    if case .size(let height, let width) = settings.resolution {
      let sides = OutputResolution.sides
      try require(
        sides.contains(height) && sides.contains(width),
        "the size of the map is \(width)×\(height), expected 1 to \(sides.upperBound) pixels a side"
      )
    }
    return try settings.size(
      photo: (photo.height, photo.width), map: map, limits: photo.limits, named: "the map")
  }
}

import CDepthLibrary
import DepthImages
import DepthRefinement
import MonocularDepth
import ThreadTeams

/// The options of `depth_refine` and `depth_estimate`.
struct CallerRefinement {
  let threads: Int?
  private let name: RefinementMethod.Name
  private let detail: Float
  private let resolution: OutputResolution
  private let fillsMissing: Bool
  private let focalLength: (kind: Int, value: Double)

  /// - Throws: ``CallFailure``.
  init(_ options: UnsafePointer<depth_refine_options>?) throws {
    var defaults = depth_refine_options()
    defaults.detail = -1
    let options = try unsafe read(options, defaults: defaults, "depth_refine_options")
    name = try Self.name(options.method)
    guard options.detail <= 1 else {
      throw CallFailure.invalidArgument("detail is \(options.detail), expected 0 to 1")
    }
    detail = options.detail < 0 ? JointFilter.defaultDetail : options.detail
    resolution = try Self.resolution(options, isUnrefined: name == .none)
    fillsMissing = try flag(options.fill, "fill")
    threads = DepthLibrary.threads(options.threads)
    focalLength = (Int(options.focal_length_kind), options.focal_length)
    try checkReserved(options.reserved)
  }

  private static func name(_ method: Int32) throws -> RefinementMethod.Name {
    switch Int(method) {
    case DEPTH_REFINE_JOINT: .joint
    case DEPTH_REFINE_NONE: .none
    case DEPTH_REFINE_ARTICLE: .article
    case DEPTH_REFINE_GAUSSIAN: .gaussian
    default:
      throw CallFailure.invalidArgument(
        "the method is \(method), expected one of DEPTH_REFINE_…")
    }
  }

  private static func resolution(
    _ options: depth_refine_options, isUnrefined: Bool
  ) throws -> OutputResolution {
    switch Int(options.size) {
    case DEPTH_SIZE_DEFAULT: isUnrefined ? .network : .photo
    case DEPTH_SIZE_PICTURE: .photo
    case DEPTH_SIZE_NETWORK: .network
    case DEPTH_SIZE_GIVEN: .size(height: Int(options.height), width: Int(options.width))
    default:
      throw CallFailure.invalidArgument(
        "the size is \(options.size), expected one of DEPTH_SIZE_…")
    }
  }

  /// Rows and columns of the result.
  ///
  /// - Throws: `DepthError` for a size that no map has.
  func size(
    of map: (height: Int, width: Int), photo: CallerPicture
  ) throws -> (height: Int, width: Int) {
    switch resolution {
    case .network: return map
    case .photo: return (photo.height, photo.width)
    case .size(let height, let width):
      let sides = 1...65_535
      guard sides.contains(height), sides.contains(width) else {
        throw CallFailure.invalidArgument(
          "the size of the map is \(width)×\(height), expected 1 to 65535 pixels a side")
      }
      try photo.limits.check(width: width, height: height, file: "the map")
      return (height, width)
    }
  }

  /// The camera that the options say; `nil` leaves it to the picture.
  ///
  /// - Throws: ``CallFailure``, or `DepthError` for a focal length that no lens has.
  func camera(of photo: Image) throws -> Camera? {
    switch focalLength.kind {
    case DEPTH_FOCAL_LENGTH_OF_PICTURE: nil
    case DEPTH_FOCAL_LENGTH_PIXELS:
      try Camera(of: photo, focalLength: .pixels(focalLength.value))
    case DEPTH_FOCAL_LENGTH_35MM:
      try Camera(of: photo, focalLength: .equivalent35mm(focalLength.value))
    case DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW:
      try Camera(of: photo, focalLength: .fieldOfView(focalLength.value))
    case DEPTH_FOCAL_LENGTH_UNCORRECTED:
      .training(width: photo.width, height: photo.height)
    default:
      throw CallFailure.invalidArgument(
        "the kind of focal length is \(focalLength.kind), expected one of DEPTH_FOCAL_LENGTH_…")
    }
  }

  /// The map as the options want it.
  ///
  /// - Throws: `DepthError`.
  func refined(
    _ map: DepthMap, guidedBy photo: Image, threads: Int, limits: ImageLimits
  ) throws -> DepthMap {
    if name == .none, resolution == .network, !fillsMissing { return map }
    return try ThreadShare.run(of: threads) {
      try map.refined(
        guidedBy: photo, method: RefinementMethod(name, detail: detail), resolution: resolution,
        fillsMissing: fillsMissing, threads: $0, limits: limits)
    }
  }
}

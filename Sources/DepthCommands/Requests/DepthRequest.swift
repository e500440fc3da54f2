import DepthImages
import DepthRefinement
import MonocularDepth
import PictureFiles

/// Refinement and size of a depth map.
struct RefinementRequest: Request {
  var refine = DepthOptions().refinement.name
  /// Strength with which the joint filter follows the photo's edges; `nil` for the filter's
  /// default.
  var detail: Float?
  /// `nil` for the photo's size, or the network's size if the map is not refined.
  var resolution: MapSize?
  /// Whether pixels without a depth are filled from nearby pixels.
  var fill = false

  func check() throws(InvalidRequest) {
    try check("detail", detail, in: JointFilter.details)
    if detail != nil, refine != .joint {
      throw InvalidRequest("`detail` requires `refine` joint, found `refine` \(refine.rawValue)")
    }
    let largest = OutputResolution.requestedSides.upperBound
    if case .size(let height, let width) = resolution?.resolution, max(height, width) > largest {
      throw InvalidRequest(
        "`resolution` is \(width)x\(height), expected sides of 1 to \(largest)")
    }
  }

  var options: DepthOptions {
    DepthOptions(
      refinement: detail.map { RefinementMethod(refine, detail: $0) } ?? RefinementMethod(refine),
      resolution: resolution?.resolution ?? .automatic, fillsMissing: fill)
  }
}

/// The estimation and refinement of a depth map.
struct MapRequest: Request {
  var camera = CameraRequest()
  var refinement = RefinementRequest()
  /// Pixels with a lower confidence have no depth; `nil` keeps all.
  var minConfidence: Float?
  /// A factor of estimated metres, which the user has measured for a camera.
  var calibrationFactor: Double?
  /// The source of metres for relative weights; `nil` for the program's setting.
  var metres: MetresWord?

  func check() throws(InvalidRequest) {
    try camera.check()
    try refinement.check()
    try check("minConfidence", minConfidence, in: DepthOptions.confidences)
    try check("calibrationFactor", calibrationFactor, in: DepthCalibration.factors)
  }

  enum MetresWord: String, Codable, CaseIterable, Sendable {
    /// Maps of relative weights remain relative.
    case none
  }

  /// Names of the given fields that affect the estimate.
  var estimateFields: [String] {
    (minConfidence == nil ? [] : ["minConfidence"])
      + (calibrationFactor == nil ? [] : ["calibrationFactor"])
  }

  var options: DepthOptions {
    var options = refinement.options
    (options.camera, options.calibration) = (camera.setting, calibration)
    options.minConfidence = minConfidence
    if metres == MetresWord.none { options.relativeDepth = .relative }
    return options
  }

  /// The calibration for maps with this refinement; `nil` without a factor.
  var calibration: DepthCalibration? {
    calibrationFactor.map {
      DepthCalibration(scale: 1 / $0, shift: 0, refinement: RefinementMethod(refinement.refine))
    }
  }
}

/// A depth map for `depth predict` and `POST /v1/depth`.
struct DepthRequest: Request {
  var map = MapRequest()
  var compression = PNGCompression.default

  func check() throws(InvalidRequest) { try map.check() }
}

/// A viewable picture of a depth map, near = white.
struct ViewRequest: Request {
  var colorMap = ColorMap.gray
  /// Whether brightness is linear in metres instead of disparity.
  var linear = false

  func picture(of depth: DepthMap) -> Image {
    depth.picture(colorMap, over: linear ? .metres : .disparity)
  }
}

/// The camera that took a photo.
struct CameraRequest: Request {
  var focalLength: FocalLengthWord?
  /// Angle of view along the photo's longer side, degrees.
  var fov: Double?

  func check() throws(InvalidRequest) {
    try checkExclusive(["focalLength": focalLength != nil, "fov": fov != nil])
    try check("fov", fov, in: Camera.fieldsOfView, unit: "degrees")
  }

  var setting: DepthOptions.CameraChoice {
    if let fov { return .focalLength(.fieldOfView(fov)) }
    guard let focalLength else { return .automatic }
    return focalLength.length.map { .focalLength($0) } ?? .uncorrected
  }
}

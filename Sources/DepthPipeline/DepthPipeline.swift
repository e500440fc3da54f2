package import DepthBase
import DepthErrors
package import DepthImages
package import DepthRefinement
package import MonocularDepth
package import PictureFiles
import SystemEssentials

/// The main job: a photo → its finished depth map.
///
/// The command line, the server, the worker, streams and the libraries for C and Python make their maps by it: the
/// camera's rule, the estimate, refinement and calibration are in this order, and here alone. Only evaluations, which
/// measure the stages one by one, call an estimator themselves.
package struct DepthPipeline: Sendable {
  package var estimator: DepthEstimator
  package var settings: MapSettings
  package var camera: CameraSetting
  package var calibration: DepthCalibration?
  /// The largest photo and map, and the memory that a call may take.
  package var limits: ImageLimits

  package init(
    _ estimator: DepthEstimator, settings: MapSettings = MapSettings(),
    camera: CameraSetting = .unsaid, calibration: DepthCalibration? = nil,
    limits: ImageLimits = ImageLimits()
  ) {
    (self.estimator, self.settings, self.camera) = (estimator, settings, camera)
    (self.calibration, self.limits) = (calibration, limits)
  }

  /// The unit of finished maps: metres, but of relative weights without a calibration, which give relative disparity.
  package var unit: DepthMap.Unit { calibration == nil ? estimator.unit : .metres }

  /// What is unusual about the camera that an estimate in metres was made for.
  package func unusualCamera(of estimate: DepthEstimate) -> String? {
    estimate.depth.unit == .metres ? camera.unusualFocalLength(of: estimate.camera) : nil
  }

  /// A finished map, and what it was made of.
  package struct Result: Sendable {
    package let depth: DepthMap
    package let estimate: DepthEstimate
    package let times: Times
  }

  /// How long the stages took.
  package struct Times: Sendable {
    package var resize = Duration.zero
    package var network = Duration.zero
    package var refine = Duration.zero
  }

  package enum Stage: String, Sendable {
    case estimating, refining
  }

  /// Estimates, refines and calibrates.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - name: Its name, for errors.
  ///   - begin: Called when a stage begins.
  /// - Throws: `DepthError` with code `noDepth` for a map without a value; `CancellationError`.
  package func map(
    of photo: Image, named name: String, call: CallContext, begin: (Stage) -> Void = { _ in }
  ) throws -> Result {
    try naming(name) { try calibration?.check(estimator.unit) }
    begin(.estimating)
    var (watch, times) = (Stopwatch(), Times())
    let given = try camera.camera(of: photo, named: name, training: estimator.training)
    let prepared = try naming(name) {
      try estimator.input(photo, camera: given, limits: limits, call: call)
    }
    times.resize = watch.lap()
    let estimate = try naming(name) { try estimator.estimate(of: prepared, call: call) }
    times.network = watch.lap()
    begin(.refining)
    let depth = try finished(
      estimate.depth, errors: estimate.expectedError, guidedBy: photo, camera: estimate.camera,
      named: name, call: call)
    times.refine = watch.lap()
    return Result(depth: depth, estimate: estimate, times: times)
  }

  /// The first half of ``map(of:named:call:begin:)``: the network's own map.
  package func estimate(
    of photo: Image, named name: String, call: CallContext
  ) throws -> DepthEstimate {
    let camera = try camera.camera(of: photo, named: name, training: estimator.training)
    return try naming(name) {
      let prepared = try estimator.input(photo, camera: camera, limits: limits, call: call)
      return try estimator.estimate(of: prepared, call: call)
    }
  }

  /// The second half of ``map(of:named:call:begin:)``: a network's map, refined and then calibrated, as calibrations
  /// are fitted: known points come back exactly. Pixels that are left out help their neighbors until then.
  ///
  /// - Parameters:
  ///   - errors: The expected errors of the map; needed if the settings ask for a confidence.
  ///   - camera: The photo's; `nil` where it is not compared with the calibrated one.
  ///   - mayBeEmpty: Whether a map without a value is allowed, as for one frame of many.
  /// - Throws: `DepthError` for a map without a value, and for a calibration of another camera.
  package func finished(
    _ depth: DepthMap, errors: ErrorMap?, guidedBy photo: Image, camera: PhotoCamera?,
    named name: String, mayBeEmpty: Bool = false, call: CallContext
  ) throws -> DepthMap {
    let refined = try settings.refined(depth, guidedBy: photo, limits: limits, call: call)
    let finished = try confident(
      calibrated(refined, camera: camera, named: name, mayBeEmpty: mayBeEmpty), errors: errors,
      named: name, mayBeEmpty: mayBeEmpty)
    if !mayBeEmpty { try finished.requireValues(of: name) }
    return finished
  }

  /// A map with the calibration applied, if there is one.
  ///
  /// - Parameters:
  ///   - camera: The photo's; `nil` where it is not compared with the calibrated one.
  ///   - mayBeEmpty: Whether a map without a value is allowed, as for one frame of many. A calibration can move all
  ///     depths beyond infinity.
  /// - Throws: `DepthError` for a map without a value, and for a calibration of another camera.
  package func calibrated(
    _ depth: DepthMap, camera: PhotoCamera?, named name: String, mayBeEmpty: Bool = false
  ) throws -> DepthMap {
    guard let calibration else { return depth }
    try camera.map { try calibration.check($0, photo: name) }
    do {
      return try naming(name) { try depth.calibrated(by: calibration) }
    } catch let error as DepthError where mayBeEmpty && error.code == .noDepth {
      return .empty(height: depth.height, width: depth.width)
    }
  }

  /// A map without the pixels that the network is less sure of than the settings ask.
  ///
  /// - Throws: `DepthError` if the weights do not predict errors, or if no pixel is left.
  private func confident(
    _ depth: DepthMap, errors: ErrorMap?, named name: String, mayBeEmpty: Bool
  ) throws -> DepthMap {
    guard let least = settings.minConfidence else { return depth }
    let result = depth.keeping(atLeast: least, of: try estimator.requireErrors(errors))
    guard mayBeEmpty || result.values.contains(where: result.hasValue) else {
      throw DepthError(
        .noDepth, file: name, "no pixel of its depth map has a confidence of \(least) or more")
    }
    return result
  }
}

extension DepthPipeline {
  /// The memory that a photo takes from its decoding to the files that are made of it, before anything is decoded.
  ///
  /// - Parameters:
  ///   - work: What is made of it.
  ///   - isEstimate: Whether the photo's depth is estimated.
  ///   - pixels: Pixels of what is made of it, where these may be more than those of photo and map.
  ///   - size: What errors call the map's size.
  /// - Throws: `DepthError` for a photo whose proportions a network does not take, and for a map above the limits.
  package func memoryNeed(
    _ work: MemoryNeed.Work, of file: PhotoFile, isEstimate: Bool = true, pixels: Int = 0,
    size name: String = "the map"
  ) throws -> MemoryNeed {
    guard isEstimate else { return MemoryNeed(work, of: file, pixels: pixels) }
    return try memoryNeed(
      work, height: file.height, width: file.width, pixels: pixels,
      decodingBytesPerPixel: file.decodingBytesPerPixel, size: name)
  }

  /// The same for a photo of `height × width` pixels.
  package func memoryNeed(
    _ work: MemoryNeed.Work, height: Int, width: Int, pixels: Int = 0,
    decodingBytesPerPixel: Double, size name: String = "the map"
  ) throws -> MemoryNeed {
    try estimator.checkProportions(height: height, width: width)
    let map = estimator.outputSize(height: height, width: width)
    let result = try settings.size(
      photo: (height, width), map: map, limits: limits, named: name)
    return MemoryNeed(
      work, pixels: max(height * width, result.height * result.width, pixels),
      mapPixels: map.height * map.width,
      networkBytes: estimator.networkBytes(height: height, width: width),
      decodingBytesPerPixel: decodingBytesPerPixel)
  }
}

extension DepthEstimator {
  /// The errors to expect of a map.
  ///
  /// - Throws: `DepthError` if the weights do not predict them.
  package func requireErrors(_ errors: ErrorMap?) throws -> ErrorMap {
    guard let errors else {
      throw DepthError(
        .invalidArgument, file: weights.first?.relativePath,
        "the network has no output for its confidence, expected weights with two outputs, such as 'default'"
      )
    }
    return errors
  }
}

extension DepthCalibration {
  /// Reasons to doubt a calibration of an estimator's maps: other weights, or another refinement.
  ///
  /// - Parameter refinement: How the maps are refined before they are corrected.
  /// - Throws: `DepthError` for weights whose maps are of another kind.
  package func doubts(
    for estimator: DepthEstimator, refinement: RefinementMethod.Name
  ) throws -> [String] {
    try check(estimator.unit)
    var doubts: [String] = []
    if self.refinement != refinement {
      doubts.append(
        "the calibration was fitted to maps refined by \(self.refinement.rawValue), and these are refined by "
          + refinement.rawValue)
    }
    if let digest = weightsSHA256, try estimator.weightsSHA256() != digest {
      doubts.append("the calibration was made with other weights")
    }
    return doubts
  }

  /// Fails for a photo of another camera.
  ///
  /// - Throws: `DepthError`.
  fileprivate func check(_ camera: PhotoCamera, photo: String) throws {
    guard let ratio = focalLengthRatio(to: camera.camera), !Self.sameCamera.contains(ratio) else {
      return
    }
    throw DepthError(
      .invalidArgument, file: photo,
      "its focal length is \((ratio * 100).rounded() / 100) times that of the calibrated "
        + "camera, expected the same: calibrate this camera, or give its focal length",
      cause: SettingAtFault.focalLength)
  }

  /// Ratios of focal lengths of one camera: Exif has whole millimetres, and a frame of 16:9 is cut out of one of 4:3.
  private static let sameCamera = 0.9...1.1
}

extension DepthMap {
  /// A map in metres in which no pixel has a value.
  package static func empty(height: Int, width: Int) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: [Float](repeating: 0, count: height * width))
  }

  /// What no photo explains about a network's map: weights of a file may be finite and nonsense.
  package var doubt: String? {
    let known = values.count { hasValue($0) }
    let missing = 1 - Double(known) / Double(max(values.count, 1))
    if missing > 0.5 {
      return "\((missing * 100).rounded()) % of its map has no value; are the weights right?"
    }
    if unit == .relativeDisparity {
      guard let range, Self.isConstant(low: range.low, high: range.high) else { return nil }
      return "its map is the same everywhere; are the weights right?"
    }
    guard let median, !Self.distances.contains(median) else { return nil }
    return "the middle of its map is at \(median) m; are the weights right?"
  }

  /// Metres that the middle of a photo's depths may have.
  private static let distances: ClosedRange<Float> = 0.01...10_000
}

/// Runs work on a photo, whose name its failures get.
func naming<Result>(_ photo: String, _ work: () throws -> Result) throws -> Result {
  do { return try work() } catch let error as DepthError
    where error.code == .noDepth || error.file == nil
  {
    throw error.naming(photo)
  }
}

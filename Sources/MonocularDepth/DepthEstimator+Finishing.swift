package import DepthBase
import DepthErrors
package import DepthImages
import DepthRefinement
import SystemEssentials

/// The steps from a photo to its finished map, shared by the library, the program, C, Python and HTTP.
extension DepthEstimator {
  /// A step of an estimate.
  package enum Step: Sendable {
    case resizing, estimating, refining
  }

  /// Estimates, refines and calibrates.
  ///
  /// - Parameters:
  ///   - photo: An upright photo, for which the caller has checked the memory.
  ///   - name: The photo's name in errors.
  ///   - begin: Called at the start of each step.
  /// - Throws: `DepthError` with code `noDepth` for a map without values; `CancellationError`.
  package func estimate(
    of photo: Image, options: DepthOptions, named name: String?, call: CallContext,
    begin: (Step) -> Void = { _ in }
  ) throws -> DepthEstimate {
    try DepthError.naming(name) { try options.calibration?.check(uncalibratedUnit(options)) }
    let steps = options.changesNothing ? 1 : 2
    var estimate = try networkEstimate(
      of: photo, options: options, named: name, call: call.step(0, of: steps), begin: begin)
    begin(.refining)
    estimate.depth = try finished(
      estimate.networkMap, errors: estimate.expectedError, guidedBy: photo, camera: estimate.camera,
      options: options, named: name, call: call.step(steps - 1, of: steps))
    return estimate
  }

  /// The network's map of a photo, before finishing.
  ///
  /// - Throws: `DepthError` above the limits or for an implausible focal length; `CancellationError`.
  package func networkEstimate(
    of photo: Image, options: DepthOptions, named name: String?, call: CallContext,
    begin: (Step) -> Void = { _ in }
  ) throws -> DepthEstimate {
    try DepthError.naming(name) {
      begin(.resizing)
      let prepared = try input(photo, options: options, call: call)
      begin(.estimating)
      let steps = fits(options) ? 2 : 1
      let estimate = try networkEstimate(of: prepared, call: call.step(0, of: steps))
      return try fitted(
        estimate, of: photo, options: options, call: call.step(steps - 1, of: steps))
    }
  }

  /// Adds a background depth, then refines and calibrates a network's map. Calibrations were fitted to refined maps, so this
  /// order reproduces known points exactly. The filter uses pixels of low confidence, which are removed at the end.
  ///
  /// - Parameters:
  ///   - errors: The expected errors of the map; required if the options set a confidence.
  ///   - camera: The photo's camera; `nil` skips the comparison with the calibrated camera.
  ///   - mayBeEmpty: Whether a map without values is allowed, as for one of many frames.
  /// - Throws: `DepthError` for a map without values, and for a calibration of another camera.
  package func finished(
    _ depth: DepthMap, errors: ErrorMap?, guidedBy photo: Image, camera: PhotoCamera?,
    options: DepthOptions, named name: String?, mayBeEmpty: Bool = false, call: CallContext
  ) throws -> DepthMap {
    let refined = try options.refined(
      withBackground(depth, options), guidedBy: photo, call: call)
    var finished = try options.calibrated(
      refined, camera: camera, named: name, mayBeEmpty: mayBeEmpty)
    if let least = options.minConfidence {
      finished = finished.keeping(atLeast: least, of: try requireErrors(errors))
      guard mayBeEmpty || finished.values.contains(where: finished.hasValue) else {
        throw DepthError(
          .noDepth, file: name, "no pixel of its depth map has a confidence of \(least) or more")
      }
    }
    if !mayBeEmpty { try finished.requireValues(of: name) }
    return finished
  }

  /// The unit of finished maps. It is metres, or relative disparity for relative weights without a yardstick and a calibration.
  package func unit(_ options: DepthOptions) -> DepthMap.Unit {
    options.calibration == nil ? uncalibratedUnit(options) : .metres
  }

  /// Throws if the weights do not predict errors, before a network runs.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package func requireErrors() throws {
    guard networks.contains(where: \.predictsErrors) else { throw withoutErrors }
  }

  /// The expected errors of a map.
  ///
  /// - Throws: `DepthError` if the weights do not predict errors.
  package func requireErrors(_ errors: ErrorMap?) throws -> ErrorMap {
    guard let errors else { throw withoutErrors }
    return errors
  }

  private var withoutErrors: DepthError {
    DepthError(
      // Omits the folder, which a server should not reveal to clients.
      .invalidArgument, file: weights.first?.lastPathComponent,
      "the network has no output for its confidence, expected weights with two outputs, such as 'default'"
    )
  }

  /// The memory that a photo requires from its decoding to its output files, computed before decoding.
  ///
  /// - Parameters:
  ///   - work: The output files.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - pixels: Pixels of the output, if it may be larger than photo and map.
  ///   - name: The name of the map's size in errors.
  /// - Throws: `DepthError` for a photo with unsupported proportions, and for a map above the limits.
  package func memoryNeed(
    _ work: MemoryNeed.Work, height: Int, width: Int, options: DepthOptions, pixels: Int = 0,
    decodingBytesPerPixel: Double, size name: String = "the map"
  ) throws -> MemoryNeed {
    try checkProportions(height: height, width: width)
    let map = mapSize(height: height, width: width, options: options)
    let result = try options.size(photo: (height, width), map: map, named: name)
    return MemoryNeed(
      work, pixels: max(height * width, result.height * result.width, pixels),
      mapPixels: map.height * map.width,
      networkBytes: networkBytes(height: height, width: width),
      decodingBytesPerPixel: decodingBytesPerPixel)
  }
}

extension DepthOptions {
  /// A map after its optional calibration.
  ///
  /// - Parameters:
  ///   - camera: The photo's camera; `nil` skips the comparison with the calibrated camera.
  ///   - mayBeEmpty: Whether a map without values is allowed, as for one of many frames. A calibration can move all depths
  ///     beyond infinity.
  /// - Throws: `DepthError` for a map without values, and for a calibration of another camera.
  package func calibrated(
    _ depth: DepthMap, camera: PhotoCamera?, named name: String?, mayBeEmpty: Bool = false
  ) throws -> DepthMap {
    guard let calibration else { return depth }
    try camera.map { try calibration.check($0, photo: name) }
    do {
      return try DepthError.naming(name) { try depth.calibrated(by: calibration) }
    } catch let error as DepthError where mayBeEmpty && error.code == .noDepth {
      return .empty(height: depth.height, width: depth.width)
    }
  }
}

extension DepthCalibration {
  /// Warnings about a calibration that was made with other weights or with another refinement of the maps.
  ///
  /// - Parameter refinement: The refinement of the maps before the calibration.
  /// - Throws: `DepthError` for relative maps with a metric calibration, or the reverse.
  package func doubts(
    for estimator: DepthEstimator, refinement: RefinementMethod
  ) throws -> [String] {
    try check(estimator.unit)
    var doubts: [String] = []
    if self.refinement != refinement.name {
      doubts.append(
        "the calibration was fitted to maps refined by \(self.refinement.rawValue), and these are refined by "
          + refinement.name.rawValue)
    }
    if let digest = weightsIdentifier, try estimator.weightsIdentifier() != digest {
      doubts.append("the calibration was made with other weights")
    }
    return doubts
  }

  /// Rejects a photo by another camera than the calibrated camera.
  ///
  /// - Throws: `DepthError`.
  fileprivate func check(_ camera: PhotoCamera, photo: String?) throws {
    guard let ratio = focalLengthRatio(to: camera.camera), !Self.sameCamera.contains(ratio) else {
      return
    }
    throw DepthError(
      .invalidArgument, file: photo,
      (camera.source == .assumed
        ? "has no focal length, and the one that is assumed" : "its focal length")
        + " is \(ratio.rounded(toDigits: 2)) times that of the calibrated "
        + "camera, expected the same: calibrate this camera, or give its focal length",
      cause: SettingAtFault.focalLength)
  }

  /// Ratios of focal lengths that one camera may have. Exif rounds to whole millimetres, and a 16:9 frame is cropped from a 4:3
  /// frame.
  private static let sameCamera = 0.9...1.1
}

extension DepthMap {
  /// A warning about an implausible map of a network, such as from weights with finite but meaningless numbers.
  package var doubt: String? {
    let known = values.count { hasValue($0) }
    let missing = 1 - Double(known) / Double(max(values.count, 1))
    if missing > 0.5 {
      return "\((missing * 100).rounded()) % of its map has no value; are the weights right?"
    }
    if unit == .relativeDisparity {
      guard let range = range(), Self.isConstant(low: range.low, high: range.high) else {
        return nil
      }
      return "its map is the same everywhere; are the weights right?"
    }
    guard let median = median(), !Self.distances.contains(median) else { return nil }
    return "the middle of its map is at \(median) m; are the weights right?"
  }

  /// Accepted medians of a photo's depths in metres.
  private static let distances: ClosedRange<Float> = 0.01...10_000
}

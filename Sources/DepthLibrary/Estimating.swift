public import CDepthLibrary
import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth_estimate`.
@_cdecl("depth_estimate")
public func estimate(
  _ estimator: OpaquePointer?, _ photo: UnsafePointer<depth_picture>?,
  _ options: UnsafePointer<depth_refine_options>?, _ map: UnsafeMutablePointer<depth_map>?,
  _ facts: UnsafeMutablePointer<depth_estimate_facts>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let estimator = try unsafe EstimatorHandle.estimator(estimator)
    let given = try unsafe CallerRefinement(options)
    let photo = try unsafe CallerPicture(photo)
    var options = given.options(for: photo)
    options.calibration = try given.calibration(for: estimator)
    let network = estimator.outputSize(height: photo.height, width: photo.width)
    let size = try given.size(of: network, photo: photo)
    // All targets are checked before anything is written, so a failed call changes no result.
    let target = try unsafe CallerMap.Target(
      map, size: size, unit: CallerMap.number(of: estimator.unit(options)))
    let asked = try unsafe read(facts, defaults: depth_estimate_facts(), "depth_estimate_facts")
    let errors = try unsafe asked.expected_error.map {
      try unsafe CallerMap.Target($0, size: size, unit: Int32(DEPTH_RELATIVE_ERROR))
    }
    if errors != nil { try estimator.requireErrors() }
    guard target.wantsValues else {
      try errors?.write(nil)
      return try target.write(nil)
    }
    // The network's memory was reserved when the weights were loaded.
    var need = try estimator.memoryNeed(
      .map, height: photo.height, width: photo.width, options: options,
      decodingBytesPerPixel: photo.decodingBytesPerPixel)
    need.bytes -= estimator.networkBytes
    let image = try photo.image(for: need)
    let made = try ThreadShare.run(of: estimator.threads) {
      try estimator.estimate(
        of: image, options: options, named: "the picture", call: CallContext(threads: $0))
    }
    if let errors {
      let known = try estimator.requireErrors(made.expectedError)
        .resized(height: size.height, width: size.width)
      // The unit has no meaning for errors.
      try errors.write(
        DepthMap(
          height: size.height, width: size.width, unit: .relativeDisparity, values: known.values))
    }
    try target.write(made.depth)
    if let facts = unsafe facts {
      unsafe write(known(asked, made, isCalibrated: options.calibration != nil), to: facts)
    }
  }
}

/// The caller's structure, filled with the facts of an estimate.
private func known(
  _ given: depth_estimate_facts, _ estimate: DepthEstimate, isCalibrated: Bool
) -> depth_estimate_facts {
  var facts = unsafe given
  unsafe facts.focal_length_source =
    switch estimate.camera.source {
    case .exif: 0
    case .given: 1
    case .assumed: 2
    case .estimated: 3
    }
  unsafe facts.focal_length = estimate.camera.camera.focalLength
  unsafe facts.spread = estimate.spread ?? .nan
  // The expected error applies only to depth without a calibration.
  unsafe facts.uncertainty = isCalibrated ? .nan : estimate.uncertainty ?? .nan
  let isMetric = estimate.networkMap.unit == .metres
  unsafe facts.depth_factor = isMetric ? Double(estimate.camera.depthFactor) : .nan
  unsafe facts.focal_exponent = isMetric ? estimate.camera.focalExponent : .nan
  return unsafe facts
}

extension CallerRefinement {
  /// The calibration specified in the options.
  ///
  /// - Throws: `DepthError` if the file is not a calibration, or was fitted with other weights or another refinement.
  fileprivate func calibration(for estimator: DepthEstimator) throws -> DepthCalibration? {
    guard let path = calibration else { return nil }
    let calibration = try DepthCalibration(contentsOf: URL(filePath: path))
    if let doubt = try calibration.doubts(for: estimator, refinement: options.refinement).first {
      throw DepthError(.invalidArgument, file: path, doubt)
    }
    return calibration
  }
}

/// `depth_write`.
@_cdecl("depth_write")
public func writeMap(
  _ depth: UnsafePointer<depth_map>?, _ path: UnsafePointer<CChar>?, _ overwrite: Int32,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let file = try unsafe DepthLibrary.path(
      required(path, "the path", "a text"), "the path of the file")
    try unsafe CallerMap.map(depth, limits: ImageLimits()).write(
      to: URL(filePath: file),
      metadata: DepthFileMetadata(software: "swift-depth \(PackageVersion.number)"),
      overwrite: flag(overwrite, "overwrite"))
  }
}

/// `depth_refine`.
@_cdecl("depth_refine")
public func refine(
  _ photo: UnsafePointer<depth_picture>?, _ depth: UnsafePointer<depth_map>?,
  _ options: UnsafePointer<depth_refine_options>?, _ map: UnsafeMutablePointer<depth_map>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let options = try unsafe CallerRefinement(options)
    let threads = try ThreadCount.checked(options.threads)
    let photo = try unsafe CallerPicture(photo)
    let depth = try unsafe CallerMap.map(depth, limits: photo.limits)
    let size = try options.size(of: (depth.height, depth.width), photo: photo)
    let target = try unsafe CallerMap.Target(
      map, size: size, unit: CallerMap.number(of: depth.unit))
    guard target.wantsValues else { return try target.write(nil) }
    let image = try photo.image(
      for: MemoryNeed(
        .map, pixels: max(photo.height * photo.width, size.height * size.width),
        mapPixels: depth.height * depth.width,
        decodingBytesPerPixel: photo.decodingBytesPerPixel))
    try depth.checkAspect(of: image)
    let refined = try ThreadShare.run(of: threads) {
      try options.options(for: photo).refined(
        depth, guidedBy: image, call: CallContext(threads: $0))
    }
    try target.write(refined)
  }
}

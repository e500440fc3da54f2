public import CDepthLibrary
import DepthBase
import DepthImages
import DepthPipeline
import MonocularDepth

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
    let options = try unsafe CallerRefinement(options)
    let photo = try unsafe CallerPicture(photo)
    // Before anything is written: a failed call changes no result.
    if let facts = unsafe facts {
      _ = try unsafe read(facts, defaults: depth_estimate_facts(), "depth_estimate_facts")
    }
    let network = estimator.outputSize(height: photo.height, width: photo.width)
    var known: DepthEstimate?
    try unsafe CallerMap.fill(
      map, size: options.size(of: network, photo: photo), unit: estimator.unit
    ) {
      let pipeline = DepthPipeline(
        estimator, settings: options.settings, camera: options.camera, limits: photo.limits)
      // The network's memory was asked for when the weights were loaded, and is kept.
      var need = try pipeline.memoryNeed(
        .map, height: photo.height, width: photo.width,
        decodingBytesPerPixel: photo.decodingBytesPerPixel)
      need.bytes -= estimator.networkBytes
      let image = try photo.image(for: need)
      let made = try ThreadShare.run(of: estimator.threads) {
        try pipeline.map(of: image, named: "the picture", call: CallContext(threads: $0))
      }
      known = made.estimate
      return made.depth
    }
    guard let known, let target = unsafe facts else { return }
    unsafe write(try read(target, known, options.camera), to: target)
  }
}

/// The facts of an estimate in a caller's structure.
private func read(
  _ target: UnsafeMutablePointer<depth_estimate_facts>, _ estimate: DepthEstimate,
  _ setting: CameraSetting
) throws -> depth_estimate_facts {
  var facts = try unsafe read(
    target, defaults: depth_estimate_facts(), "depth_estimate_facts")
  facts.focal_length_source =
    switch setting.source(of: estimate.camera) {
    case .exif: 0
    case .given: 1
    case .assumed: 2
    }
  facts.focal_length = estimate.camera.camera.focalLength
  facts.spread = estimate.spread ?? .nan
  facts.uncertainty = estimate.uncertainty ?? .nan
  let isMetric = estimate.depth.unit == .metres
  facts.depth_factor = isMetric ? Double(estimate.camera.depthFactor) : .nan
  facts.focal_exponent = isMetric ? estimate.camera.focalExponent : .nan
  return facts
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
    try unsafe CallerMap.fill(map, size: size, unit: depth.unit) {
      let image = try photo.image(
        for: MemoryNeed(
          .map, pixels: max(photo.height * photo.width, size.height * size.width),
          mapPixels: depth.height * depth.width,
          decodingBytesPerPixel: photo.decodingBytesPerPixel))
      try depth.checkAspect(of: image)
      return try ThreadShare.run(of: threads) {
        try options.settings.refined(
          depth, guidedBy: image, limits: photo.limits, call: CallContext(threads: $0))
      }
    }
  }
}

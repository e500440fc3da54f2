// One photo becomes a stereo pair, as a service would make it: nothing blocks, and everything is bounded.
//   StereoPipeline PHOTO OUTPUT
import DepthEstimation
import Foundation
import Synchronization

/// What a client of a service may ask for.
struct Request {
  var refinement = RefinementMethod.joint(JointFilter(detail: 0.4))
  var resolution = OutputResolution.photo
  var stereo: StereoOptions = {
    var options = StereoOptions()
    options.amount = .shift(0.015)
    options.convergence = nil  // the depth of the photo's middle
    options.frameEdges = .crop
    return options
  }()
  var limits = ImageLimits(maximumPixels: 20_000_000, maximumBytes: 1_000_000_000)
}

/// The largest share that was reported, by several threads in no order.
final class Progress: Sendable {
  private let share = Mutex(0.0)
  func report(_ value: Double) { share.withLock { $0 = max($0, value) } }
  var largest: Double { share.withLock { $0 } }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: StereoPipeline PHOTO OUTPUT")
  exit(64)
}

do {
  let request = Request()
  let url = URL(filePath: arguments[1])
  let progress = Progress()

  let estimator = try await DepthEstimator(progress: progress.report)
  let photo = try await withoutBlocking { try Image(contentsOf: url, limits: request.limits) }
  let estimate = try await estimator.estimate(
    of: photo, limits: request.limits, progress: progress.report)
  let depth = try await estimate.depth.refined(
    guidedBy: photo, method: request.refinement, resolution: request.resolution,
    limits: request.limits, progress: progress.report)
  let pair = try await photo.stereoPair(
    depth: depth, options: request.stereo, limits: request.limits, progress: progress.report)
  try await withoutBlocking {
    try pair.anaglyph(.redCyan).write(to: URL(filePath: arguments[2]))
  }
  guard progress.largest == 1 else {
    throw DepthError(.invalidArgument, "progress never reached 1")
  }
  print(
    "\(photo.width)×\(photo.height), depth \(depth.width)×\(depth.height), "
      + "views \(pair.width)×\(pair.height), camera \(estimate.camera.source)")
} catch {
  print(error.localizedDescription)
  exit(1)
}

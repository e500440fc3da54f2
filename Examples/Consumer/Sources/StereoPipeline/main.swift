// One photo becomes a stereo pair, as a service would make it: nothing blocks, and everything is bounded.
//   StereoPipeline PHOTO OUTPUT
import DepthEstimation
import Foundation
import Synchronization

/// A client's request to a service.
struct Request {
  var depth = DepthOptions(
    refinement: .joint(JointFilter(detail: 0.4)),
    limits: ImageLimits(maximumPixels: 20_000_000, maximumBytes: 1_000_000_000))
  var stereo: StereoOptions = {
    var options = StereoOptions()
    options.amount = .shift(0.015)
    options.convergence = nil  // the depth of the photo's middle
    options.frameEdges = .crop
    return options
  }()
}

/// The largest share that was reported, by several threads in no order.
final class Progress: Sendable {
  private let share = Mutex(0.0)
  func report(_ value: Double) { share.withLock { $0 = max($0, value) } }
  var largest: Double { share.withLock { $0 } }
}

/// The whole of it, in an `async` function: there, Swift chooses the calls that do not block.
func run(_ request: Request, _ input: URL, _ output: URL) async throws {
  let (progress, limits) = (Progress(), request.depth.limits)
  let estimator = try await DepthEstimator.load(progress: progress.report)
  let photo = try await estimator.withoutBlocking { try Image(contentsOf: input, limits: limits) }
  let estimate = try await estimator.estimate(
    of: photo, options: request.depth, progress: progress.report)
  let pair = try await photo.stereoPair(
    depth: estimate.depth, options: request.stereo, limits: limits, progress: progress.report)
  try await estimator.withoutBlocking { try pair.anaglyph(.redCyan).write(to: output) }
  precondition(progress.largest == 1, "progress never reached 1")
  print(
    "\(photo.width)×\(photo.height), depth \(estimate.depth.width)×\(estimate.depth.height), "
      + "views \(pair.width)×\(pair.height), camera \(estimate.camera.source)")
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: StereoPipeline PHOTO OUTPUT")
  exit(64)
}
do {
  try await run(Request(), URL(filePath: arguments[1]), URL(filePath: arguments[2]))
} catch {
  print(error.localizedDescription)
  exit(1)
}

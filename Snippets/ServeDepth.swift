import DepthEstimation
import Foundation

func stereoPair(_ url: URL) async throws -> StereoPair {
  let limits = ImageLimits(maximumPixels: 20_000_000, maximumBytes: 500_000_000)

  let estimator = try await DepthEstimator.load()
  let photo = try await estimator.withoutBlocking { try Image(contentsOf: url, limits: limits) }
  let options = DepthOptions(limits: limits)
  let depth = try await estimator.depth(of: photo, options: options) { share in
    print("\(Int(share * 100)) %")
  }
  let pair = try await photo.stereoPair(depth: depth, limits: limits)

  return pair
}

func answer(to body: Data, by estimator: DepthEstimator) throws -> [UInt8] {
  let upload = try Image(decoding: body)  // a photo file
  let answer = try estimator.depth(of: upload).encoded(as: .png)

  return answer
}

func nearest(_ bytes: [UInt8], weights: Data) throws -> Float {
  let frame = try Image(
    height: 480, width: 640, pixels: bytes, format: .nv12(.bt601Limited), bytesPerRow: 704)

  let robot = try DepthEstimator(.data(weights))
  let depth = try robot.depth(of: frame, options: .unrefined)
  var buffer = [Float](repeating: 0, count: depth.values.count)
  var span = buffer.mutableSpan
  try depth.copyValues(into: &span)

  return buffer.min() ?? 0
}

func watch(
  _ estimator: DepthEstimator, startCamera: (@escaping @Sendable (Image) -> Void) -> Void
) async throws {
  let (frames, camera) = AsyncStream.makeStream(
    of: Image.self, bufferingPolicy: .bufferingNewest(1))
  startCamera { camera.yield($0) }
  for await frame in frames {
    let depth = try await estimator.depth(of: frame, options: .unrefined)
    print(depth.range() ?? (0, 0))
  }
}

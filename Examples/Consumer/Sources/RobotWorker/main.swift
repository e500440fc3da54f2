// A robot's worker: raw frames of its camera in, depth out.
//   RobotWorker WEIGHTS
import DepthEstimation
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// What differs from what was expected ends the program.
func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
  guard !condition else { return }
  print("unexpected: \(what())")
  exit(1)
}

let (width, height) = (640, 480)

/// The bytes of an NV12 frame as a driver gives it, 32 bytes of padding per row.
func nv12(_ index: Int) -> (bytes: [UInt8], bytesPerRow: Int) {
  let bytesPerRow = width + 32
  let bytes = (0..<bytesPerRow * height * 3 / 2).map { place in
    UInt8(truncatingIfNeeded: place / 7 + place / bytesPerRow + index)
  }
  return (bytes, bytesPerRow)
}

guard CommandLine.arguments.count == 2 else {
  print("usage: RobotWorker WEIGHTS")
  exit(64)
}

do {
  // Weights from wherever the robot keeps them; a network without the mirrored photo is twice as fast.
  let weights = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
  let estimator = try DepthEstimator(.data(weights))
  let identifier = try estimator.weightsIdentifier()

  // The robot's own camera, calibrated once.
  let camera = Camera(width: 640, height: 480, focalLength: 525)
  let options = DepthOptions(camera: .given(camera), refinement: .none)

  // Layouts: converted bytes are the same picture, and RGB without padding is not copied.
  let frame = nv12(0)
  let picture = try Image(
    height: height, width: width, pixels: frame.bytes, format: .nv12(.bt709Limited),
    bytesPerRow: frame.bytesPerRow)
  var bgra: [UInt8] = []
  for pixel in stride(from: 0, to: picture.pixels.count, by: 3) {
    bgra += picture.pixels[pixel..<pixel + 3].reversed()
    bgra.append(255)
  }
  expect(
    try Image(height: height, width: width, pixels: bgra.span, format: .bgra) == picture, "BGRA")
  expect(
    try Image(height: height, width: width, pixels: Data(bgra), format: .bgra) == picture, "Data")
  let kept = try Image(height: height, width: width, pixels: picture.pixels, format: .rgb)
  expect(
    kept.pixels.withUnsafeBufferPointer(\.baseAddress)
      == picture.pixels.withUnsafeBufferPointer(\.baseAddress), "RGB was copied")

  // The network's map, blocking, on this thread.
  func estimate() throws -> [Float] { try estimator.depth(of: picture, options: options).values }
  let first = try estimate()
  expect(first.allSatisfy { $0 > 0 }, "no depth")

  // A child of `fork` goes on with the loaded weights, before this process has used Swift's own threads.
  typealias Fork = @convention(c) () -> pid_t
  if let symbol = dlsym(nil, "fork") {
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      alarm(60)
      _exit((try? estimate()) == first ? 0 : 1)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    expect(child > 0 && status == 0, "the child of fork ended with \(status)")
    expect(try estimate() == first, "another map after fork")
  }

  // A camera that does not wait: the newest frame is kept, older ones are dropped.
  let (frames, output) = AsyncStream.makeStream(
    of: Image.self, bufferingPolicy: .bufferingNewest(8))
  for index in 0..<8 {
    let frame = nv12(index)
    output.yield(
      try frame.bytes.withUnsafeBytes { bytes in
        try Image(
          height: height, width: width, luma: bytes, lumaBytesPerRow: frame.bytesPerRow,
          chroma: .init(rebasing: bytes[(height * frame.bytesPerRow)...]),
          chromaBytesPerRow: frame.bytesPerRow, encoding: .bt709Limited)
      })
  }
  output.finish()
  var count = 0
  for await frame in frames {
    let depth = try await estimator.depth(of: frame, options: options)
    if count == 0 { expect(depth.values == first, "another map in a stream") }
    count += 1
  }
  expect(count == 8, "\(count) maps of 8 frames")
  print("\(count) frames, weights \(identifier.prefix(8)), nearest \(first.min() ?? 0) m")
} catch {
  print(error.localizedDescription)
  exit(1)
}

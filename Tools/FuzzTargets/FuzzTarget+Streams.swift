import DepthImages
import FrameStreams
import Synchronization

/// What comes through pipes.
extension FuzzTarget {
  func readFrames(_ bytes: [UInt8], options: FrameReader.Options) throws {
    var options = options
    options.limits = Self.limits
    let rest = Mutex(bytes[...])
    var reader = try unsafe FrameReader(
      ByteSource(name: "fuzz") { buffer in
        rest.withLock { rest in
          let count = min(buffer.count, rest.count)
          unsafe buffer.copyBytes(from: rest.prefix(count))
          rest = rest.dropFirst(count)
          return count
        }
      }, options: options)
    try require(reader.rate?.value ?? 1 > 0, "the rate")
    _ = reader.pixelAspect.reduced
    for _ in 0..<4 {
      guard let frame = try reader.next() else { return }
      let image = try frame.image()
      try require(image.pixels.count == image.height * image.width * 3, "pixels")
    }
  }

  /// The first two bytes are the format and the size.
  func readRawFrames(_ bytes: [UInt8]) throws {
    guard bytes.count > 2 else { throw Refused() }
    var options = FrameReader.Options()
    options.format = bytes[0] & 1 == 0 ? .rgb24 : .bgra
    options.size = PixelSize(width: Int(bytes[1] >> 4), height: Int(bytes[1] & 15))
    try readFrames(Array(bytes.dropFirst(2)), options: options)
  }
}

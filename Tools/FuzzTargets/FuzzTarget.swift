import DepthErrors
import DepthImages
import DepthPhotos
import FrameStreams
import JSONLines
import NetworkWeights
import PictureFiles
import Synchronization

/// A parser of bytes from anywhere: it gives a value or throws, whatever the bytes are.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// JPEG with its Exif block and all else that a photo's header has.
  case jpeg
  case png
  /// PNG of depth, PFM and NumPy.
  case depthFile = "depth-file"
  /// GDepth and Dynamic Depth: segments, XMP, XML, base64, containers behind the picture.
  case depthPhoto = "depth-photo"
  /// YUV4MPEG2, PPM, PGM and Motion JPEG.
  case frames
  /// HDF5 as a child process describes it, and the weights in it.
  case weights
  /// Requests of `depth worker`.
  case requestLine = "request-line"

  /// Small pictures only: time goes into parsing, not into pixels.
  private static let limits = ImageLimits(maximumPixels: 1 << 16, maximumBytes: 1 << 26)

  /// Parses bytes.
  ///
  /// - Returns: Whether they made a value.
  @discardableResult
  public func run(_ bytes: [UInt8]) -> Bool {
    do {
      switch self {
      case .jpeg, .png:
        _ = FileNote.adding("note", to: bytes)
        let file = try PhotoFile(decoding: bytes, name: "fuzz", limits: Self.limits)
        let image = try file.image()
        try require(image.pixels.count == image.height * image.width * 3)
        try require((image.height, image.width) == file.uprightSize)
        _ = try image.encoded(as: .jpeg())
      case .depthFile:
        let map = try DepthMap(decoding: bytes, name: "fuzz", limits: Self.limits)
        try require(map.values.count == map.height * map.width)
        _ = try DepthFileMetadata(decoding: bytes, name: "fuzz")
      case .depthPhoto:
        let map = try DepthPhoto.depth(decoding: bytes, name: "fuzz")
        try require(map.values.count == map.height * map.width)
      case .frames: try readFrames(bytes)
      case .weights:
        let archive = try HDF5WeightArchive(bytes: bytes.span, name: "fuzz")
        for name in archive.attributeNames { _ = archive.attributeDescription(name) }
        try archive.verifyDigest()
      case .requestLine:
        for member in try JSONObjectLine(bytes).members {
          // What is repeated in an answer is JSON by itself.
          _ = try JSONObjectLine(Array("{\"id\":\(member.text)}".utf8))
        }
      }
      return true
    } catch is Broken {
      preconditionFailure("a value of the target \(rawValue) contradicts itself")
    } catch {
      _ = "\(error)"
      return false
    }
  }

  private func readFrames(_ bytes: [UInt8]) throws {
    var options = FrameReader.Options()
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
    for _ in 0..<4 {
      guard let frame = try reader.next() else { return }
      let image = try frame.image()
      try require(image.pixels.count == image.height * image.width * 3)
    }
  }

  private struct Broken: Error {}

  private func require(_ holds: Bool) throws { if !holds { throw Broken() } }
}

package import DepthBase
import DepthErrors
public import DepthImages
import PictureFiles

/// A loop of pictures of one size.
///
/// ```swift
/// let wiggle = try PictureAnimation(frames: [pair.left, pair.right], delay: 0.2)
/// try Data(wiggle.animatedPNG()).write(to: url)
/// ```
public struct PictureAnimation: Sendable, Hashable {
  /// The pictures in display order, all of one size.
  public let frames: [Image]
  /// Display time of each frame, in seconds.
  public let delay: Double

  /// Creates an animation of frames with equal display times.
  ///
  /// - Throws: `DepthError` if there are no frames, if frames differ in size, or if `delay` is outside 0.01…10
  ///   seconds.
  public init(frames: [Image], delay: Double = 0.12) throws {
    try frames.count.checked(in: 1...65_535, "the number of frames", "1 to 65535")
    if let other = frames.first(where: {
      ($0.width, $0.height) != (frames[0].width, frames[0].height)
    }) {
      throw DepthError.invalidArgument(
        name: "a frame's size", found: "\(other.width)×\(other.height)",
        expected: "\(frames[0].width)×\(frames[0].height) as the first has")
    }
    try delay.checked(in: 0.01...10, "the time a frame stays", "0.01 to 10 seconds")
    (self.frames, self.delay) = (frames, delay)
  }

  /// Rows of each frame.
  package var height: Int { frames[0].height }
  /// Columns of each frame.
  package var width: Int { frames[0].width }

  /// An animated PNG, which keeps the frames' colors exactly. Browsers play the animation; some other viewers show
  /// only the first frame.
  ///
  /// - Throws: `DepthError` if a frame is too large.
  ///
  /// > Source: W3C PNG (Third Edition), sections 11.3.6.1 (`acTL`), 11.3.6.2 (`fcTL`), 11.3.6.3
  /// > (`fdAT`).
  public func animatedPNG() throws -> [UInt8] {
    try animatedPNG(call: CallContext(threads: ThreadCount.checked(nil)))
  }

  /// - Parameter call: Cancellation is checked between strips of a frame.
  package func animatedPNG(call: CallContext) throws -> [UInt8] {
    var file = PNGChunks.signature
    var sequence: UInt32 = 0
    for (index, frame) in frames.enumerated() {
      // A frame's pixels may occupy several chunks. The frame's control chunk precedes the first of these chunks.
      var hasControl = false
      // Only the first frame contributes chunks other than pixels.
      for (type, data) in try PNGParts.chunks(of: frame.encoded(as: .png, call: call)) {
        switch type {
        case "IHDR" where index == 0:
          file += PNGChunks.chunk("IHDR", data)
          // The animation loops forever.
          let control = [UInt8](bigEndian: UInt32(frames.count)) + [0, 0, 0, 0]
          file += PNGChunks.chunk("acTL", control)
        case "IDAT":
          if !hasControl { file += frameControl(&sequence) }
          hasControl = true
          if index == 0 {
            file += PNGChunks.chunk(type, data)
          } else {
            file += PNGChunks.chunk("fdAT", [UInt8](bigEndian: sequence) + data)
            sequence += 1
          }
        case _ where index == 0 && ["tEXt", "eXIf", "iCCP", "sRGB"].contains(type):
          file += PNGChunks.chunk(type, data)
        default: break
        }
      }
    }
    return file + PNGChunks.chunk("IEND", [])
  }

  private func frameControl(_ sequence: inout UInt32) -> [UInt8] {
    var data: [UInt8] = []
    data.append(bigEndian: sequence)
    data.append(bigEndian: UInt32(width))
    data.append(bigEndian: UInt32(height))
    data.append(bigEndian: UInt32(0))  // x and y of the frame
    data.append(bigEndian: UInt32(0))
    data.append(bigEndian: UInt16((delay * 1000).rounded()))
    data.append(bigEndian: UInt16(1000))
    data += [0, 0]  // leave the frame in place, overwrite the previous one
    sequence += 1
    return PNGChunks.chunk("fcTL", data)
  }
}

package import DepthImages
import PictureFiles

/// A frame as it came from the stream, not yet decoded: decoding is the work of another thread.
package struct EncodedFrame: Sendable {
  enum Content: Sendable {
    case planes(PlanarLayout, PixelSize, [UInt8])
    case raw(PixelSize, [UInt8], PixelFormat)
    case pnm(PNMHeader, [UInt8])
    case jpeg([UInt8])
  }

  /// Number of the frame in the stream, from 0.
  package let index: Int
  /// When its last byte was read.
  package let arrival: ContinuousClock.Instant
  /// What errors call it.
  package let name: String
  let content: Content
  let limits: ImageLimits
  /// Whether pixels between two samples of chroma get some of both, as pictures need and depth does not.
  var interpolatesChroma = false

  /// Whether a frame that does not decode is only itself damaged, since the next one begins with a marker.
  package var mayBeSkipped: Bool { if case .jpeg = content { true } else { false } }

  /// Decodes the frame.
  ///
  /// - Throws: `DepthError` with code `damaged` for a JPEG that does not decode.
  package func image() throws -> Image {
    switch content {
    case .planes(let layout, let size, let planes):
      layout.image(planes, size: size, interpolatesChroma: interpolatesChroma)
    case .raw(let size, let bytes, let format):
      try Image(height: size.height, width: size.width, pixels: bytes, format: format)
    case .pnm(let header, let samples): header.image(samples)
    case .jpeg(let bytes): try Image(decoding: bytes, name: name, limits: limits)
    }
  }
}

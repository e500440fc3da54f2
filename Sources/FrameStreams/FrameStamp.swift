package import DepthImages
import PictureFiles

/// The number, time and size of a depth frame, as the header of a raw frame or as a JSON line.
package struct FrameStamp: Encodable, Sendable {
  /// Number of the frame in the input, from 0. Dropped frames are counted.
  let frame: Int
  /// Seconds since the start of the stream, rounded to microseconds.
  let time: Double
  let width, height: Int

  package init(frame: Int, time: Double, size: PixelSize) {
    (self.frame, self.time) = (frame, (time * 1e6).rounded() / 1e6)
    (width, height) = (size.width, size.height)
  }

  /// The little-endian header:
  ///
  /// | bytes | content |
  /// |---|---|
  /// | 0–3 | the letters `DPTH` |
  /// | 4–7 | length of the header in bytes, 32 |
  /// | 8–15 | number of the frame in the input, from 0 |
  /// | 16–23 | time in microseconds |
  /// | 24–27 | width of the frame |
  /// | 28–31 | height of the frame |
  package var header: [UInt8] {
    var bytes = Array("DPTH".utf8)
    bytes.append(littleEndian: UInt32(32))
    bytes.append(littleEndian: UInt64(frame))
    bytes.append(littleEndian: Int64((time * 1e6).rounded()))
    bytes.append(littleEndian: UInt32(width))
    bytes.append(littleEndian: UInt32(height))
    return bytes
  }
}

package import DepthImages

/// The number, time and size of a frame of depth: the header of a raw frame, and a line of JSON.
package struct FrameStamp: Encodable, Sendable {
  /// Number of the frame in the input, from 0; dropped frames count.
  let frame: Int
  /// Seconds.
  let time: Double
  let width, height: Int

  package init(frame: Int, time: Double, size: PixelSize) {
    (self.frame, self.time) = (frame, (time * 1e6).rounded() / 1e6)
    (width, height) = (size.width, size.height)
  }

  /// The header, little-endian:
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
    let length = UInt32(32)
    return Array("DPTH".utf8) + bytes(length) + bytes(UInt64(frame))
      + bytes(Int64((time * 1e6).rounded())) + bytes(UInt32(width)) + bytes(UInt32(height))
  }

  private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
  }
}

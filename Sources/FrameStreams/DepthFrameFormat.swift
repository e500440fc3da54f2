/// The output format of depth frames.
package enum DepthFrameFormat: String, Codable, Sendable, CaseIterable {
  /// YUV4MPEG2 pictures of disparity with 8 or 16 bits, where near is white.
  case gray8, gray16
  /// A sequence of binary PGM pictures of disparity.
  case pgm8, pgm16
  /// YUV4MPEG2 in the colors of a map.
  case color
  /// YUV4MPEG2: the frame on the left, and depth in colors on the right.
  case beside
  /// Metres as little-endian 32-bit floats, optionally after a header (``FrameStamp``); NaN is no value.
  case float32
  /// Millimetres as little-endian 16-bit integers, optionally after a header; 0 is no value (REP 118, `16UC1`).
  case millimetres = "16uc1"

  /// Whether frames are viewable pictures, without metres.
  package var isPicture: Bool { self != .float32 && self != .millimetres }
}

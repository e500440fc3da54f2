import DepthErrors
package import DepthImages
import PictureFiles
import Synchronization

/// The input format of frames.
package enum FrameFormat: String, Sendable, CaseIterable {
  /// One of the next three formats, detected by the first bytes.
  case auto
  case y4m
  /// A sequence of PPM and PGM pictures.
  case pnm
  case mjpeg
  /// Frames without headers, whose size is given separately.
  case rgb24, bgra

  /// Whether frames contain no size.
  package var isRaw: Bool { self == .rgb24 || self == .bgra }
}

extension FrameFormat {
  /// The format of a stream that begins with these bytes.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  init(of start: [UInt8], _ name: String) throws {
    if start == Y4MHeader.signature {
      self = .y4m
    } else if start.starts(with: [0xFF, JPEGMarker.startOfImage]) {
      self = .mjpeg
    } else if start.first == UInt8(ascii: "P"), start.count > 1, (0x31...0x37).contains(start[1]) {
      self = .pnm
    } else {
      throw DepthError(
        .unsupportedFormat, file: name,
        "holds an unknown format, expected YUV4MPEG2, PPM, PGM or Motion JPEG; the format of raw frames must be given",
        cause: SettingAtFault.frameFormat)
    }
  }
}

/// An undecoded frame of a stream, to be decoded on another thread.
package struct EncodedFrame: Sendable {
  enum Content: Sendable {
    case planes(PlanarLayout, PixelSize, [UInt8])
    case raw(PixelSize, [UInt8], PixelFormat)
    case pnm(PNMHeader, [UInt8])
    case jpeg([UInt8])
  }

  /// Number of the frame in the stream, from 0.
  package let index: Int
  /// The time at which the frame's last byte was read.
  package let arrival: ContinuousClock.Instant
  /// The frame's name in errors.
  package let name: String
  let content: Content
  let limits: ImageLimits
  /// Whether pixels between two chroma samples are interpolated, as pictures require but depth does not.
  var interpolatesChroma = false
  /// The conversion of planes of high dynamic range to sRGB.
  var conversion: ColorConversion?

  /// The centered part of the frame that contains the resized picture, between black bars; `nil` for the whole frame.
  ///
  /// A film whose size changes is decoded to one size.
  package var inset: PixelSize?

  /// Whether later frames can be decoded if this frame is damaged, because each frame begins with a marker.
  package var mayBeSkipped: Bool { if case .jpeg = content { true } else { false } }

  /// Decodes the frame.
  ///
  /// - Throws: `DepthError` with code `damaged` for a JPEG that cannot be decoded.
  package func image() throws -> Image {
    let image = try wholeImage()
    return inset.map(image.inset) ?? image
  }

  private func wholeImage() throws -> Image {
    switch content {
    case .planes(let layout, let size, let planes):
      if let conversion {
        layout.image(planes, size: size, by: conversion)
      } else {
        layout.image(planes, size: size, interpolatesChroma: interpolatesChroma)
      }
    case .raw(let size, let bytes, let format):
      try Image(height: size.height, width: size.width, pixels: bytes, format: format)
    case .pnm(let header, let samples): header.image(samples)
    case .jpeg(let bytes): try Image(decoding: bytes, name: name, limits: limits)
    }
  }
}

/// A counter of frames that other threads can read while the reader waits for its source.
package final class FrameCount: Sendable {
  private let number = Atomic<Int>(0)

  package var value: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}

/// A ratio as in YUV4MPEG2: `30000:1001` frames per second, or the pixel aspect ratio `16:11`.
package struct Ratio: Sendable, Hashable, CustomStringConvertible {
  package let numerator, denominator: Int

  /// The largest number that is parsed or written, 2³¹.
  private static let largest = 1 << 31

  /// - Precondition: neither number is negative.
  package init(_ numerator: Int, _ denominator: Int) {
    precondition(numerator >= 0 && denominator >= 0)
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// Parses `30000:1001`, `30000/1001` or `30`.
  ///
  /// - Returns: `nil` for other text, and for numbers above ``largest``.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
      .map { Int($0) }
    guard (1...2).contains(parts.count), let numerator = parts[0],
      let denominator = parts.count == 2 ? parts[1] : 1, (0...Self.largest).contains(numerator),
      (0...Self.largest).contains(denominator)
    else { return nil }
    self.init(numerator, denominator)
  }

  /// The ratio as a number; `nil` if it is unknown, as in `0:0`.
  package var value: Double? {
    numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : nil
  }

  /// The ratio in lowest terms.
  package var reduced: Ratio {
    var (a, b) = (numerator, denominator)
    while b > 0 { (a, b) = (b, a % b) }
    return a > 0 ? Ratio(numerator / a, denominator / a) : self
  }

  /// The product in lowest terms, or the unknown ratio `0:0` if it exceeds ``largest``.
  package func times(_ other: Ratio) -> Ratio {
    let (a, b) = (reduced, other.reduced)
    let first = Ratio(a.numerator, b.denominator).reduced
    let second = Ratio(b.numerator, a.denominator).reduced
    let above = first.numerator.multipliedReportingOverflow(by: second.numerator)
    let below = first.denominator.multipliedReportingOverflow(by: second.denominator)
    guard !above.overflow, !below.overflow, above.partialValue <= Self.largest,
      below.partialValue <= Self.largest
    else { return Ratio(0, 0) }
    return Ratio(above.partialValue, below.partialValue)
  }

  package var description: String { "\(numerator):\(denominator)" }
}

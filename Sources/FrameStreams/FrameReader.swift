import DepthBase
import DepthErrors
package import DepthImages
package import PictureFiles

/// A reader that splits a stream of bytes into frames of one size.
package struct FrameReader: Sendable {
  /// Properties of the stream that the caller specifies.
  package struct Options: Sendable {
    package var format = FrameFormat.auto
    /// Size of raw frames.
    package var size: PixelSize?
    /// The color matrix and range, if missing or wrong in the stream.
    package var matrix: ColorMatrix?
    package var range: ColorRange?
    package var limits = ImageLimits()
    /// Whether each frame becomes a pair of views, which takes more memory.
    package var makesViews = false
    /// Whether pixels between two chroma samples are interpolated.
    package var interpolatesChroma = false
    /// The chroma siting, if missing or wrong in the stream.
    package var siting: Y4MHeader.Siting?
    /// The conversion of RGB with ``PlanarLayout/deepBits`` bits to sRGB; `nil` for standard dynamic range.
    package var conversion: ColorConversion?
    /// Number of the first frame.
    package var firstIndex = 0

    package init() {}
  }

  enum Layout: Sendable {
    case y4m(Y4MHeader)
    case raw(PixelSize, PixelFormat)
    case pnm, mjpeg
  }

  var source: ByteSource
  let options: Options
  let layout: Layout
  private let isStopped: @Sendable () -> Bool
  private var size: PixelSize?
  var count = 0
  /// Bytes of damaged frames that may still be searched for the next intact frame.
  var searchable = Self.largestSearch
  static let largestSearch = 1 << 24
  /// Number of damaged and skipped Motion JPEG frames, which are included in frame numbers.
  package let damaged = FrameCount()

  /// Frames per second, if the stream records it.
  package var rate: Ratio? {
    if case .y4m(let header) = layout, header.rate.value != nil { return header.rate }
    return nil
  }

  /// Width over height of a pixel; `0:0` if unknown.
  package var pixelAspect: Ratio {
    if case .y4m(let header) = layout { return header.pixelAspect }
    return Ratio(0, 0)
  }

  /// The storage of the frames, also used for output pictures.
  package var stored: FrameStorage {
    switch layout {
    case .y4m(let header): .y4m(planes(of: header))
    case .raw(_, let format): format == .bgra ? .bgra : .rgb24
    case .pnm: .ppm
    case .mjpeg: .mjpeg
    }
  }

  func planes(of header: Y4MHeader) -> PlanarLayout {
    PlanarLayout(
      chroma: header.chroma, siting: header.siting, bits: header.bits,
      matrix: options.matrix ?? header.matrix
        ?? .assumed(width: header.size.width, height: header.size.height),
      // Gray frames without a tag have full range, as in ffmpeg.
      range: options.range ?? header.range
        ?? (header.chroma == Y4MHeader.Chroma.none ? .full : .limited))
  }

  /// Reads the stream's header.
  ///
  /// - Parameter isStopped: Whether a truncated frame is due to a stopped stream.
  /// - Throws: `DepthError` for an empty stream, for a stream of another format, and for too large frames;
  ///   `CancellationError` if the stream was stopped in the header.
  package init(
    _ source: ByteSource, options: Options, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    (self.source, self.options, self.isStopped) = (source, options, isStopped)
    count = options.firstIndex
    let start = Array(try self.source.peek(Y4MHeader.signature.count))
    // A camera that was stopped before its first bytes is not an empty file.
    if start.count < Y4MHeader.signature.count, isStopped() { throw CancellationError() }
    guard !start.isEmpty else {
      throw DepthError.unreadable(file: source.name, reason: "is empty, expected frames")
    }
    switch options.format == .auto ? try FrameFormat(of: start, source.name) : options.format {
    case .auto, .y4m:
      var header: Y4MHeader
      do { header = try Self.y4mHeader(&self.source) } catch {
        throw isStopped() ? CancellationError() : error
      }
      if let siting = options.siting { header.siting = siting }
      layout = .y4m(header)
      try check(header.size, index: 0)
    case .pnm: layout = .pnm
    case .mjpeg: layout = .mjpeg
    case .rgb24, .bgra:
      guard let size = options.size else {
        throw DepthError.invalidArgument(
          name: "the size of raw frames", found: "not known", expected: "WxH")
      }
      layout = .raw(size, options.format == .bgra ? .bgra : .rgb)
      try check(size, index: 0)
    }
  }

  private static func y4mHeader(_ source: inout ByteSource) throws -> Y4MHeader {
    do {
      guard let line = try source.line(limit: 4096, mayEndStream: false) else {
        throw DepthError.damaged(
          file: source.name, format: "YUV4MPEG2", reason: "ends inside its header")
      }
      return try Y4MHeader(line, file: source.name)
    } catch is LineTooLong {
      throw DepthError.damaged(
        file: source.name, format: "YUV4MPEG2", reason: "the header is longer than 4096 bytes")
    }
  }

  /// Fails for a frame that is too large or differs in size from the first frame.
  mutating func check(_ found: PixelSize, index: Int) throws {
    guard size != found else { return }
    if let size {
      throw DepthError(
        .sizeMismatch, file: source.name,
        "frame \(index) is \(found.width)×\(found.height), expected \(size.width)×\(size.height) "
          + "as the frames before it")
    }
    try options.limits.check(width: found.width, height: found.height, file: source.name)
    try MemoryNeed(
      options.makesViews ? .stereoFrames : .frames, pixels: found.width * found.height
    ).require(for: source.name)
    size = found
  }

  /// The next frame; `nil` at the end.
  ///
  /// - Throws: `DepthError` with the name of a damaged or truncated frame.
  package mutating func next() throws -> EncodedFrame? {
    do {
      guard let content = try nextContent() else { return nil }
      defer { count += 1 }
      return EncodedFrame(
        index: count, arrival: ContinuousClock().now, name: "\(source.name), frame \(count)",
        content: content, limits: options.limits,
        interpolatesChroma: options.interpolatesChroma, conversion: options.conversion)
    } catch  where isStopped() {
      return nil
    }
  }
}

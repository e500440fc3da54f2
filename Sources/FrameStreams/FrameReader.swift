import DepthBase
import DepthErrors
package import DepthImages
package import PictureFiles

/// Takes a stream of bytes apart into frames of one size.
package struct FrameReader: Sendable {
  /// Facts about the stream that the caller gives.
  package struct Options: Sendable {
    package var format = FrameFormat.auto
    /// Size of raw frames.
    package var size: PixelSize?
    /// Color, where the stream does not say or is wrong.
    package var matrix: ColorMatrix?
    package var range: ColorRange?
    package var limits = ImageLimits()
    /// Whether each frame becomes a pair of views, which takes more memory.
    package var makesViews = false
    /// Whether pixels between two samples of chroma get some of both.
    package var interpolatesChroma = false
    /// The siting of chroma, if the stream does not say it or is wrong.
    package var siting: Y4MHeader.Siting?
    /// The conversion of red, green and blue of ``PlanarLayout/deepBits`` bits to sRGB; `nil` for frames of standard range.
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
  /// Bytes of damaged frames that may still be looked through before the next whole one.
  var searchable = Self.largestSearch
  static let largestSearch = 1 << 24
  /// Frames of Motion JPEG that were damaged and stepped over. They have their numbers.
  package let damaged = FrameCount()

  /// Frames per second, if the stream records it.
  package var rate: Ratio? {
    if case .y4m(let header) = layout, header.rate.value != nil { return header.rate }
    return nil
  }

  /// Width over height of a pixel; `0:0` where the stream does not say.
  package var pixelAspect: Ratio {
    if case .y4m(let header) = layout { return header.pixelAspect }
    return Ratio(0, 0)
  }

  /// How the frames are stored; pictures are written in the same way.
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
      // Gray frames are full unless they say otherwise, as ffmpeg has it.
      range: options.range ?? header.range
        ?? (header.chroma == Y4MHeader.Chroma.none ? .full : .limited))
  }

  /// Reads the stream's header.
  ///
  /// - Parameter isStopped: Whether an end in the middle of a frame is because the reading was stopped.
  /// - Throws: `DepthError` for a stream that is empty or of another kind, or whose frames are too large;
  ///   `CancellationError` if the reading was stopped in the header.
  package init(
    _ source: ByteSource, options: Options, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    (self.source, self.options, self.isStopped) = (source, options, isStopped)
    count = options.firstIndex
    let start = Array(try self.source.peek(Y4MHeader.signature.count))
    // A camera that has sent nothing yet is no empty file.
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

  /// Fails for a frame that is too large or not of the first one's size.
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
  /// - Throws: `DepthError`, naming the frame that is damaged or cut off.
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

import DepthErrors
package import DepthImages
import ProcessLimits
import Synchronization

/// What frames come as.
package enum FrameFormat: String, Sendable, CaseIterable {
  /// Told by the first bytes: one of the next three.
  case auto
  case y4m
  /// PPM and PGM, one after the other.
  case pnm
  case mjpeg
  /// Without headers; the size is given beside them.
  case rgb24, bgra

  /// Whether the frames themselves do not say their size.
  package var isRaw: Bool { self == .rgb24 || self == .bgra }
}

/// A number of frames, which other threads may ask for while the reader waits for its source.
package final class FrameCount: Sendable {
  private let number = Atomic<Int>(0)

  package var value: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}

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
    /// Whether pixels between two samples of chroma get some of both.
    package var interpolatesChroma = false
    /// Where samples of chroma lie, where the stream does not say or is wrong.
    package var siting: Y4MHeader.Siting?
    /// Number of the first frame.
    package var firstIndex = 0

    package init() {}
  }

  private enum Layout: Sendable {
    case y4m(Y4MHeader)
    case raw(PixelSize, PixelFormat)
    case pnm, mjpeg
  }

  private var source: ByteSource
  private let options: Options
  private let layout: Layout
  private let isStopped: @Sendable () -> Bool
  private var size: PixelSize?
  private var count = 0
  /// Bytes of damaged frames that may still be looked through before the next whole one.
  private var searchable = Self.largestSearch
  private static let largestSearch = 1 << 24
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

  private func planes(of header: Y4MHeader) -> PlanarLayout {
    PlanarLayout(
      header,
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
  ///   `CancellationError` if the reading was stopped in the first bytes.
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
    switch options.format == .auto ? try Self.format(of: start, source.name) : options.format {
    case .auto, .y4m:
      var header = try Self.y4mHeader(&self.source)
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

  private static func format(of start: [UInt8], _ name: String) throws -> FrameFormat {
    if start == Y4MHeader.signature { return .y4m }
    if start.starts(with: [0xFF, 0xD8]) { return .mjpeg }
    if start.first == UInt8(ascii: "P"), start.count > 1, (0x31...0x37).contains(start[1]) {
      return .pnm
    }
    throw DepthError(
      .unsupportedFormat, file: name,
      "holds an unknown format, expected YUV4MPEG2, PPM, PGM or Motion JPEG; the format of raw frames must be given",
      cause: SettingAtFault.frameFormat)
  }

  private static func y4mHeader(_ source: inout ByteSource) throws -> Y4MHeader {
    do {
      return try Y4MHeader(source.line(limit: 4096) ?? [], file: source.name)
    } catch is LineTooLong {
      throw DepthError.damaged(
        file: source.name, format: "YUV4MPEG2", reason: "the header is longer than 4096 bytes")
    }
  }

  /// Fails for a frame that is too large or not of the first one's size.
  private mutating func check(_ found: PixelSize, index: Int) throws {
    guard size != found else { return }
    if let size {
      throw DepthError(
        .sizeMismatch, file: source.name,
        "frame \(index) is \(found.width)×\(found.height), expected \(size.width)×\(size.height) "
          + "as the frames before it")
    }
    try options.limits.check(width: found.width, height: found.height, file: source.name)
    // The frame as it comes, as RGB, and a second one on its way.
    try MemoryNeed(bytes: 12 * found.width * found.height).require(for: source.name)
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
        interpolatesChroma: options.interpolatesChroma)
    } catch  where isStopped() {
      return nil
    }
  }

  private mutating func nextContent() throws -> EncodedFrame.Content? {
    switch layout {
    case .y4m(let header):
      guard try skipFrameLine() else { return nil }
      return .planes(planes(of: header), header.size, try whole(header.frameBytes))
    case .raw(let size, let format):
      guard !(try source.peek(1).isEmpty) else { return nil }
      let count = format.bytesPerRow(width: size.width) * size.height
      return .raw(size, try whole(count), format)
    case .pnm:
      // A line feed between two pictures is tolerated.
      while let byte = try source.peek(1).first, byte == 0x0A { _ = try source.byte() }
      guard !(try source.peek(1).isEmpty) else { return nil }
      let header = try PNMHeader(&source)
      try check(header.size, index: count)
      return .pnm(header, try whole(header.frameBytes))
    case .mjpeg: return try nextJPEG()
    }
  }

  /// The next whole JPEG; damaged ones are stepped over, since each begins with a marker of its own.
  ///
  /// - Throws: `DepthError` for a damaged frame behind which no other one begins, and for one that is too large.
  private mutating func nextJPEG() throws -> EncodedFrame.Content? {
    var isBehindDamage = false
    var bytes: [UInt8] = []
    while true {
      do {
        guard let found = try JPEGSplitter.next(&source, index: count, frame: &bytes) else {
          return nil
        }
        do { try check(found, index: count) } catch let error as DepthError
          where error.code == .sizeMismatch && isBehindDamage
        {
          // A thumbnail inside what was damaged.
          continue
        }
        searchable = Self.largestSearch
        return .jpeg(bytes)
      } catch let error as DepthError where error.code == .damaged {
        // A wrong length may have taken the frames behind with it.
        if bytes.count <= searchable {
          searchable -= bytes.count
          source.putBack(bytes.dropFirst(2))
        }
        guard try JPEGSplitter.skipToStart(&source) else { throw error }
        // What else is found inside the same frame is not another one.
        if !isBehindDamage {
          damaged.add()
          count += 1
        }
        isBehindDamage = true
      }
    }
  }

  /// All bytes of a frame.
  private mutating func whole(_ wanted: Int) throws -> [UInt8] {
    let bytes = try source.bytes(wanted)
    guard bytes.count == wanted else {
      throw DepthError(
        .damaged, file: source.name,
        "frame \(count) ends after \(bytes.count) of \(wanted) bytes")
    }
    return bytes
  }

  /// Reads the line before a frame's planes; returns `false` at the end.
  private mutating func skipFrameLine() throws -> Bool {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: source.name, format: "YUV4MPEG2", reason: reason)
    }
    do {
      guard let line = try source.line(limit: 256) else { return false }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.first == "FRAME" else {
        throw damaged("frame \(count) does not begin with FRAME")
      }
      if let tag = words.dropFirst().first(where: { $0.hasPrefix("I") }),
        !["Ip", "I?"].contains(tag)
      {
        throw damaged("frame \(count) is interlaced (\(tag)), expected progressive frames")
      }
    } catch is LineTooLong {
      throw damaged("frame \(count) does not begin with FRAME")
    }
    return true
  }
}

import DepthErrors
import DepthImages
import FrameStreams
import SystemEssentials

/// The handling of frames that arrive faster than they are processed.
enum FrameQueue: String, CaseIterable {
  case everyFrame, latest
}

/// The frames on standard input.
struct FrameInput: Sendable {
  let from: FrameFormat
  /// The size of frames without a header.
  let size: PixelSize?
  /// Frames per second; `nil` for the rate that the stream specifies.
  let givenRate: Ratio?
  let matrix: ColorMatrix?
  let colorRange: ColorRange?

  /// Opens standard input and reads its header.
  ///
  /// - Parameters:
  ///   - stop: A signal that ends the stream, as Ctrl-C does.
  ///   - interpolatesChroma: Whether pixels between two chroma samples are interpolated.
  ///   - makesViews: Whether each frame becomes a pair of views.
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func reader(
    stop: StopFlag, limits: ImageLimits, interpolatesChroma: Bool = false,
    makesViews: Bool = false
  ) throws -> FrameReader {
    let name = "standard input"
    let descriptor = Console.descriptors.input
    guard isatty(descriptor) == 0 else {
      throw DepthError.unreadable(file: name, reason: "is a terminal, expected frames")
    }
    var options = FrameReader.Options()
    options.format = from
    options.size = size
    options.matrix = matrix
    options.range = colorRange
    options.limits = limits
    options.interpolatesChroma = interpolatesChroma
    options.makesViews = makesViews
    let isStopped: @Sendable () -> Bool = { stop.isStopped || Interruption.hasCome }
    do {
      let reader = try FrameReader(
        ByteSource(descriptor: descriptor, name: name, isStopped: isStopped), options: options,
        isStopped: isStopped)
      try checkColors(of: reader)
      return reader
    } catch is CancellationError { throw RunStatus.interrupted }
  }

  /// Rejects options for YUV4MPEG2 if `--from auto` has detected another format.
  private func checkColors(of reader: FrameReader) throws {
    guard matrix != nil || colorRange != nil else { return }
    if case .y4m = reader.stored { return }
    throw WrongUsage(
      "\(matrix != nil ? "--matrix" : "--color-range") requires YUV4MPEG2 frames, found other frames on standard input"
    )
  }

  /// Whether standard input is a regular file, from which frames can be read at any speed.
  static var isFile: Bool {
    var status = stat()
    return unsafe fstat(Console.descriptors.input, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  /// Frames per second, from the user or the stream; 30 by default.
  func rate(of reader: FrameReader) -> Ratio { givenRate ?? reader.rate ?? Ratio(30, 1) }

  /// Frames per second as a number; 30 if the rate is 0.
  func framesPerSecond(of reader: FrameReader) -> Double { rate(of: reader).value ?? 30 }
}

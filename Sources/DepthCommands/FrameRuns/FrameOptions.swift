import ArgumentParser
import DepthErrors
import DepthImages
import FrameStreams
import SystemEssentials

/// What happens to frames that come faster than they are worked on.
enum FrameQueue: String, EnumerableFlag {
  case everyFrame, latest
}

/// The frames on standard input, and what happens when they come faster than depth goes out.
struct FrameOptions: ParsableArguments {
  /// Frames come through standard input; a film's name gets the command that decodes it.
  ///
  /// - Throws: A validation error unless `files` is empty or `-`.
  static func refuse(_ files: [String], command: String) throws {
    guard let file = files.first(where: { $0 != "-" }) else { return }
    // Through a pipe `watch` takes the newest frame, which suits a camera and loses most of a film.
    let all = command == "watch" ? " --every-frame" : ""
    throw ValidationError(
      "\(file): frames are read from standard input: "
        + "ffmpeg -v error -i \(file.quotedForShell) -f yuv4mpegpipe - | depth \(command)\(all)"
        .escapingControls)
  }

  @Option(
    help: ArgumentHelp(
      """
      Format of frames on standard input: \(FrameFormat.allCases.map(\.rawValue).joined(separator: ", ")).
      """,
      discussion: """
        y4m is YUV4MPEG2; pnm is PPM and PGM. auto recognizes these two and Motion JPEG by their first bytes. rgb24 \
        and bgra have no header and need --size.
        """,
      valueName: "format"))
  var from: FrameFormat = .auto

  @Option(
    help: ArgumentHelp(
      """
      Width and height of rgb24 and bgra frames in pixels, such as 640x480. Not for other formats.
      """,
      valueName: "WxH"))
  var size: PixelSize?

  @Option(
    help: ArgumentHelp(
      """
      Frames per second of the input, such as 25 or 30000:1001. By default the rate in a YUV4MPEG2 header, else 30.
      """,
      valueName: "n[:d]"))
  var rate: Ratio?

  @Option(
    help: ArgumentHelp(
      """
      Color matrix of YUV4MPEG2: bt601 or bt709. By default as in the header, else bt709 for HD frames and bt601 for \
      smaller ones.
      """,
      valueName: "name"))
  var matrix: ColorMatrix?

  @Option(
    help: ArgumentHelp(
      """
      Color range of YUV4MPEG2: limited or full. By default as in the header, else full for gray frames and limited \
      for others.
      """,
      valueName: "name"))
  var colorRange: ColorRange?

  func validate() throws {
    if from.isRaw, size == nil {
      throw ValidationError("--from \(from.rawValue) requires --size WxH")
    }
    if !from.isRaw, size != nil {
      throw ValidationError("--size requires --from rgb24 or bgra; other formats contain the size")
    }
    let colors = [("--matrix", matrix != nil), ("--color-range", colorRange != nil)]
    for (option, isGiven) in colors where isGiven && from != .auto && from != .y4m {
      throw ValidationError("\(option) requires YUV4MPEG2 frames, found --from \(from.rawValue)")
    }
    if let rate, rate.value == nil {
      throw ValidationError("--rate is \(rate), expected a positive number")
    }
  }

  /// Whether any of the options was given.
  var isGiven: Bool {
    from != .auto || size != nil || rate != nil || matrix != nil || colorRange != nil
  }

  /// Opens standard input and reads its header.
  ///
  /// - Parameters:
  ///   - stop: Ends the stream, as Ctrl-C does.
  ///   - interpolatesChroma: Whether pixels between two samples of chroma get some of both.
  ///   - makesViews: Whether each frame becomes a pair of views.
  /// - Throws: `DepthError`; the status of Ctrl-C.
  func reader(
    stop: StopFlag, limits: ImageLimits, interpolatesChroma: Bool = false,
    makesViews: Bool = false
  ) throws -> FrameReader {
    let name = "standard input"
    guard isatty(STDIN_FILENO) == 0 else {
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
        ByteSource(descriptor: STDIN_FILENO, name: name, isStopped: isStopped), options: options,
        isStopped: isStopped)
      try checkColors(of: reader)
      return reader
    } catch is CancellationError { throw Interruption.exitCode }
  }

  /// Refuses options of YUV4MPEG2 for what `--from auto` has found to be something else.
  private func checkColors(of reader: FrameReader) throws {
    guard matrix != nil || colorRange != nil else { return }
    if case .y4m = reader.stored { return }
    throw ValidationError(
      "\(matrix != nil ? "--matrix" : "--color-range") requires YUV4MPEG2 frames, found other frames on standard input"
    )
  }

  /// Whether standard input is a regular file, which waits for its reader.
  static var isFile: Bool {
    var status = stat()
    return unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Frames per second of the stream, or as given.
  func rate(of reader: FrameReader) -> Ratio { rate ?? reader.rate ?? Ratio(30, 1) }
}

extension FrameFormat: ExpressibleByArgument {}
extension ColorMatrix: ExpressibleByArgument {}
extension ColorRange: ExpressibleByArgument {}
extension DepthFrameFormat: ExpressibleByArgument {}

/// On the command line `30000:1001`.
extension Ratio: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension String {
  /// A file's name as one word of a shell's command line.
  var quotedForShell: String {
    let name = hasPrefix("-") ? "./" + self : self
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "._-/+,:@%".contains($0) }
    return isPlain ? name : "'" + name.replacing("'", with: #"'\''"#) + "'"
  }
}

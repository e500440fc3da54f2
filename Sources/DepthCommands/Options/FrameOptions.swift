import ArgumentParser
import DepthErrors
import DepthImages
import FrameStreams

extension FrameQueue: EnumerableFlag {}

/// A value of `--from` or `--to`: a format of frames or, for an effect, a bound of the mask's range.
struct FormatOrBound<Format: RawRepresentable<String> & CaseIterable>: ArgumentWord {
  static var expected: String {
    "\(listed(choices(Format.self))), or for a mask \(BoundWord.expected)"
  }
  let format: Format?
  let bound: BoundWord?

  init?(word: String) {
    (format, bound) = (Format(rawValue: word), BoundWord(word: word))
    if format == nil, bound == nil { return nil }
  }

  /// - Throws: A validation error for a bound, which only effects have.
  static func refuseBounds(_ values: [Self], of option: String) throws {
    if let bound = values.compactMap(\.bound).first {
      throw ValidationError("\(option) is \(bound.word), expected \(listed(choices(Format.self)))")
    }
  }
}

/// The frames on standard input.
struct FrameOptions: ParsableArguments {
  /// Rejects file names, since frames are read from standard input. The error message shows how to pipe a
  /// film.
  ///
  /// - Throws: A validation error unless `files` is empty or `-`.
  static func refuse(_ files: [String], command: String) throws {
    guard let file = files.first(where: { $0 != "-" }) else { return }
    // From a pipe, `watch` takes the newest frame. This suits a camera but skips most of a film.
    let all = command == "watch" ? " --every-frame" : ""
    throw ValidationError(
      "\(file): frames are read from standard input: "
        + "ffmpeg -v error -i \(file.quotedForShell) -f yuv4mpegpipe - | depth \(command)\(all)"
        .escapingControls)
  }

  @Option(
    help: ArgumentHelp(
      """
      Format of frames on standard input: \(FrameFormat.allCases.map(\.rawValue).joined(separator: ", ")); auto by \
      default. For a mask of 'effect', also where its range begins, such as 2m.
      """,
      discussion: """
        y4m is YUV4MPEG2; pnm is PPM and PGM. auto recognizes these two and Motion JPEG by their first bytes. rgb24 \
        and bgra have no header and need --size.
        """,
      valueName: "format"), transform: FormatOrBound<FrameFormat>.argument)
  var from: [FormatOrBound<FrameFormat>] = []
  var format: FrameFormat { from.compactMap(\.format).last ?? .auto }

  /// - Throws: A validation error for a bound, which only effects have.
  func refuseBounds() throws { try FormatOrBound.refuseBounds(from, of: "--from") }

  @Option(
    help: ArgumentHelp(
      """
      Width and height of rgb24 and bgra frames in pixels, such as 640x480. Not for other formats.
      """,
      valueName: "WxH"), transform: PixelSize.argument)
  var size: PixelSize?

  @Option(
    help: ArgumentHelp(
      """
      Frames per second of the input, such as 25 or 30000:1001. By default the rate in a YUV4MPEG2 header, else 30.
      """,
      valueName: "n[:d]"), transform: Ratio.argument)
  var rate: Ratio?

  @Option(
    help: ArgumentHelp(
      """
      Color matrix of YUV4MPEG2: bt601, bt709 or bt2020. By default as in the header, else bt709 for HD frames and bt601 for \
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
    if format.isRaw, size == nil {
      throw ValidationError("--from \(format.rawValue) requires --size WxH")
    }
    if !format.isRaw, size != nil {
      throw ValidationError("--size requires --from rgb24 or bgra; other formats contain the size")
    }
    let colors = [("--matrix", matrix != nil), ("--color-range", colorRange != nil)]
    for (option, isGiven) in colors where isGiven && format != .auto && format != .y4m {
      throw ValidationError("\(option) requires YUV4MPEG2 frames, found --from \(format.rawValue)")
    }
    if let rate, rate.value == nil {
      throw ValidationError("--rate is \(rate), expected a positive number")
    }
  }

  /// Whether any of the options is given.
  var isGiven: Bool {
    format != .auto || size != nil || rate != nil || matrix != nil || colorRange != nil
  }

  var input: FrameInput {
    FrameInput(from: format, size: size, givenRate: rate, matrix: matrix, colorRange: colorRange)
  }
}

extension ColorMatrix: ExpressibleByArgument {}
extension ColorRange: ExpressibleByArgument {}
extension DepthFrameFormat: ExpressibleByArgument {}

/// A frame rate on the command line, such as `30000:1001`.
extension Ratio: ArgumentWord {
  static let expected = "frames per second such as 25 or 30000:1001"

  init?(word: String) { self.init(word) }
}

extension String {
  /// A file's name quoted as one word for a shell.
  var quotedForShell: String {
    let name = hasPrefix("-") ? "./" + self : self
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "._-/+,:@%".contains($0) }
    return isPlain ? name : "'" + name.replacing("'", with: #"'\''"#) + "'"
  }
}

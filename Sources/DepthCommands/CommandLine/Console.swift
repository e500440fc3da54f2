import DepthBase
import DepthErrors
import Synchronization
import SystemEssentials
import WeightsFiles

/// The program's standard streams.
enum Console {
  /// Descriptors of the three.
  struct Streams: Sendable {
    var input = STDIN_FILENO
    var output = STDOUT_FILENO
    var errors = STDERR_FILENO
  }

  /// Tests replace them by files.
  static let streams = Mutex(Streams())
  static var descriptors: Streams { streams.withLock(\.self) }

  /// One line for one failure, on standard error.
  static func report(_ error: any Error) {
    note(text(of: error) + hint(for: error))
  }

  /// Text of an error, with the options and commands for the setting at fault.
  static func text(of error: any Error) -> String {
    "\(error)\(advice(for: (error as? DepthError)?.cause as? SettingAtFault))".spelledOut
  }

  /// The options and commands for a setting, behind a sentence about it.
  static func advice(for setting: SettingAtFault?) -> String { setting?.advice ?? "" }

  /// How a run that stopped is continued.
  static let continuation = "the same command with --skip-existing continues"

  /// The remedy, if it is an option of the command line.
  private static func hint(for error: any Error) -> String {
    switch (error as? DepthError)?.code {
    case .fileExists: "; --overwrite replaces it"
    case .missingWeights: "; --weights names a file"
    default: ""
    }
  }

  /// One line for people, on standard error.
  static func note(_ text: String) { log("depth: \(text.escapingControls)\n") }

  /// Writes to standard error, ignoring failures.
  static func log(_ text: String) {
    try? AtomicFile.write(
      Array(text.utf8), to: URL(filePath: "/dev/fd/\(descriptors.errors)"))
  }

  /// Text on standard output.
  ///
  /// - Throws: ``ReaderGone``; `DepthError` with code `unwritable` when the disk is full.
  static func write(_ text: String) throws {
    try noticingReader { try AtomicFile.write(Array(text.utf8), to: standardOutput) }
  }

  /// Bytes of a stream on standard output.
  ///
  /// - Throws: ``ReaderGone``; `DepthError` with code `unwritable` when the disk is full.
  static func write(_ bytes: [UInt8]) throws {
    do { try writeAll(bytes.span, to: descriptors.output) } catch {
      guard error.code != EPIPE else { throw ReaderGone() }
      // The cause tells a full disk, which may pass, from what will not.
      throw DepthError(
        .unwritable, file: "standard output", systemReason(error.code), cause: error)
    }
  }

  /// Runs what may write to standard output.
  ///
  /// - Throws: ``ReaderGone`` where its reader has closed it.
  static func noticingReader(_ body: () throws -> Void) throws {
    do { try body() } catch let error as DepthError
      where error.file == standardOutput.relativePath
      && (error.cause as? SystemFailure)?.code == EPIPE
    {
      throw ReaderGone()
    }
  }

  static var standardInput: URL {
    let descriptor = descriptors.input
    return URL(filePath: descriptor == STDIN_FILENO ? "/dev/stdin" : "/dev/fd/\(descriptor)")
  }

  static var standardOutput: URL {
    let descriptor = descriptors.output
    return URL(filePath: descriptor == STDOUT_FILENO ? "/dev/stdout" : "/dev/fd/\(descriptor)")
  }

  /// Whether an output's name means standard output.
  static func isStandardOutput(_ name: String?) -> Bool {
    name.map { ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains($0) } ?? false
  }

  /// - Throws: `DepthError` with code `unwritable` where bytes would go to a screen.
  static func checkStandardOutputTakesBytes() throws {
    guard !standardOutputIsTerminal else {
      throw DepthError.unwritable(
        file: "standard output", reason: "is a terminal, expected a file or a pipe")
    }
  }

  /// Columns of the terminal on standard error; 80 where it does not say.
  static var terminalColumns: Int {
    var size = winsize()
    let known =
      unsafe ioctl(descriptors.errors, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return known ? Int(size.ws_col) : 80
  }

  static var standardErrorIsTerminal: Bool { isatty(descriptors.errors) == 1 }
  /// Whether a line on standard error can be drawn again; `TERM=dumb` is how editors and logs refuse that.
  static var standardErrorTakesEscapes: Bool {
    let terminal = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "dumb"
    return standardErrorIsTerminal && terminal != "dumb" && !terminal.isEmpty
  }
  static var standardOutputIsTerminal: Bool { isatty(descriptors.output) == 1 }
}

/// The reader of standard output has closed it: the end of the work, not a failure.
struct ReaderGone: Error {}

extension SettingAtFault {
  /// The options and commands of the command line for the setting.
  fileprivate var advice: String {
    switch self {
    case .focalLength: " (--focal-length or --fov)"
    case .calibration: " ('depth calibrate' writes one for --calibration)"
    case .relativeDepth: " (--metres, or --calibration with a file of 'depth calibrate')"
    case .inputSize: " (--input-size)"
    case .tokens: " (--tokens)"
    case .weightsName: " ('depth weights list' shows the names)"
    case .weightsToFetch(let name):
      "; 'depth weights fetch \(name)' downloads them"
        + (PublishedNetwork.named(name).map { " (\($0.summary))" } ?? "")
    case .weightsKind, .needlessWeightsKind: " (--weights-kind)"
    case .activationScales: "; 'depth weights calibrate' adds them"
    case .needlessScales: "; --precision int8 uses integers without scales"
    case .film: "; 'depth stream' reads the frames of a video from ffmpeg"
    case .codec: " (--codec)"
    case .frameFormat: " (--from)"
    case .split: " (--split)"
    case .depthScale: " (--depth-scale)"
    case .depthUnit:
      " (--depth-scale 256 for 256 values per metre, --depth-unit relative-disparity for Depth Anything and MiDaS, "
        + "or --depth-unit with another of these)"
    case .depthKey: " (--depth-key names one)"
    case .port: " (--port takes another, or 0 for any that is free)"
    case .evaluationProtocol: " (--protocol)"
    }
  }
}

extension String {
  /// The text with control characters, characters that turn or hide others, and bytes that are not UTF-8 spelled out: a file's
  /// name must not be able to move the terminal's cursor or to add lines.
  var escapingControls: String {
    let text = spelledOut
    guard text.unicodeScalars.contains(where: \.isInvisible) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isInvisible:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let isByte = scalar.value < 0x100
        result += isByte ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Marks of direction; the joiners of emoji and of scripts stay.
    case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}

/// Standard input, output and error, which a caller may have closed (`2>&-`).
enum StandardStreams {
  /// Opens `/dev/null` in place of each that is closed.
  ///
  /// The next file would get the closed one's number otherwise, and a message its bytes. Reading what was closed
  /// for reading, and writing to what was closed for writing, still fails.
  static func openMissing() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, which is this one's, since those before it are open.
      _ = unsafe open("/dev/null", mode)
    }
  }
}

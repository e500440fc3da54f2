import DepthBase
import DepthErrors
import Synchronization
import SystemEssentials
import WeightsFiles

/// The program's standard streams.
enum Console {
  /// The descriptors of the three streams.
  struct Streams: Sendable {
    var input = STDIN_FILENO
    var output = STDOUT_FILENO
    var errors = STDERR_FILENO
  }

  /// The streams. Tests replace the streams with files.
  static let streams = Mutex(Streams())
  static var descriptors: Streams { streams.withLock(\.self) }

  /// Prints an error as one line on standard error.
  static func report(_ error: any Error) {
    note(text(of: error) + hint(for: error))
  }

  /// The text of an error, followed by the options and commands that change the setting at fault.
  static func text(of error: any Error) -> String {
    "\(error)\(advice(for: (error as? DepthError)?.cause as? SettingAtFault))".spelledOut
  }

  /// The options and commands that change a setting, as the end of a sentence about the setting.
  static func advice(for setting: SettingAtFault?) -> String { setting?.advice ?? "" }

  /// The way to continue a run that stopped.
  static let continuation = "the same command with --skip-existing resumes"

  /// The remedy for an error, if it is a command-line option.
  private static func hint(for error: any Error) -> String {
    switch (error as? DepthError)?.code {
    case .fileExists: "; --overwrite replaces it"
    case .missingWeights: "; --weights names a file"
    default: ""
    }
  }

  /// Prints one line for users on standard error.
  static func note(_ text: String) { log("depth: \(text.escapingControls)\n") }

  /// Writes to standard error, ignoring failures.
  static func log(_ text: String) {
    try? AtomicFile.write(
      Array(text.utf8), to: URL(filePath: "/dev/fd/\(descriptors.errors)"))
  }

  /// Writes text to standard output.
  ///
  /// - Throws: ``ReaderGone``; `DepthError` with code `unwritable`, for example when the disk is full.
  static func write(_ text: String) throws {
    try noticingReader { try AtomicFile.write(Array(text.utf8), to: standardOutput) }
  }

  /// Writes bytes of a stream to standard output.
  ///
  /// - Throws: ``ReaderGone``; `DepthError` with code `unwritable`, for example when the disk is full.
  static func write(_ bytes: [UInt8]) throws {
    do { try writeAll(bytes.span, to: descriptors.output) } catch {
      guard error.code != EPIPE else { throw ReaderGone() }
      // The cause distinguishes a full disk, which is temporary, from permanent failures.
      throw DepthError(
        .unwritable, file: "standard output", systemReason(error.code), cause: error)
    }
  }

  /// Runs work that may write to standard output.
  ///
  /// - Throws: ``ReaderGone`` if the reader has closed standard output.
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

  /// - Throws: `DepthError` with code `unwritable` if standard output is a terminal.
  static func checkStandardOutputTakesBytes() throws {
    guard !standardOutputIsTerminal else {
      throw DepthError.unwritable(
        file: "standard output", reason: "is a terminal, expected a file or a pipe")
    }
  }

  /// Columns of the terminal on standard error; 80 if unknown.
  static var terminalColumns: Int {
    var size = winsize()
    let known =
      unsafe ioctl(descriptors.errors, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return known ? Int(size.ws_col) : 80
  }

  static var standardErrorIsTerminal: Bool { isatty(descriptors.errors) == 1 }
  /// Whether a line on standard error can be redrawn. Editors and logs disable redrawing by `TERM=dumb`.
  static var standardErrorTakesEscapes: Bool {
    let terminal = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "dumb"
    return standardErrorIsTerminal && terminal != "dumb" && !terminal.isEmpty
  }
  static var standardOutputIsTerminal: Bool { isatty(descriptors.output) == 1 }
}

/// The reader has closed standard output. The work then ends without a failure.
struct ReaderGone: Error {}

extension SettingAtFault {
  /// The command-line options and commands for the setting.
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
    case .port: " (--port selects another, or 0 any free one)"
    case .evaluationProtocol: " (--protocol)"
    }
  }
}

extension String {
  /// Escapes control characters, characters that reorder or hide text, and bytes that are not valid UTF-8.
  ///
  /// A file's name must not move the terminal's cursor or add lines.
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
    // Direction marks are escaped; joiners of emoji and scripts are not.
    case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}

/// Standard input, output and error, which the parent process may have closed (`2>&-`).
enum StandardStreams {
  /// Opens `/dev/null` for each closed stream.
  ///
  /// Otherwise the next opened file would get the stream's descriptor and receive messages. Reading from closed input
  /// and writing to closed output still fail.
  static func openMissing() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number. All lower numbers are open, so it returns this one.
      _ = unsafe open("/dev/null", mode)
    }
  }
}

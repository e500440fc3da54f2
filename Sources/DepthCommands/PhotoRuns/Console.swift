import DepthBase
import DepthErrors
import DepthPipeline
import SystemEssentials

/// The program's output on its two streams.
enum Console {
  /// One line for one failure, on standard error.
  static func report(_ error: any Error) {
    note("depth: \(text(of: error).escapingControls)\(hint(for: error))\n")
  }

  /// What is wrong, with the options for the setting at fault.
  static func text(of error: any Error) -> String {
    let cause = (error as? DepthError)?.cause ?? (error as? InputFailure)?.cause
    return "\(error)\(options(for: cause as? SettingAtFault))"
  }

  /// What follows a sentence about a setting: the options for it.
  static func options(for setting: SettingAtFault?) -> String {
    setting.map { " (\($0.options))" } ?? ""
  }

  /// The remedy, if it is an option of the command line.
  private static func hint(for error: any Error) -> String {
    switch (error as? DepthError)?.code {
    case .fileExists: "; --overwrite replaces it"
    case .missingWeights: "; --weights names a file"
    default: ""
    }
  }

  /// Writes to standard error, ignoring failures.
  static func note(_ text: String) {
    try? AtomicFile.write(Array(text.utf8), to: URL(filePath: "/dev/fd/2"))
  }

  /// Text on standard output.
  ///
  /// - Throws: `DepthError` with code `unwritable` when the reader has gone or the disk is full.
  static func write(_ text: String) throws {
    try AtomicFile.write(Array(text.utf8), to: standardOutput)
  }

  static let standardInput = URL(filePath: "/dev/stdin")
  static let standardOutput = URL(filePath: "/dev/stdout")

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
    let known = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return known ? Int(size.ws_col) : 80
  }

  static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  /// Whether a line on standard error can be drawn again; `TERM=dumb` is how editors and logs refuse that.
  static var standardErrorTakesEscapes: Bool {
    let terminal = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "dumb"
    return standardErrorIsTerminal && terminal != "dumb" && !terminal.isEmpty
  }
  static var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

extension SettingAtFault {
  /// The options of the command line for the setting.
  fileprivate var options: String {
    switch self {
    case .focalLength: "--focal-length or --fov"
    case .calibration: "'depth calibrate' writes one for --calibration"
    case .inputSize: "--input-size"
    case .frameFormat: "--from"
    case .split: "--split"
    case .depthScale: "--depth-scale"
    case .depthUnit: "--depth-unit"
    case .evaluationProtocol: "--protocol"
    }
  }
}

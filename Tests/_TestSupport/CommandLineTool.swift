import Foundation

/// The built `depth` program, run as a user runs it.
public struct CommandLineTool: Sendable {
  /// What one run said and how it ended.
  public struct Outcome: Sendable {
    public let status: Int32
    /// Whether it ended by a signal: a crash.
    public let wasKilled: Bool
    public let output: [UInt8]
    public let errors: String

    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Lines on standard error.
    public var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  private let executable: URL

  /// The program `name`, which the build puts beside the tests.
  public init(_ name: String) {
    executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// A program by its path.
  public init(at path: String) { executable = URL(fileURLWithPath: path) }

  /// Where the program lies.
  public var path: String { executable.path }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - outputFile: Where standard output goes instead of into the outcome.
  ///   - errorFile: Where standard error goes instead of into the outcome.
  ///   - workingFolder: Where it runs; here by default.
  public func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    outputFile: String? = nil, errorFile: String? = nil, in workingFolder: String? = nil
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if let workingFolder {
      process.currentDirectoryURL = URL(fileURLWithPath: workingFolder, isDirectory: true)
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files rather than pipes: nothing can fill up while nobody reads.
    let stdin = try folder.write(input, to: "stdin")
    let stdout = try folder.write([], to: "stdout")
    let stderr = try folder.write([], to: "stderr")
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: stdin))
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: outputFile ?? stdout))
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: errorFile ?? stderr))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal,
      output: try TemporaryFolder.bytes(of: stdout),
      errors: String(decoding: try TemporaryFolder.bytes(of: stderr), as: UTF8.self))
  }
}

/// The package's folder.
public let packageFolder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

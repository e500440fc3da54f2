import Foundation
import Testing

/// The built `depth` program, which tests run like a user.
public struct CommandLineTool: Sendable {
  /// The outputs of a run, and how the run ended.
  public struct Outcome: Sendable {
    public let status: Int32
    /// Whether the run ended by a signal, as in a crash.
    public let wasKilled: Bool
    public let output: [UInt8]
    public let errors: String

    public init(status: Int32, wasKilled: Bool = false, output: [UInt8], errors: String) {
      (self.status, self.wasKilled) = (status, wasKilled)
      (self.output, self.errors) = (output, errors)
    }

    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Lines on standard output.
    public var lines: [Substring] { text.split(separator: "\n") }
    /// Lines on standard error.
    public var errorLines: [Substring] { errors.split(separator: "\n") }
  }

  private let executable: URL

  /// The program `name`, which the build puts beside the tests.
  public init(_ name: String) {
    executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// A program at a path.
  public init(at path: String) { executable = URL(fileURLWithPath: path) }

  /// Runs the program and waits for the program's end.
  ///
  /// - Parameters:
  ///   - outputFile: A file for standard output, which the outcome then lacks.
  ///   - errorFile: A file for standard error, which the outcome then lacks.
  ///   - workingFolder: The working folder. The default is the current folder.
  ///   - wrapper: A command that runs the program, such as `prlimit --as=1000000`.
  public func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    outputFile: String? = nil, errorFile: String? = nil, in workingFolder: String? = nil,
    wrapper: [String] = []
  ) throws -> Outcome {
    try start(
      arguments, input: input, environment: environment, outputFile: outputFile,
      errorFile: errorFile, in: workingFolder, wrapper: wrapper
    ).finish()
  }

  /// The wrapper for programs that a test ends by a signal, which the parent may ignore.
  public static let endedBySignals = ["env", "--default-signal=INT,TERM,HUP"]

  /// The wrapper that starts a program with an ignored signal, like `nohup` with HUP.
  public static func ignoring(_ signal: String) -> [String] {
    ["env", "--ignore-signal=\(signal)"]
  }

  /// Whether this user may mount file systems in a namespace.
  public static let hasMountNamespaces =
    (try? CommandLineTool(at: "/usr/bin/env").run(
      ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /proc"]
    ).status) == 0

  /// The path of the program.
  public var path: String { executable.path }

  /// A run in progress.
  public struct Run {
    fileprivate let process: Process
    fileprivate let folder: TemporaryFolder
    fileprivate let stdout, stderr: String

    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    public var isRunning: Bool { process.isRunning }

    /// The standard output so far.
    public var text: String {
      (try? TemporaryFolder.bytes(of: stdout)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The standard error so far.
    public var errors: String {
      (try? TemporaryFolder.bytes(of: stderr)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits for the program's end, but kills a program that hangs.
    ///
    /// - Throws: An issue with the program's name if the program runs longer than ten minutes.
    public func finish() throws -> Outcome {
      let (start, id) = (ContinuousClock.now, process.processIdentifier)
      let killer = DispatchWorkItem { kill(id, SIGKILL) }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600), execute: killer)
      process.waitUntilExit()
      killer.cancel()
      try #require(.now - start < .seconds(600), "waited 600 s for \(process.arguments ?? [])")
      return Outcome(
        status: process.terminationStatus,
        wasKilled: process.terminationReason == .uncaughtSignal,
        output: try TemporaryFolder.bytes(of: stdout), errors: errors)
    }
  }

  /// Starts the program as ``run`` does. The caller must end the program.
  public func start(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    outputFile: String? = nil, errorFile: String? = nil, in workingFolder: String? = nil,
    wrapper: [String] = []
  ) throws -> Run {
    let folder = try TemporaryFolder()
    let process = Process()
    // `env` finds the wrapper.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = wrapper + [executable.path] + arguments
    if let workingFolder {
      process.currentDirectoryURL = URL(fileURLWithPath: workingFolder, isDirectory: true)
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Pipes fill up without a reader. Files do not.
    let stdin = try folder.write(input, to: "stdin")
    let stdout = try folder.write([], to: "stdout")
    let stderr = try folder.write([], to: "stderr")
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: stdin))
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: outputFile ?? stdout))
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: errorFile ?? stderr))
    try process.run()
    return Run(process: process, folder: folder, stdout: stdout, stderr: stderr)
  }
}

/// The package's folder.
public let packageFolder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

import DepthBase
import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands

/// Runs a command line in this process, as the program does after its start.
///
/// ``depthTool`` is for signals, pipes and limits of the system.
///
/// - Parameters:
///   - input: Standard input.
///   - environment: Variables to set, for a test in its own process (`processExitsWith`).
///   - folder: The folder of named files, which messages omit. A test in its own process may
///     change the current folder instead.
func runDepth(
  _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
  in folder: TemporaryFolder? = nil
) throws -> CommandLineTool.Outcome {
  for (name, value) in environment { setenv(name, value, 1) }
  guard let folder else {
    return try CommandRun.heard(input: input) { DepthProgram.run(arguments) }
  }
  let words = CommandRun.arguments(arguments, in: folder)
  let said = try CommandRun.heard(input: input) { DepthProgram.run(words) }
  let place = folder.path + "/"
  let text = String(validating: said.output, as: UTF8.self)?.replacing(place, with: "")
  return CommandLineTool.Outcome(
    status: said.status, output: text.map { Array($0.utf8) } ?? said.output,
    errors: said.errors.replacing(place, with: ""))
}

/// Runs in this process.
enum CommandRun {
  /// Runs use the standard streams in turn.
  private static let turn = Mutex(())
  /// As in the program, writing to a closed pipe is an error.
  private static let brokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  /// Runs part of the program with files for its standard streams.
  ///
  /// - Parameters:
  ///   - input: Standard input.
  ///   - output: Descriptor of another standard output.
  ///   - run: Called on its own thread, since commands block signals. Returns the exit status.
  static func heard(
    input: [UInt8] = [], output: Int32? = nil, _ run: @escaping @Sendable () -> Int32
  ) throws -> CommandLineTool.Outcome {
    _ = brokenPipes
    let folder = try TemporaryFolder()
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for (name, content) in [("input", input), ("output", []), ("errors", [])] {
      files.append(open(try folder.write(content, to: name), O_RDWR | O_CLOEXEC))
      try #require(files.last! >= 0)
    }
    let streams = Console.Streams(input: files[0], output: output ?? files[1], errors: files[2])
    let status = try turn.withLock { _ in
      Console.streams.withLock { $0 = streams }
      defer { Console.streams.withLock { $0 = Console.Streams() } }
      let status = Monitor<Int32?>(nil)
      try #require(
        OwnThread.start {
          let ended = run()
          status.update { $0 = ended }
        })
      return status.wait { $0 }
    }
    return CommandLineTool.Outcome(
      status: status, output: try TemporaryFolder.bytes(of: folder.path("output")),
      errors: String(decoding: try TemporaryFolder.bytes(of: folder.path("errors")), as: UTF8.self))
  }

  /// Options whose value names a possibly new file or folder.
  private static let outputs: Set = [
    "-o", "--output-dir", "--view", "--depth-photo", "--confidence", "--mask-output", "--manifest",
    "--csv", "--contact-sheet", "--normals",
  ]

  /// The command line with full paths for files of a folder.
  static func arguments(_ words: [String], in folder: TemporaryFolder) -> [String] {
    let manager = FileManager.default
    let films = words.first == "video" ? words.dropFirst().prefix { !$0.hasPrefix("-") }.count : 0
    return words.indices.map { index in
      let word = words[index]
      guard let start = word.first, start != "/", start != "-" else { return word }
      let isOutput = index > 0 && (outputs.contains(words[index - 1]) || index <= films)
      let first = word.prefix { $0 != "/" }
      return isOutput || manager.fileExists(atPath: folder.path(String(first)))
        ? folder.path(word) : word
    }
  }
}

import Foundation
import Testing

/// Another program of the system.
public enum ExternalProgram {
  /// Runs a program and returns both outputs. Skips the test if the program is missing.
  public static func run(
    _ name: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
  ) throws -> String {
    let places = ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
    guard let path = places.first(where: FileManager.default.isExecutableFile) else {
      try Test.cancel("\(name) is not installed")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder, isDirectory: true)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = try TemporaryFolder()
    let file = try FileHandle(
      forWritingTo: URL(fileURLWithPath: output.write([], to: "output")))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    return String(
      decoding: try TemporaryFolder.bytes(of: output.path("output")), as: UTF8.self)
  }
}

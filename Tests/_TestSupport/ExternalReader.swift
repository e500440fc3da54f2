import DepthBase
import Foundation
package import Testing

/// A program of another project that opens this package's files. Tests are skipped with a reason if
/// the program is not installed.
package struct ExternalReader: Sendable {
  package let name: String
  private let arguments: [String]
  private let check: [String]

  package static let curl = ExternalReader(
    name: "curl", arguments: ["curl"], check: ["--version"])
  package static let exifTool = ExternalReader(
    name: "ExifTool", arguments: ["exiftool"], check: ["-ver"])
  package static let ffprobe = ExternalReader(
    name: "ffprobe", arguments: ["ffprobe"], check: ["-version"])
  package static let heifInfo = ExternalReader(
    name: "heif-info", arguments: ["heif-info"], check: ["--help"])
  package static let numPy = python("NumPy", module: "numpy")
  package static let pillow = python("Pillow", module: "PIL")
  package static let pillowHEIF = python("pillow-heif", module: "pillow_heif")
  package static let trimesh = python("trimesh", module: "trimesh, PIL")
  package static let open3D = python("Open3D", module: "open3d")

  package static let browser = ExternalReader(
    name: "Chromium with its driver, and Python's Selenium, Pillow and NumPy", arguments: [python],
    check: [
      "-c",
      """
      import PIL, numpy, selenium, shutil, sys
      browsers = ["chromium", "chromium-browser", "google-chrome"]
      sys.exit(not shutil.which("chromedriver") or not any(map(shutil.which, browsers)))
      """,
    ])

  /// `DEPTH_PYTHON` may name another interpreter than `python3`.
  package static let python = ProcessInfo.processInfo.environment["DEPTH_PYTHON"] ?? "python3"

  private static func python(_ name: String, module: String) -> ExternalReader {
    ExternalReader(name: name, arguments: [python], check: ["-c", "import \(module)"])
  }

  private init(name: String, arguments: [String], check: [String]) {
    (self.name, self.arguments, self.check) = (name, arguments, check)
  }

  /// Whether tests open pages in a browser.
  package static let opensPages = SlowTests.areWanted && browser.isInstalled
  package static let opensNoPages: Comment =
    "Scripts/checks/test-slow.sh runs it where Chromium, its driver and Python's Selenium, Pillow and NumPy are installed"

  /// Each program is tried once per test run.
  package var isInstalled: Bool {
    Self.tried.update { tried in
      if let known = tried[name] { return known }
      let isInstalled = (try? run(check)) != nil
      tried[name] = isInstalled
      return isInstalled
    }
  }

  private static let tried = Monitor<[String: Bool]>([:])
  package var absence: String { "\(name) is not installed" }

  package struct Failure: Error { package var status: Int32 }

  /// Runs the program and returns the standard output.
  @discardableResult
  package func run(_ more: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + more
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs the program on a file with these bytes. The file's name replaces the argument `FILE`.
  package func run(_ more: [String], on bytes: [UInt8], named name: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stereo-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try run(more.map { $0 == "FILE" ? file.path : $0 })
  }
}

import DepthImages
import Foundation

/// The Python library Pillow, an independent reader of pictures. `DEPTH_PYTHON` names the
/// interpreter, by default `python3`.
enum Pillow {
  static let isInstalled = (try? run("import PIL.Image")) != nil

  /// The samples as Pillow stores them. 16-bit samples are little-endian.
  static func pixels(of file: URL) throws -> [UInt8] {
    let script = """
      import array, sys, PIL.Image
      image = PIL.Image.open(sys.argv[1]); image.load()
      sys.stdout.buffer.write(
        array.array("H", image.getdata()).tobytes() if image.mode.startswith("I")
        else image.tobytes())
      """
    return try run(script, file.path)
  }

  private struct Failure: Error {}

  private static func run(_ script: String, _ arguments: String...) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let python = ProcessInfo.processInfo.environment["DEPTH_PYTHON"] ?? "python3"
    process.arguments = [python, "-c", script] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
    return Array(data)
  }
}

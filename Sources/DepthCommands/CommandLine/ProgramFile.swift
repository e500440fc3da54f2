import DepthBase
import DepthErrors
import WeightsFiles

/// The file of the running program.
enum ProgramFile {
  private static var path: String {
    #if os(Linux)
      // It leads to the program that runs, even if another one has its name since.
      "/proc/self/exe"
    #else
      WeightsLocation.executable.path(percentEncoded: false)
    #endif
  }

  /// A text that builds of the program differ in: the length and the CRC-32 of the file, which takes milliseconds.
  ///
  /// Two builds of one length have the same one by a chance of 1 in 4 billion.
  ///
  /// - Parameter path: The program's own by default.
  /// - Throws: `DepthError` where the file cannot be read.
  static func digest(of path: String = path) throws -> String {
    let file = try RandomAccessFile(path: path)
    var sum: UInt32 = 0
    try file.forEachPiece(of: 0..<file.size, "the program") {
      sum = CRC32.checksum($0, after: sum)
    }
    return "\(file.size) bytes, CRC-32 \(String(sum, radix: 16))"
  }
}

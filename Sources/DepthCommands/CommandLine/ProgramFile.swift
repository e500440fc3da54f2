import DepthBase
import DepthErrors
import WeightsFiles

/// The file of the running program.
enum ProgramFile {
  private static var path: String {
    #if os(Linux)
      // This link refers to the running program, even if the program's file was replaced.
      "/proc/self/exe"
    #else
      WeightsLocation.executable.path(percentEncoded: false)
    #endif
  }

  /// Identifies a build of the program by its length and CRC-32, which takes milliseconds.
  ///
  /// Two builds with the same length have the same digest with a probability of 1 in 4 billion.
  ///
  /// - Parameter path: The file; by default the running program.
  /// - Throws: `DepthError` if the file cannot be read.
  static func digest(of path: String = path) throws -> String {
    let file = try RandomAccessFile(path: path)
    var sum: UInt32 = 0
    try file.forEachPiece(of: 0..<file.size, "the program") {
      sum = CRC32.checksum($0, after: sum)
    }
    return "\(file.size) bytes, CRC-32 \(String(sum, radix: 16))"
  }
}

package import DepthBase
import DepthErrors

/// The arrays of a published weights file, keyed by name.
package struct ArrayFile: Sendable {
  let file: RandomAccessFile
  /// The container's name in messages and reports.
  let form: String
  package let arrays: [String: StoredArray]
  /// The configuration beside a state dict; `nil` without a configuration.
  let config: ModelConfig?

  /// The first bytes of files by `torch.save` before PyTorch 1.6: a pickled number, not a ZIP archive.
  private static let earlyTorchFile: [UInt8] = [0x80, 2, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9]

  /// Maximum number of arrays in a file; the largest published network has 415.
  static let mostArrays = 10_000

  /// Opens a safetensors or `torch.save` file; `nil` for other content.
  ///
  /// - Throws: `DepthError`.
  package init?(_ file: RandomAccessFile) throws {
    let start = try file.bytes(0..<min(16, file.size), "its beginning")
    if start.starts(with: [0x50, 0x4B, 3, 4]) {
      self = try Self.torchFile(file)
    } else if let headerBytes = Self.safetensorsHeaderBytes(start, of: file) {
      self = try Self.safetensors(file, headerBytes: headerBytes)
    } else if start.starts(with: Self.earlyTorchFile) {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "was saved before PyTorch 1.6, expected the format of later versions: load it and save it again"
      )
    } else {
      return nil
    }
  }

  init(
    file: RandomAccessFile, form: String, arrays: [String: StoredArray],
    config: ModelConfig? = nil
  ) {
    (self.file, self.form, self.arrays, self.config) = (file, form, arrays, config)
  }

  /// Reads all numbers of an array, or only the numbers at some indices of the outermost axis.
  ///
  /// - Throws: `DepthError` for numbers that are not floats or not finite, and for an unreadable file.
  package func floats(_ name: String, _ array: StoredArray, rows: Range<Int>? = nil) throws
    -> [Float]
  {
    guard let format = array.format else {
      throw DepthError(
        .weightsMismatch, file: file.name,
        "'\(name)' holds \(array.typeName), not floating-point numbers")
    }
    let row = rows == nil ? array.count : array.count / max(array.shape.first ?? 1, 1)
    let taken = rows ?? 0..<1
    let values = try file.floats(
      format, at: array.offset + taken.lowerBound * row * format.bytes, count: taken.count * row,
      "'\(name)'")
    return try values.requireFinite(name, in: file.name)
  }
}

extension [Float] {
  /// - Throws: `DepthError` with code `weightsMismatch`.
  func requireFinite(_ name: String, in file: String) throws -> [Float] {
    guard allSatisfy(\.isFinite) else {
      throw DepthError(
        .weightsMismatch, file: file, "'\(name)' holds values that are not finite")
    }
    return self
  }
}

public import Foundation

/// A folder that is removed with all content when the object is released.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("swift-depth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// The URL of a file in the folder.
  public func url(_ name: String) -> URL { URL(filePath: path(name)) }

  /// The names of all direct entries, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file into the folder and returns its path.
  ///
  /// Foundation's `Data.write` waits for the disk, which makes tests of thousands of files slow.
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    // On ext4, rewriting an emptied file also waits for the disk. Writing a new file does not.
    unlink(path(name))
    guard let file = fopen(path(name), "wb") else { throw CocoaError(.fileWriteUnknown) }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    return path(name)
  }

  /// Removes a file, and returns whether the file existed.
  public static func remove(_ path: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    try FileManager.default.removeItem(atPath: path)
    return true
  }

  /// The bytes of a file anywhere.
  public static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

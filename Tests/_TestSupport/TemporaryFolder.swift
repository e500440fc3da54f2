public import Foundation

/// A folder that is removed with everything in it when its owner goes.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("swift-depth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Path of a file in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// The same as a URL.
  public func url(_ name: String) -> URL { URL(filePath: path(name)) }

  /// Names of everything directly inside, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Writes a file into the folder and returns its path.
  ///
  /// Foundation's `Data.write` waits for the disk, which takes most of the time of a test of thousands of files.
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    // On ext4, a file that is emptied and written again waits for the disk too, and a new one does not.
    unlink(path(name))
    guard let file = fopen(path(name), "wb") else { throw CocoaError(.fileWriteUnknown) }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    return path(name)
  }

  /// Removes a file; whether it was there.
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

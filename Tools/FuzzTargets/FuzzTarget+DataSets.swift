import DepthBase
import DepthEvaluation
import SystemEssentials

/// Parsers that take the name of a file.
extension FuzzTarget {
  /// The first byte is the kind of file.
  func readDataSet(_ bytes: [UInt8]) throws {
    guard let kind = bytes.first else { throw Refused() }
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "swift-depth-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ content: some Sequence<UInt8>, to name: String) throws -> URL {
      let file = folder.appending(path: name)
      try Data(content).write(to: file)
      return file
    }
    let content = bytes.dropFirst()
    switch kind & 1 {
    case 0:
      let set = try PairedFiles(associationList: write(content, to: "pairs.txt"))
      try require(!set.frameNames.isEmpty, "no frames")
    default:
      // A zero byte ends the list of photos.
      let lists = content.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      _ = try write(lists[0], to: "rgb.txt")
      _ = try write(lists.count > 1 ? lists[1] : [], to: "depth.txt")
      let set = try PairedFiles(timestampedFolder: folder)
      try require(!set.frameNames.isEmpty, "no frames")
    }
  }
}

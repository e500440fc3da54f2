/// Reads a file in blocks and keeps them, since the fields of its structure are a few bytes each and mostly beside each other.
struct FileBlocks {
  private let file: HDF5File
  private var blocks: [Int: [UInt8]] = [:]
  private static let blockBytes = 4096
  /// Blocks that are kept, 4 MiB.
  private static let largestCount = 1024

  init(_ file: HDF5File) { self.file = file }

  /// Bytes of the file.
  ///
  /// - Precondition: The file had them when it was opened.
  /// - Throws: `DepthError` when the file cannot be read.
  mutating func bytes(from start: Int, count: Int) throws -> [UInt8] {
    guard count < Self.blockBytes else { return try read(from: start, count: count) }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count {
      let position = start + result.count
      let block = try block(position / Self.blockBytes)
      let first = position % Self.blockBytes
      result += block[first..<min(block.count, first + count - result.count)]
    }
    return result
  }

  private mutating func block(_ number: Int) throws -> [UInt8] {
    if let block = blocks[number] { return block }
    let start = number * Self.blockBytes
    let block = try read(from: start, count: min(Self.blockBytes, file.size - start))
    if blocks.count == Self.largestCount { blocks = [:] }
    blocks[number] = block
    return block
  }

  private func read(from start: Int, count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      try unsafe file.read(
        into: UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]),
        from: start, "the structure")
    }
  }
}

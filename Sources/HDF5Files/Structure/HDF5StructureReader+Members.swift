import DepthBase

extension HDF5StructureReader {
  /// A member of a group.
  struct Member {
    let name: String
    /// The address of the member's header; `nil` for a soft link.
    let address: UInt64?
  }

  /// The members of a group, at most one more than ``HDF5Limits/members``.
  ///
  /// - Parameter table: The group's symbol table message, which contains the addresses of a tree and of a heap of names.
  /// - Throws: `StructureFault`; `DepthError` if the file cannot be read.
  mutating func members(inTable table: HDF5Fields) throws -> [Member] {
    let heap = try fields(at: table.number(at: 8, bytes: 8), count: 32)
    try heap.require("HEAP", "its local heap")
    guard try heap.small(at: 4) == 0 else {
      throw StructureFault("its local heap is not of version 0")
    }
    let names = try fields(
      at: heap.number(at: 24, bytes: 8), count: heap.number(at: 8, bytes: 8))
    var members: [Member] = []
    try visit(table.number(at: 0, bytes: 8), level: nil, names: names, into: &members)
    return members
  }

  /// Appends the members below a node of a group's tree.
  ///
  /// - Parameter level: The node's distance from the leaves; `nil` for the root. The level decreases with each step, so the
  ///   visit of a cyclic tree ends.
  private mutating func visit(
    _ address: UInt64, level: Int?, names: HDF5Fields, into members: inout [Member]
  ) throws {
    let head = try fields(at: address, count: 24)
    try head.require("TREE", "its B-tree")
    let found = try head.small(at: 5)
    guard try head.small(at: 4) == 0, level == nil || level == found else {
      throw StructureFault("its B-tree has a node of another kind")
    }
    let entries = try head.small(at: 6, bytes: 2)
    // The node has a first key, followed by a child and the next key per entry.
    let children = try fields(at: address + 24, count: 8 + 16 * entries)
    for entry in 0..<entries where members.count <= HDF5Limits.members {
      let child = try children.number(at: 8 + 16 * entry, bytes: 8)
      if found == 0 {
        try appendSymbols(at: child, names: names, to: &members)
      } else {
        try visit(child, level: found - 1, names: names, into: &members)
      }
    }
  }

  /// Appends the members in a leaf of a group's tree.
  private mutating func appendSymbols(
    at address: UInt64, names: HDF5Fields, to members: inout [Member]
  ) throws {
    let head = try fields(at: address, count: 8)
    try head.require("SNOD", "a symbol table node")
    guard try head.small(at: 4) == 1 else {
      throw StructureFault("a symbol table node is not of version 1")
    }
    let count = try head.small(at: 6, bytes: 2)
    let symbols = try fields(at: address + 8, count: 40 * count)
    for index in 0..<count where members.count <= HDF5Limits.members {
      let symbol = try symbols.part(from: 40 * index, count: 40)
      let isLink = try symbol.small(at: 16, bytes: 4) == 2
      members.append(
        Member(
          name: try names.name(at: symbol.number(at: 0, bytes: 8)),
          address: isLink ? nil : try symbol.number(at: 8, bytes: 8)))
    }
  }
}

/// A reader that caches blocks of a file, because most fields of a file's structure are short and adjacent.
struct FileBlocks {
  private let file: HDF5File
  private var blocks: [Int: [UInt8]] = [:]
  private static let blockBytes = 4096
  /// Number of blocks kept, 4 MiB in total.
  private static let largestCount = 1024

  init(_ file: HDF5File) { self.file = file }

  /// Bytes of the file.
  ///
  /// - Precondition: The file contained these bytes when it was opened.
  /// - Throws: `DepthError` if the file cannot be read.
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
    try unsafe filledThroughPointer(count: count) {
      try unsafe file.read(
        into: UnsafeMutableRawBufferPointer(start: $0, count: count), from: start, "the structure")
    }
  }
}

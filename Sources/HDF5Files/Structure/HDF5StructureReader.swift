import DepthErrors

/// A reader that describes files without the HDF5 library, for the part of the format that this package's weights files
/// use.
///
/// The reader supports the library's default forms: superblock and headers of the first version, groups as symbol
/// tables, contiguous or compact datasets, attributes of numbers and of text. It rejects other valid structures with
/// ``UnreadForm``, and reports contradictions of the format as damage. All addresses are relative to the superblock,
/// which follows the user block.
///
/// Unlike the library, the reader is memory-safe and needs no child process. Every claim of the file is checked, and
/// the bytes read for one description are limited. A hostile file therefore ends in an error after a bounded time.
///
/// > Source: “HDF5 File Format Specification Version 3.0”, The HDF Group, sections II.A, III.A to III.D, IV.A.
struct HDF5StructureReader {
  let file: HDF5File
  /// Bytes left to read.
  private var budget = 64 << 20
  /// Minimum cost of a read in bytes, because every read takes time.
  private static let smallestRead = 256
  /// Maximum number of objects and attributes in one description.
  private static let objects = 1 << 15

  private var blocks: FileBlocks
  private var found: [HDF5Facts] = []
  private var root: UInt64 = 0

  /// Reads the superblock.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for a later version of the format; with code `damaged` if the
  ///   superblock is damaged, or if the file is shorter than its stated length.
  init(_ file: HDF5File) throws {
    (self.file, blocks) = (file, FileBlocks(file))
    do {
      let block = try fields(at: 0, count: 96)
      guard try block.small(at: 8) == 0 else {
        throw UnreadForm(
          "has an HDF5 superblock of version \(try block.small(at: 8)), expected version 0")
      }
      let (offsets, lengths) = (try block.small(at: 13), try block.small(at: 14))
      guard (offsets, lengths) == (8, 8) else {
        throw UnreadForm("has addresses of \(offsets) and lengths of \(lengths) bytes, expected 8")
      }
      guard try block.number(at: 24, bytes: 8) == UInt64(file.start) else {
        throw StructureFault("its base address differs from its place in the file")
      }
      guard try block.number(at: 40, bytes: 8) <= UInt64(file.size) else {
        throw file.invalid("is truncated at \(file.size) bytes")
      }
      root = try block.number(at: 64, bytes: 8)
    } catch let fault as StructureFault {
      throw file.damaged("header", fault.reason)
    } catch let form as UnreadForm {
      throw file.unread(form)
    }
  }

  /// The requested objects and attributes.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` if there are too many objects, or if an object has another
  ///   form; with code `unreadable` if the file cannot be read.
  mutating func description(of items: [HDF5Request]) throws -> HDF5Description {
    do {
      for item in items { try describe(item) }
    } catch let form as UnreadForm {
      throw file.unread(form)
    }
    return HDF5Description(facts: found)
  }

  private mutating func describe(_ item: HDF5Request) throws {
    switch item {
    case .everything:
      try describe("/", at: root, depth: 2)
    case .group(let path):
      if let address = try address(of: path) { try describe(path, at: address, depth: 1) }
    case .object(let path):
      if let address = try address(of: path) { try describe(path, at: address, depth: 0) }
    case .attribute(let name):
      try describeAttribute(name)
    }
  }

  /// Bytes of the file from an address.
  ///
  /// - Throws: `StructureFault` if the bytes are not inside the file; `DepthError` if the file cannot be read or the
  ///   budget is exhausted.
  mutating func fields(at address: UInt64, count: some BinaryInteger) throws -> HDF5Fields {
    let (start, isBeyond) = address.addingReportingOverflow(UInt64(file.start))
    guard !isBeyond, start <= UInt64(file.size), count <= UInt64(file.size) - start else {
      throw StructureFault(
        "it refers to \(count) bytes from byte \(address) on, beyond the file's end")
    }
    budget -= max(Int(count), Self.smallestRead)
    guard budget >= 0 else { throw file.unsupported("has too many objects or chunks") }
    return HDF5Fields(try blocks.bytes(from: Int(start), count: Int(count))[...])
  }

  private mutating func add(_ facts: HDF5Facts) throws {
    guard found.count < Self.objects else {
      throw file.unsupported("has too many objects or chunks")
    }
    found.append(facts)
  }

  /// Describes the object at an address. With `depth` 1, the members of the object are also described. With `depth` 2, the
  /// members of these members are described, too.
  private mutating func describe(_ path: String, at address: UInt64, depth: Int) throws {
    var facts = HDF5Facts(path: path, kind: .other)
    var members: [Member] = []
    do {
      let header = try header(at: address)
      if header.has(.linkInfo) || header.has(.link) || header.has(.attributeInfo) {
        throw UnreadForm("has groups of a newer form, expected symbol tables")
      }
      if let table = try header.message(.symbolTable) {
        facts.kind = .group
        if depth > 0 {
          members = try self.members(inTable: table)
          facts.links = members.count
        }
      } else if header.has(.layout) {
        facts.kind = .dataset
        try facts.readDataset(header, start: file.start)
      }
    } catch let fault as StructureFault {
      (facts.kind, facts.cause, members) = (.damaged, fault.reason, [])
    }
    try add(facts)
    guard facts.links <= HDF5Limits.members else { return }
    for member in members {
      let name = path == "/" ? member.name : path + "/" + member.name
      switch member.address {
      case nil: try add(HDF5Facts(path: name, kind: .link))
      case let address?: try describe(name, at: address, depth: depth - 1)
      }
    }
  }

  /// The address of the object at a path. If there is no object, describes the reason and returns `nil`.
  private mutating func address(of path: String) throws -> UInt64? {
    var facts = HDF5Facts(path: path, kind: .absent)
    var address: UInt64? = root
    do {
      for name in path.split(separator: "/") {
        guard let group = address else { break }
        let table = try header(at: group).message(.symbolTable)
        let member = try table.flatMap { try members(inTable: $0).first { $0.name == name } }
        address = member?.address
        if member != nil, address == nil { facts.kind = .link }
      }
    } catch let fault as StructureFault {
      (facts.kind, facts.cause, address) = (.damaged, fault.reason, nil)
    }
    if address == nil { try add(facts) }
    return address
  }

  /// Describes and reads one attribute of the root.
  private mutating func describeAttribute(_ name: String) throws {
    var facts = HDF5Facts(path: name, kind: .absent)
    facts.isAttribute = true
    do {
      for message in try header(at: root).messages where message.type == .attribute {
        let attribute = try AttributeMessage(message.content)
        guard attribute.name == name else { continue }
        facts.kind = .attribute
        guard !message.isShared, !attribute.isShared else {
          throw UnreadForm.shared
        }
        try facts.readAttribute(attribute)
        break
      }
    } catch let fault as StructureFault {
      (facts.kind, facts.cause) = (.damaged, fault.reason)
    }
    try add(facts)
  }
}

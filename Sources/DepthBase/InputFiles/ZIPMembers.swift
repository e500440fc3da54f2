import DepthErrors

/// The members of a ZIP archive, stored or deflated, without encryption.
///
/// > Source: PKWARE, “.ZIP File Format Specification”, version 6.3.10, sections 4.3 and 4.5.3 (ZIP64).
package struct ZIPMembers: Sendable {
  package struct Member: Sendable {
    /// The range of the member's bytes in the file.
    package let range: Range<Int>
    /// Size of deflated content; `nil` for stored content.
    fileprivate let inflatedSize: Int?
    fileprivate let checksum: UInt32

    package var isDeflated: Bool { inflatedSize != nil }
    /// Bytes of the content.
    package var size: Int { inflatedSize ?? range.count }
  }

  private let file: RandomAccessFile
  private let members: [String: Member]

  package var names: some Collection<String> { members.keys }

  package subscript(name: String) -> Member? { members[name] }

  /// Maximum bytes of the central directory. The largest published network's directory has 50 kB.
  private static let longestDirectory = 4 << 20
  /// Maximum number of members; the largest published network has 415.
  private static let mostMembers = 10_000
  /// Maximum compression ratio of deflate, which encodes a match of 258 bytes in two bits.
  private static let largestRatio = 1032
  private static let (memberSignature, directorySignature): (UInt64, UInt64) = (
    0x0403_4B50, 0x0201_4B50
  )

  /// Reads the central directory, and checks that members are inside the file and do not overlap.
  ///
  /// - Throws: `DepthError`.
  package init(of file: RandomAccessFile) throws {
    self.file = file
    let directory = try Self.directory(of: file)
    let bytes = try file.bytes(directory.range, "its central directory")
    var (members, at): ([String: Member], Int) = ([:], 0)
    for _ in 0..<directory.count {
      let (name, member, length) = try Self.member(
        in: bytes, at: at, of: file, before: directory.range.lowerBound)
      guard members.updateValue(member, forKey: name) == nil else {
        throw file.damaged("it has two members '\(name)'")
      }
      at += length
    }
    guard at == bytes.count else {
      throw file.damaged("its central directory has \(bytes.count) bytes, expected \(at)")
    }
    let ranges = members.values.map(\.range).filter { !$0.isEmpty }.sorted {
      $0.lowerBound < $1.lowerBound
    }
    guard zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else {
      throw file.damaged("its members overlap")
    }
    self.members = members
  }

  /// Reads the content of a member and verifies its checksum.
  ///
  /// Memory is limited to the stated size. A size that the deflate stream cannot reach is rejected.
  ///
  /// - Throws: `DepthError`, also for a member larger than `most` bytes.
  package func content(of member: Member, named name: String, most: Int) throws -> [UInt8] {
    guard member.size <= most else {
      throw file.damaged("'\(name)' has \(member.size) bytes, expected at most \(most)")
    }
    var bytes = try file.bytes(member.range, "'\(name)'")
    if let size = member.inflatedSize {
      guard size / Self.largestRatio <= bytes.count,
        let content = Inflate.content(of: bytes[...], capacity: size, isRaw: true),
        content.count == size
      else { throw file.damaged("'\(name)' does not unpack to its \(size) bytes") }
      bytes = content
    }
    guard CRC32.checksum(bytes[...]) == member.checksum else { throw differs(name) }
    return bytes
  }

  /// Verifies the checksum of a stored member.
  ///
  /// - Throws: `DepthError` with code `damaged` if the checksum differs.
  package func verify(_ member: Member, named name: String) throws {
    var sum: UInt32 = 0
    try file.forEachPiece(of: member.range, "'\(name)'") { sum = CRC32.checksum($0, after: sum) }
    guard sum == member.checksum else { throw differs(name) }
  }

  private func differs(_ name: String) -> DepthError {
    file.damaged("'\(name)' differs from its checksum")
  }

  /// The central directory's range and number of entries, from the end record or the ZIP64 end record.
  private static func directory(
    of file: RandomAccessFile
  ) throws -> (range: Range<Int>, count: Int) {
    let tail = try file.bytes(max(0, file.size - 22 - 0xFFFF)..<file.size, "its end")
    let end = stride(from: tail.count - 22, through: 0, by: -1).first {
      tail.number(at: $0) == 0x0605_4B50
        && tail.number(at: $0 + 20, bytes: 2) == UInt64(tail.count - $0 - 22)
    }
    guard let end else { throw file.damaged("its central directory is missing") }
    var (count, size, offset) = (
      tail.number(at: end + 10, bytes: 2), tail.number(at: end + 12), tail.number(at: end + 16)
    )
    var limit = file.size - tail.count + end
    if end >= 20, tail.number(at: end - 20) == 0x0706_4B50 {
      let record = tail.number(at: end - 12, bytes: 8)
      guard record <= UInt64(max(limit - 20 - 56, 0)) else {
        throw file.damaged("its ZIP64 record lies beyond the end of the file")
      }
      let fields = try file.bytes(Int(record)..<Int(record) + 56, "its ZIP64 record")
      guard fields.number(at: 0) == 0x0606_4B50 else {
        throw file.damaged("its ZIP64 record is missing")
      }
      (count, size, offset) = (
        fields.number(at: 32, bytes: 8), fields.number(at: 40, bytes: 8),
        fields.number(at: 48, bytes: 8)
      )
      limit = Int(record)
    }
    guard count <= UInt64(mostMembers), size <= UInt64(longestDirectory),
      offset <= UInt64(limit),
      Int(offset) + Int(size) <= limit
    else { throw file.damaged("its central directory is too long or beyond the end of the file") }
    return (Int(offset)..<Int(offset) + Int(size), Int(count))
  }

  /// The member at an offset in the central directory, and the length of its entry.
  private static func member(
    in bytes: [UInt8], at: Int, of file: RandomAccessFile, before limit: Int
  ) throws -> (name: String, Member, length: Int) {
    let truncated = file.damaged("its central directory is truncated")
    guard at + 46 <= bytes.count, bytes.number(at: at) == directorySignature else {
      throw truncated
    }
    let lengths = [28, 30, 32].map { Int(bytes.number(at: at + $0, bytes: 2)) }
    let length = 46 + lengths.reduce(0, +)
    guard at + length <= bytes.count,
      let name = String(validating: bytes[at + 46..<at + 46 + lengths[0]], as: UTF8.self)
    else { throw truncated }
    let extra = Array(bytes[at + 46 + lengths[0]..<at + 46 + lengths[0] + lengths[1]])
    var (compressed, size, offset) = (
      bytes.number(at: at + 20), bytes.number(at: at + 24), bytes.number(at: at + 42)
    )
    try extendByZIP64(extra, &size, &compressed, &offset, of: file, name)
    let method = bytes.number(at: at + 10, bytes: 2)
    guard method == 0 || method == 8 && Inflate.isAvailable,
      bytes.number(at: at + 8, bytes: 2) & 1 == 0
    else {
      throw DepthError(
        .unsupportedFormat, file: file.name,
        "'\(name)' is encrypted, or compressed by a method that this build does not support")
    }
    guard method == 8 || size == compressed, let inflated = Int(exactly: size) else {
      throw file.damaged("'\(name)' is stored uncompressed with two different sizes")
    }
    guard offset <= UInt64(max(limit - 30, 0)) else {
      throw file.damaged("'\(name)' lies beyond the end of the file")
    }
    let local = try file.bytes(Int(offset)..<Int(offset) + 30, "the header of '\(name)'")
    let begin =
      Int(offset) + 30 + Int(local.number(at: 26, bytes: 2)) + Int(local.number(at: 28, bytes: 2))
    guard local.number(at: 0) == memberSignature, Int(local.number(at: 26, bytes: 2)) == lengths[0],
      begin <= limit, compressed <= UInt64(limit - begin)
    else { throw file.damaged("'\(name)' lies beyond the end of the file or has no header") }
    let member = Member(
      range: begin..<begin + Int(compressed), inflatedSize: method == 8 ? inflated : nil,
      checksum: UInt32(bytes.number(at: at + 16)))
    return (name, member, length)
  }

  /// Replaces saturated 32-bit fields by the numbers of the ZIP64 extra field.
  private static func extendByZIP64(
    _ extra: [UInt8], _ size: inout UInt64, _ compressed: inout UInt64, _ offset: inout UInt64,
    of file: RandomAccessFile, _ name: String
  ) throws {
    let full = UInt64(UInt32.max)
    guard [size, compressed, offset].contains(full) else { return }
    var at = 0
    while at + 4 <= extra.count {
      let (kind, count) = (extra.number(at: at, bytes: 2), Int(extra.number(at: at + 2, bytes: 2)))
      guard at + 4 + count <= extra.count else { break }
      if kind == 1 {
        var next = at + 4
        func taken(_ field: UInt64) -> UInt64 {
          guard field == full, next + 8 <= at + 4 + count else { return field }
          defer { next += 8 }
          return extra.number(at: next, bytes: 8)
        }
        size = taken(size)
        compressed = taken(compressed)
        offset = taken(offset)
        return
      }
      at += 4 + count
    }
    throw file.damaged("'\(name)' has no ZIP64 field")
  }
}

extension [UInt8] {
  /// Decodes an unsigned number, least significant byte first.
  package func number(at offset: Int, bytes: Int = 4) -> UInt64 {
    self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

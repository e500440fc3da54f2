import DepthErrors

/// A contradiction of the HDF5 format in a part of a file.
struct StructureFault: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Valid HDF5 of a form that ``HDF5StructureReader`` does not read.
struct UnreadForm: Error {
  /// The reason, as a phrase after the file's name: "has object headers of version 2".
  let phrase: String

  init(_ phrase: String) { self.phrase = phrase }

  static let shared = UnreadForm(
    "has shared datatypes or dataspaces, expected unshared ones")
}

extension HDF5File {
  func unread(_ form: UnreadForm) -> DepthError {
    unsupported(form.phrase + " in a build without the trait HDF5")
  }
}

/// A part of a file's structure, with bounds-checked access.
///
/// > Source: “HDF5 File Format Specification Version 3.0”, The HDF Group. Numbers are unsigned, least significant
/// > byte first.
struct HDF5Fields {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }
  var array: [UInt8] { Array(bytes) }

  /// `count` bytes from `offset`, or all remaining bytes.
  ///
  /// - Throws: `StructureFault` if there are fewer bytes.
  func part(from offset: Int, count: Int? = nil) throws -> HDF5Fields {
    let rest = bytes.count - offset
    guard offset >= 0, rest >= 0, count ?? 0 >= 0, count ?? 0 <= rest else {
      throw StructureFault("it is truncated")
    }
    return HDF5Fields(bytes.dropFirst(offset).prefix(count ?? rest))
  }

  /// The number in 1 to 8 bytes from `offset`.
  ///
  /// - Throws: `StructureFault` if there are fewer bytes.
  func number(at offset: Int, bytes count: Int = 1) throws -> UInt64 {
    try part(from: offset, count: count).bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A number in one to four bytes.
  ///
  /// - Throws: `StructureFault` if there are fewer bytes.
  func small(at offset: Int, bytes count: Int = 1) throws -> Int {
    try Int(number(at: offset, bytes: count) & 0xFFFF_FFFF)
  }

  /// - Throws: `StructureFault` if the bytes do not begin with these letters.
  func require(_ signature: String, _ what: String) throws {
    guard bytes.starts(with: signature.utf8) else {
      throw StructureFault("\(what) does not begin with '\(signature)'")
    }
  }

  /// The text from `offset` to the next zero byte.
  ///
  /// - Throws: `StructureFault` if the text has no end, is longer than 511 bytes, or cannot name a member of a
  ///   group.
  func name(at offset: UInt64) throws -> String {
    guard offset < UInt64(bytes.count) else { throw StructureFault("a name is missing") }
    let rest = bytes.dropFirst(Int(offset)).prefix(512)
    guard let end = rest.firstIndex(of: 0), end > rest.startIndex else {
      throw StructureFault("a name is unterminated")
    }
    let name = rest[..<end]
    guard name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
      throw StructureFault("a name has an invalid character")
    }
    return String(decoding: name, as: UTF8.self)
  }
}

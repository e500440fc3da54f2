/// The content of an attribute's message, taken apart.
///
/// > Source: “HDF5 File Format Specification Version 3.0”, section IV.A.2.m.
struct AttributeMessage {
  let name: String
  let datatype, dataspace, values: HDF5Fields
  /// Whether the type or the extents are in another object.
  let isShared: Bool

  /// - Throws: `StructureFault`.
  init(_ message: HDF5Fields) throws {
    let version = try message.small(at: 0)
    guard (1...3).contains(version) else {
      throw StructureFault("an attribute is of version \(version), expected 1 to 3")
    }
    isShared = version > 1 ? try message.small(at: 1) & 3 != 0 : false
    // Version 3 has a byte for the encoding of the name; version 1 pads each part to eight bytes.
    var offset = version == 3 ? 9 : 8
    func next(_ sizeOffset: Int) throws -> HDF5Fields {
      let size = try message.small(at: sizeOffset, bytes: 2)
      defer { offset += version == 1 ? (size + 7) / 8 * 8 : size }
      return try message.part(from: offset, count: size)
    }
    name = String(decoding: try next(2).array.prefix { $0 != 0 }, as: UTF8.self)
    datatype = try next(4)
    dataspace = try next(6)
    values = try message.part(from: offset)
  }
}

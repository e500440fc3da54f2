import DepthBase

extension HDF5Facts {
  /// Reads a dataset's type, extents and layout from its header.
  ///
  /// - Parameter start: The byte of the file from which addresses count.
  /// - Throws: `StructureFault`, `UnreadForm`.
  mutating func readDataset(_ header: ObjectHeader, start: Int) throws {
    guard let datatype = try header.message(.datatype),
      let dataspace = try header.message(.dataspace), let place = try header.message(.layout)
    else { throw StructureFault("its datatype, dataspace or layout is missing") }
    try readDatatype(datatype)
    try readDataspace(dataspace)
    try readLayout(place, start: UInt64(start))
    layout.externalFiles = header.has(.externalFiles) ? 1 : 0
  }

  /// Reads an attribute's type, extents and values. Numbers become 64-bit words of this machine.
  ///
  /// - Throws: `StructureFault`.
  mutating func readAttribute(_ attribute: AttributeMessage) throws {
    try readDatatype(attribute.datatype)
    try readDataspace(attribute.dataspace)
    guard let count = elementCount, count > 0, extents.count <= 1,
      count <= UInt64(HDF5Limits.attributeBytes), elementBytes > 0,
      elementBytes <= UInt64(HDF5Limits.attributeBytes),
      count * elementBytes <= UInt64(HDF5Limits.attributeBytes)
    else { return }
    let stored = try attribute.values.part(from: 0, count: Int(count * elementBytes))
    switch elementType {
    case .text(_?): data = stored.array
    case .integer, .float16, .float32, .float64:
      let size = Int(elementBytes)
      for index in 0..<Int(count) {
        let word = word(try stored.number(at: index * size, bytes: size))
        unsafe withUnsafeBytes(of: word) { unsafe data.append(contentsOf: $0) }
      }
    case .text(nil), .other: break
    }
  }

  /// Converts the stored bits of an integer or a float to the bits of `Int64` or `Double`.
  private func word(_ stored: UInt64) -> UInt64 {
    let unused = UInt64(64 - 8 * elementBytes)
    // The bytes were read with the least significant byte first. In the opposite order, the element's bytes are at the upper
    // end.
    let isBigEndian = isSwapped == (1.littleEndian == 1)
    let bits = isBigEndian ? stored.byteSwapped >> unused : stored
    switch elementType {
    case .integer(_, signed: true):
      return UInt64(bitPattern: Int64(bitPattern: bits << unused) >> Int64(unused))
    case .integer: return min(bits, UInt64(Int64.max))
    case .float16: return Double(Float(binary16: UInt16(truncatingIfNeeded: bits))).bitPattern
    case .float32: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))).bitPattern
    default: return bits
    }
  }

  /// The product of the extents; `nil` for a product beyond 64 bits, and if there are no values.
  private var elementCount: UInt64? {
    guard !isNull else { return nil }
    var count: UInt64 = 1
    for extent in extents {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow else { return nil }
      count = product
    }
    return count
  }

  /// > Source: “HDF5 File Format Specification Version 3.0”, section IV.A.2.b.
  private mutating func readDataspace(_ message: HDF5Fields) throws {
    let (version, rank, flags) = (
      try message.small(at: 0), try message.small(at: 1), try message.small(at: 2)
    )
    guard version == 1 || version == 2, rank <= 32, flags & ~1 == 0 else {
      throw StructureFault("its dataspace has version \(version) with \(rank) axes")
    }
    if version == 2 {
      let kind = try message.small(at: 3)
      guard kind <= 2, kind == 1 || rank == 0 else {
        throw StructureFault("its dataspace has type \(kind)")
      }
      isNull = kind == 2
    }
    let first = version == 1 ? 8 : 4
    extents = try (0..<rank).map { try message.number(at: first + 8 * $0, bytes: 8) }
  }

  /// > Source: “HDF5 File Format Specification Version 3.0”, section IV.A.2.d.
  private mutating func readDatatype(_ message: HDF5Fields) throws {
    let head = try message.small(at: 0)
    guard (1...5).contains(head >> 4) else {
      throw StructureFault("its datatype has version \(head >> 4)")
    }
    let bits = try message.small(at: 1, bytes: 3)
    elementBytes = try message.number(at: 4, bytes: 4)
    guard elementBytes > 0 else { throw StructureFault("its values have a size of 0 bytes") }
    let size = Int(elementBytes)
    isSwapped = head & 15 <= 1 && (bits & 1 == 1) == (1.littleEndian == 1)
    switch head & 15 {
    case 0:
      let (offset, precision) = (
        try message.small(at: 8, bytes: 2), try message.small(at: 10, bytes: 2)
      )
      elementType =
        offset == 0 && precision == 8 * size && size <= 8
        ? .integer(bits: precision, signed: bits & 8 != 0)
        : .other("integer in an unusual format")
    case 1 where bits & 0x40 != 0:
      elementType = .other("float in an unusual byte order")
    case 1:
      elementType = HDF5ElementType(
        HDF5ElementType.FloatFormat(
          bytes: size, sign: bits >> 8 & 255, exponent: try message.small(at: 12),
          exponentBits: try message.small(at: 13), mantissa: try message.small(at: 14),
          mantissaBits: try message.small(at: 15), bias: try message.small(at: 16, bytes: 4),
          hasImpliedOne: bits >> 4 & 3 == 2))
    case 3: elementType = .text(bytes: size)
    case 6: elementType = .other("compound")
    case 7: elementType = .other("reference")
    case 8: elementType = .other("enumeration")
    case 9: elementType = bits & 15 == 1 ? .text(bytes: nil) : .other("variable-length sequence")
    default: elementType = .other("unknown")
    }
  }

  /// > Source: “HDF5 File Format Specification Version 3.0”, section IV.A.2.i.
  private mutating func readLayout(_ message: HDF5Fields, start: UInt64) throws {
    let version = try message.small(at: 0)
    if version == 1 || version == 2 {
      throw UnreadForm("has data layouts of version \(version), expected 3 or 4")
    }
    guard version == 3 || version == 4 else {
      throw StructureFault("its layout has version \(version), expected 3 or 4")
    }
    let bytes = elementCount.map { $0.multipliedReportingOverflow(by: elementBytes) }
    func require(_ stored: UInt64) throws {
      // The check of the extents rejects a product beyond 64 bits.
      guard let bytes, !bytes.overflow, bytes.partialValue != stored else { return }
      throw StructureFault("it has \(stored) bytes, expected \(bytes.partialValue)")
    }
    switch try message.small(at: 1) {
    case 0:
      let count = try message.small(at: 2, bytes: 2)
      try require(UInt64(count))
      layout.kind = .compact
      data = try message.part(from: 4, count: count).array
    case 1:
      let address = try message.number(at: 2, bytes: 8)
      try require(try message.number(at: 10, bytes: 8))
      layout.kind = .contiguous
      layout.isAllocated = address != .max
      let (offset, isBeyond) = address.addingReportingOverflow(start)
      guard !layout.isAllocated || !isBeyond else {
        throw StructureFault("its values are beyond the file's end")
      }
      layout.offset = isBeyond ? address : offset
    case 2: layout.kind = .chunked
    case 3 where version == 4: layout.kind = .virtual
    default: throw StructureFault("its layout has an unknown class")
    }
  }
}

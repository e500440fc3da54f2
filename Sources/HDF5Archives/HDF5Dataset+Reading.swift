/// All elements of a dataset in row-major order. Every function throws
/// ``WeightsError/unreadable(file:reason:)`` when the elements are of another kind or damaged.
extension HDF5Dataset {
  /// Numbers of any kind, rounded to 32-bit floats.
  package func floats() throws -> [Float] {
    try [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      try read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      initialized = count
    }
  }

  /// Numbers of any kind as 32-bit floats into `buffer`, which has room for exactly ``count``.
  ///
  /// Contiguous 32-bit floats come straight from the file.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws {
    precondition(buffer.count == count, "room for \(buffer.count) values, expected \(count)")
    switch type {
    case .float32:
      try readStored(into: UnsafeMutableRawBufferPointer(buffer))
      if isSwapped {
        for i in 0..<count { buffer[i] = Float(bitPattern: buffer[i].bitPattern.byteSwapped) }
      }
    case .float16:
      try decode(as: UInt16.self, into: buffer) { Float(binary16: $0) }
    case .float64:
      try decode(as: UInt64.self, into: buffer) { Float(Double(bitPattern: $0)) }
    case .integer, .text, .other:
      let values = try integers()
      for i in 0..<count { buffer[i] = Float(values[i]) }
    }
  }

  /// Where the floats stand in the file, one after the other in this machine's order; `nil` otherwise.
  var floatOffset: Int? {
    guard type == .float32, !isSwapped, case .contiguous(let offset) = layout else { return nil }
    return offset
  }

  /// The 32-bit floats of some indices of the outermost axis.
  ///
  /// - Precondition: ``floatOffset`` is known.
  func floats(rows: Range<Int>) throws -> [Float] {
    guard let floatOffset else {
      preconditionFailure("dataset '\(path)' holds \(type), expected contiguous float32")
    }
    let row = count / max(shape.first ?? 1, 1)
    return try [Float](unsafeUninitializedCapacity: rows.count * row) { buffer, initialized in
      initialized = rows.count * row
      try file.read(
        into: UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer[..<initialized])),
        from: floatOffset + rows.lowerBound * row * MemoryLayout<Float>.stride,
        "dataset '\(path)'")
    }
  }

  /// Numbers of any kind, rounded to 64-bit floats.
  package func doubles() throws -> [Double] {
    guard type == .float64 else { return try floats().map(Double.init) }
    return try decoded(as: UInt64.self) { Double(bitPattern: $0) }
  }

  /// Integers of 8 to 64 bits.
  package func integers() throws -> [Int] {
    switch type {
    case .integer(bits: 8, signed: true): try decoded(as: Int8.self, Int.init)
    case .integer(bits: 8, signed: false): try decoded(as: UInt8.self, Int.init)
    case .integer(bits: 16, signed: true): try decoded(as: Int16.self, Int.init)
    case .integer(bits: 16, signed: false): try decoded(as: UInt16.self, Int.init)
    case .integer(bits: 32, signed: true): try decoded(as: Int32.self, Int.init)
    case .integer(bits: 32, signed: false): try decoded(as: UInt32.self, Int.init)
    case .integer(bits: 64, signed: true): try decoded(as: Int64.self, Int.init)
    case .integer(bits: 64, signed: false): try decoded(as: UInt64.self, Int.init(clamping:))
    default: throw unexpected("integers")
    }
  }

  /// Integers of 8 bits without sign.
  package func bytes() throws -> [UInt8] {
    guard type == .integer(bits: 8, signed: false) else { throw unexpected("uint8") }
    return try storedBytes()
  }

  /// Text of a fixed number of bytes.
  package func strings() throws -> [String] {
    guard case .text(let bytes?) = type else { throw unexpected("text of fixed length") }
    return HDF5File.strings(try storedBytes(), bytes: bytes)
  }

  func unexpected(_ wanted: String) -> any Error {
    file.unreadable("dataset '\(path)' holds \(type), expected \(wanted)")
  }

  private func decoded<Stored: FixedWidthInteger & BitwiseCopyable, Value>(
    as stored: Stored.Type, _ value: (Stored) -> Value
  ) throws -> [Value] {
    try [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      try decode(
        as: stored, into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]), value)
      initialized = count
    }
  }

  /// Writes what `value` makes of each element, its bytes in this machine's order, into `buffer`.
  @inline(__always)
  func decode<Stored: FixedWidthInteger & BitwiseCopyable, Value>(
    as _: Stored.Type, into buffer: UnsafeMutableBufferPointer<Value>,
    _ value: (Stored) -> Value
  ) throws {
    precondition(MemoryLayout<Stored>.size == elementBytes, "\(Stored.self) read as \(type)")
    try storedBytes().withUnsafeBytes { bytes in
      for i in 0..<count {
        let stored = bytes.loadUnaligned(
          fromByteOffset: i * MemoryLayout<Stored>.size, as: Stored.self)
        buffer[i] = value(isSwapped ? stored.byteSwapped : stored)
      }
    }
  }
}

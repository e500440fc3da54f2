import DepthBase

/// The elements of a dataset in row-major order.
///
/// Every function throws `DepthError`: code `unsupportedFormat` for elements of another type, code `damaged`
/// for missing or damaged elements, and code `unreadable` if the system cannot read the elements.
extension HDF5Dataset {
  /// Numbers of any type, rounded to 32-bit floats.
  package func floats() throws -> [Float] {
    try unsafe [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      try unsafe read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      initialized = count
    }
  }

  /// Reads numbers of any type, rounded to 32-bit floats, into `buffer`, which has exactly ``count``
  /// elements.
  ///
  /// Contiguous 32-bit floats are read without a copy.
  package func read(into buffer: UnsafeMutableBufferPointer<Float>) throws {
    precondition(buffer.count == count, "room for \(buffer.count) values, expected \(count)")
    switch type {
    case .float32 where !isSwapped:
      try unsafe readStored(into: UnsafeMutableRawBufferPointer(buffer))
    default:
      try unsafe storedBytes().withUnsafeBytes { try unsafe convert($0, into: buffer) }
    }
  }

  /// Converts stored elements to 32-bit floats in `buffer`, which has the same number of elements.
  func convert(
    _ stored: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<Float>
  ) throws {
    switch type {
    case .float32 where !isSwapped:
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: stored)
    case .float32: unsafe decode(stored, as: UInt32.self, into: buffer) { Float(bitPattern: $0) }
    case .float16: unsafe decode(stored, as: UInt16.self, into: buffer) { Float(binary16: $0) }
    case .float64:
      unsafe decode(stored, as: UInt64.self, into: buffer) { Float(Double(bitPattern: $0)) }
    case .integer(bits: 8, signed: true):
      unsafe decode(stored, as: Int8.self, into: buffer, Float.init)
    case .integer:
      for (i, value) in try unsafe integers(in: stored).enumerated() {
        unsafe buffer[i] = Float(value)
      }
    case .text, .other: throw unexpected("numbers")
    }
  }

  /// Whether the elements are contiguous in the file, which allows reading only a part.
  package var isContiguous: Bool {
    if case .contiguous = layout { true } else { false }
  }

  /// The numbers at some indices of the outermost axis, rounded to 32-bit floats.
  ///
  /// - Precondition: ``isContiguous``, and the dataset has these indices.
  package func floats(rows: Range<Int>) throws -> [Float] {
    let (start, count) = place(ofRows: rows)
    return try unsafe [Float](unsafeUninitializedCapacity: count) {
      buffer, initialized in
      initialized = count
      let floats = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<initialized])
      guard type != .float32 || isSwapped else {
        return try unsafe file.read(
          into: UnsafeMutableRawBufferPointer(floats), from: start, "dataset '\(path)'")
      }
      try unsafe withUnsafeTemporaryAllocation(byteCount: initialized * elementBytes, alignment: 8)
      {
        try unsafe file.read(into: $0, from: start, "dataset '\(path)'")
        try unsafe convert(UnsafeRawBufferPointer($0), into: floats)
      }
    }
  }

  /// The stored signed 8-bit integers at some indices of the outermost axis.
  ///
  /// - Precondition: ``isContiguous``, and the dataset has these indices.
  package func bytes(rows: Range<Int>) throws -> [Int8] {
    guard type == .integer(bits: 8, signed: true) else { throw unexpected("int8") }
    let (start, count) = place(ofRows: rows)
    return try unsafe filledThroughPointer(count: count) {
      try unsafe file.read(
        into: UnsafeMutableRawBufferPointer(start: $0, count: count), from: start,
        "dataset '\(path)'")
    }
  }

  /// The file offset and the number of the elements at some indices of the outermost axis.
  private func place(ofRows rows: Range<Int>) -> (start: Int, count: Int) {
    guard case .contiguous(let offset) = layout, let extent = shape.first,
      rows.lowerBound >= 0, rows.upperBound <= extent
    else {
      preconditionFailure("rows \(rows) of '\(path)' with shape \(shape)")
    }
    let row = count / max(extent, 1)
    return (offset + rows.lowerBound * row * elementBytes, rows.count * row)
  }

  /// Numbers of any type, rounded to 64-bit floats.
  package func doubles() throws -> [Double] {
    guard type == .float64 else { return try floats().map(Double.init) }
    return try unsafe storedBytes().withUnsafeBytes {
      unsafe decoded($0, as: UInt64.self) { Double(bitPattern: $0) }
    }
  }

  /// Integers of 8 to 64 bits.
  package func integers() throws -> [Int] {
    guard case .integer = type else { throw unexpected("integers") }
    return try unsafe storedBytes().withUnsafeBytes { try unsafe integers(in: $0) }
  }

  private func integers(in stored: UnsafeRawBufferPointer) throws -> [Int] {
    switch type {
    case .integer(bits: 8, signed: true): unsafe decoded(stored, as: Int8.self, Int.init)
    case .integer(bits: 8, signed: false): unsafe decoded(stored, as: UInt8.self, Int.init)
    case .integer(bits: 16, signed: true): unsafe decoded(stored, as: Int16.self, Int.init)
    case .integer(bits: 16, signed: false): unsafe decoded(stored, as: UInt16.self, Int.init)
    case .integer(bits: 32, signed: true): unsafe decoded(stored, as: Int32.self, Int.init)
    case .integer(bits: 32, signed: false): unsafe decoded(stored, as: UInt32.self, Int.init)
    case .integer(bits: 64, signed: true): unsafe decoded(stored, as: Int64.self, Int.init)
    case .integer(bits: 64, signed: false):
      unsafe decoded(stored, as: UInt64.self, Int.init(clamping:))
    default: throw unexpected("integers")
    }
  }

  /// Unsigned 8-bit integers.
  package func bytes() throws -> [UInt8] {
    guard type == .integer(bits: 8, signed: false) else { throw unexpected("uint8") }
    return try storedBytes()
  }

  /// Strings of a fixed length.
  package func strings() throws -> [String] {
    guard case .text(let bytes?) = type else { throw unexpected("text of fixed length") }
    return HDF5File.strings(try storedBytes(), bytes: bytes)
  }

  func unexpected(_ wanted: String) -> any Error {
    file.unsupported("dataset '\(path)' holds \(type), expected \(wanted)")
  }

  private func decoded<Stored: FixedWidthInteger & BitwiseCopyable, Value>(
    _ bytes: UnsafeRawBufferPointer, as stored: Stored.Type, _ value: (Stored) -> Value
  ) -> [Value] {
    let count = bytes.count / MemoryLayout<Stored>.size
    return unsafe filledThroughPointer(count: count) {
      unsafe decode(
        bytes, as: stored, into: UnsafeMutableBufferPointer(start: $0, count: count), value)
    }
  }

  /// Applies `value` to each element, in this machine's byte order, and writes the results into `buffer`.
  @inline(__always)
  private func decode<Stored: FixedWidthInteger & BitwiseCopyable, Value>(
    _ bytes: UnsafeRawBufferPointer, as _: Stored.Type,
    into buffer: UnsafeMutableBufferPointer<Value>, _ value: (Stored) -> Value
  ) {
    let size = MemoryLayout<Stored>.size
    precondition(size == elementBytes, "\(Stored.self) read as \(type)")
    precondition(
      bytes.count == buffer.count * size,
      "\(bytes.count) bytes for \(buffer.count) elements of \(size)")
    for i in 0..<buffer.count {
      let stored = unsafe bytes.loadUnaligned(fromByteOffset: i * size, as: Stored.self)
      unsafe buffer[i] = value(isSwapped ? stored.byteSwapped : stored)
    }
  }
}

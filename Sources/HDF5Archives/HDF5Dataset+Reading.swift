import CHDF5

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

  /// The 32-bit floats of some indices of the outermost axis.
  ///
  /// - Precondition: the floats stand in the file as they are (``floatOffset`` is known).
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
    try type == .float16 ? floats().map(Double.init) : array(of: Double.self, as: .float64)
  }

  /// Integers of any width.
  package func integers() throws -> [Int] {
    try array(of: Int64.self, as: .int64).map(Int.init)
  }

  /// Integers of 8 bits without sign.
  package func bytes() throws -> [UInt8] {
    try array(of: UInt8.self, as: .uint8)
  }

  /// Integers of 8 bits with sign.
  package func signedBytes() throws -> [Int8] {
    try array(of: Int8.self, as: .int8)
  }

  /// Numbers of any kind as 32-bit floats into `buffer`, which has room for exactly ``count``.
  ///
  /// Contiguous 32-bit floats come straight from the file without entering the library, so that
  /// several threads can read at once.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) throws {
    precondition(buffer.count == count, "room for \(buffer.count) values, expected \(count)")
    if let floatOffset {
      try file.read(
        into: UnsafeMutableRawBufferPointer(buffer), from: floatOffset, "dataset '\(path)'")
    } else if type == .float16 {
      let halves = try array(of: UInt16.self, as: .float16)
      for i in halves.indices { buffer[i] = Float(binary16: halves[i]) }
    } else {
      try read(into: UnsafeMutableRawBufferPointer(buffer), as: .float32)
    }
  }

  /// The extents that a buffer was made for: the library refuses to read a dataset that has others by
  /// now. Of the same rank as the dataset, or the library would copy chunks element by element. Call
  /// inside the lock.
  func memorySpace() -> HDF5Handle? {
    HDF5Handle(H5Screate_simple(Int32(shape.count), shape.map { hsize_t($0) }, nil))
  }

  private func array<Element>(
    of _: Element.Type, as memory: HDF5MemoryType
  ) throws -> [Element] {
    try [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      try read(
        into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count])),
        as: memory)
      initialized = count
    }
  }

  /// Lets the library read, undo filters, swap bytes and convert.
  private func read(
    into buffer: UnsafeMutableRawBufferPointer, as memory: HDF5MemoryType
  ) throws {
    guard memory.accepts(type) else {
      throw file.unreadable("dataset '\(path)' holds \(type), expected \(memory.expectation)")
    }
    guard count > 0 else { return }
    try HDF5Library.locked {
      guard let dataset = HDF5Handle(H5Dopen2(file.id, path, 0)),
        let stored = HDF5Handle(H5Dget_type(dataset.id)),
        let wanted = memory.handle(stored: stored),
        let space = memorySpace()
      else { throw file.damaged("dataset '\(path)'") }
      guard H5Dread(dataset.id, wanted.id, space.id, 0, 0, buffer.baseAddress) >= 0 else {
        throw file.damaged("dataset '\(path)'")
      }
    }
  }
}

/// How the library is asked to lay elements out in memory.
enum HDF5MemoryType {
  case float32, float64, int8, uint8, int64
  /// The bits of a binary16 number.
  case float16

  /// Whether elements stored as `type` can be had as this one without nonsense.
  func accepts(_ type: HDF5ElementType) -> Bool {
    switch (self, type) {
    case (.float32, .float32), (.float32, .float64), (.float32, .integer): true
    case (.float64, .float32), (.float64, .float64), (.float64, .integer): true
    case (.int64, .integer): true
    case (.int8, .integer(bits: 8, signed: true)): true
    case (.uint8, .integer(bits: 8, signed: false)): true
    case (.float16, .float16): true
    default: false
    }
  }

  var expectation: String {
    switch self {
    case .float32, .float64: "numbers"
    case .int8: "int8"
    case .uint8: "uint8"
    case .int64: "integers"
    case .float16: "float16"
    }
  }

  /// The library's name for it. Call inside the lock.
  func handle(stored: borrowing HDF5Handle) -> HDF5Handle? {
    switch self {
    case .float32: HDF5Handle(H5Tcopy(ch5_native_float()))
    case .float64: HDF5Handle(H5Tcopy(ch5_native_double()))
    case .int8: HDF5Handle(H5Tcopy(ch5_native_int8()))
    case .uint8: HDF5Handle(H5Tcopy(ch5_native_uint8()))
    case .int64: HDF5Handle(H5Tcopy(ch5_native_int64()))
    case .float16: Self.inMachineOrder(H5Tcopy(stored.id))
    }
  }

  private static func inMachineOrder(_ copy: hid_t) -> HDF5Handle? {
    guard let type = HDF5Handle(copy) else { return nil }
    return H5Tset_order(type.id, H5Tget_order(ch5_native_float())) >= 0 ? consume type : nil
  }
}

import CDepthHDF5

extension HDF5Dataset {
  /// The stored bytes of all elements, in row-major order.
  ///
  /// - Throws: `DepthError` when they are missing, damaged or cannot be read.
  package func storedBytes() throws -> [UInt8] {
    let bytes = count * elementBytes
    return try [UInt8](unsafeUninitializedCapacity: bytes) { buffer, initialized in
      let elements = UnsafeMutableBufferPointer(rebasing: buffer[..<bytes])
      try readStored(into: UnsafeMutableRawBufferPointer(elements))
      initialized = bytes
    }
  }

  /// Reads the stored bytes of all elements into `buffer`, which has exactly their size.
  ///
  /// - Throws: `DepthError` when they are missing, damaged or cannot be read.
  package func readStored(into buffer: UnsafeMutableRawBufferPointer) throws {
    guard !buffer.isEmpty else { return }
    switch layout {
    case .contiguous(let offset):
      try file.read(into: buffer, from: offset, "dataset '\(path)'")
    case .compact(let bytes):
      guard bytes.count == buffer.count else { throw file.damaged("dataset '\(path)'") }
      buffer.copyBytes(from: bytes)
    case .chunked(let chunks):
      try HDF5ChunkReader(self, chunks).read(rows: 0..<shape[0], into: buffer, threads: 1)
    }
  }
}

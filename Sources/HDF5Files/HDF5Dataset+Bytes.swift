import CDepthHDF5

extension HDF5Dataset {
  /// The bytes of all elements as they were written, in row-major order.
  package func storedBytes() throws -> [UInt8] {
    let bytes = count * elementBytes
    return try [UInt8](unsafeUninitializedCapacity: bytes) { buffer, initialized in
      let elements = UnsafeMutableBufferPointer(rebasing: buffer[..<bytes])
      try readStored(into: UnsafeMutableRawBufferPointer(elements))
      initialized = bytes
    }
  }

  /// Writes the bytes of all elements into `buffer`, which has room for exactly so many.
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

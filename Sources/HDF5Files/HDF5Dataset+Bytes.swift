extension HDF5Dataset {
  /// The stored bytes of all elements, in row-major order.
  ///
  /// - Throws: `DepthError` when they are missing, damaged or cannot be read.
  package func storedBytes() throws -> [UInt8] {
    let bytes = count * elementBytes
    return try unsafe [UInt8](unsafeUninitializedCapacity: bytes) { buffer, initialized in
      let elements = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<bytes])
      try unsafe readStored(into: UnsafeMutableRawBufferPointer(elements))
      initialized = bytes
    }
  }

  /// Reads the stored bytes of all elements into `buffer`, which has exactly their size.
  ///
  /// - Throws: `DepthError` when they are missing, damaged or cannot be read.
  package func readStored(into buffer: UnsafeMutableRawBufferPointer) throws {
    guard unsafe !buffer.isEmpty else { return }
    switch layout {
    case .contiguous(let offset):
      try unsafe file.read(into: buffer, from: offset, "dataset '\(path)'")
    case .compact(let bytes):
      guard bytes.count == buffer.count else { throw file.damaged("dataset '\(path)'") }
      unsafe buffer.copyBytes(from: bytes)
    #if HDF5
      case .chunked(let chunks):
        try unsafe HDF5ChunkReader(self, chunks).read(rows: 0..<shape[0], into: buffer, threads: 1)
    #endif
    }
  }
}

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
    case .compact:
      try readCompact(into: buffer)
    case .chunked(let chunks):
      try HDF5ChunkReader(self, chunks).read(rows: 0..<shape[0], into: buffer, threads: 1)
    }
  }

  private func readCompact(into buffer: UnsafeMutableRawBufferPointer) throws {
    try HDF5Library.locked {
      // Extents of our own make the library refuse a dataset that has others by now.
      guard let dataset = HDF5Handle(H5Dopen2(file.id, path, 0)),
        let type = HDF5Handle(H5Dget_type(dataset.id)), H5Tget_size(type.id) == elementBytes,
        let space = HDF5Handle(
          H5Screate_simple(Int32(shape.count), shape.map { hsize_t($0) }, nil)),
        H5Dread(dataset.id, type.id, space.id, 0, 0, buffer.baseAddress) >= 0
      else { throw file.damaged("dataset '\(path)'") }
    }
  }
}

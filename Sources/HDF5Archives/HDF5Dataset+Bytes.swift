import CDeflate
import CHDF5

extension HDF5Dataset {
  /// The bytes of all elements as they were written, in row-major order.
  ///
  /// The library only says where a chunk stands; reading it and undoing filters is done here, outside
  /// its lock. So threads can decompress at once, and damaged data, against which the library does
  /// not guard its memory, is an error.
  func storedBytes() throws -> [UInt8] {
    let bytes = count * elementBytes
    return try [UInt8](unsafeUninitializedCapacity: bytes) { buffer, initialized in
      let elements = UnsafeMutableBufferPointer(rebasing: buffer[..<bytes])
      try readStored(into: UnsafeMutableRawBufferPointer(elements))
      initialized = bytes
    }
  }

  /// Writes the bytes of all elements into `buffer`, which has room for exactly so many.
  func readStored(into buffer: UnsafeMutableRawBufferPointer) throws {
    guard !buffer.isEmpty else { return }
    switch layout {
    case .contiguous(let offset):
      try file.read(into: buffer, from: offset, "dataset '\(path)'")
    case .compact:
      try readCompact(into: buffer)
    case .chunked(let chunks):
      for chunk in try storedChunks(chunks) {
        let part = ChunkPart(
          origin: chunk.origin, chunk: chunks.shape, dataset: shape, elementBytes: elementBytes)
        try elements(of: chunk, chunks).withUnsafeBytes { part.copy($0, to: buffer) }
      }
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

  /// A chunk as it stands in the file.
  private struct StoredChunk: Sendable {
    /// First element.
    var origin: [Int]
    /// First byte in the file, and number of bytes.
    var offset = 0
    var bytes = 0
    /// Bit `i` is set when filter `i` was left out.
    var mask: UInt32 = 0
  }

  private func storedChunks(_ chunks: HDF5Chunks) throws -> [StoredChunk] {
    try HDF5Library.locked {
      guard let dataset = HDF5Handle(H5Dopen2(file.id, path, 0)) else {
        throw file.damaged("dataset '\(path)'")
      }
      return try chunkOrigins(chunks).map { origin in
        let first = origin.map { hsize_t($0) }
        var chunk = StoredChunk(origin: origin)
        var (address, bytes) = (ch5_undefined_address(), hsize_t(0))
        let status = H5Dget_chunk_info_by_coord(dataset.id, first, &chunk.mask, &address, &bytes)
        guard status >= 0 else { throw file.damaged("dataset '\(path)'") }
        guard address != ch5_undefined_address() else {
          throw file.unreadable("values of dataset '\(path)' are missing from \(origin) on")
        }
        guard address <= haddr_t(file.size), bytes <= hsize_t(file.size - Int(address)) else {
          throw file.unreadable(
            "chunk at \(origin) of dataset '\(path)' claims bytes behind the end of the file")
        }
        (chunk.offset, chunk.bytes) = (Int(address), Int(bytes))
        return chunk
      }
    }
  }

  /// First element of every chunk, in row-major order.
  private func chunkOrigins(_ chunks: HDF5Chunks) -> [[Int]] {
    zip(shape, chunks.shape).reduce([[]]) { origins, extents in
      origins.flatMap { origin in
        stride(from: 0, to: extents.0, by: extents.1).map { origin + [$0] }
      }
    }
  }

  /// The bytes of a chunk's elements.
  private func elements(of chunk: StoredChunk, _ chunks: HDF5Chunks) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: chunk.bytes)
    try bytes.withUnsafeMutableBytes {
      try file.read(into: $0, from: chunk.offset, "dataset '\(path)'")
    }
    for (index, filter) in chunks.filters.enumerated().reversed()
    where chunk.mask & (1 << UInt32(index)) == 0 {
      switch filter {
      case .gzip: bytes = inflated(bytes, atMost: chunks.bytes)
      case .shuffle: bytes = unshuffled(bytes)
      }
    }
    guard bytes.count == chunks.bytes else {
      throw file.unreadable("chunk at \(chunk.origin) of dataset '\(path)' is damaged")
    }
    return bytes
  }

  /// What a zlib stream holds; empty when it is damaged or holds more than `limit` bytes.
  private func inflated(_ bytes: [UInt8], atMost limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      let isWhole = cdeflate_inflate(bytes, bytes.count, buffer.baseAddress, limit, &initialized)
      if !isWhole { initialized = 0 }
    }
  }

  /// First bytes of all elements, then second bytes, … → element after element.
  private func unshuffled(_ bytes: [UInt8]) -> [UInt8] {
    let elements = bytes.count / elementBytes
    guard elementBytes > 1, elements > 1 else { return bytes }
    // Bytes behind the last whole element stay where they are.
    var result = bytes
    bytes.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        for k in 0..<elementBytes {
          for i in 0..<elements { target[i * elementBytes + k] = source[k * elements + i] }
        }
      }
    }
    return result
  }
}

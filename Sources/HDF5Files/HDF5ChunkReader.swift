import ThreadTeams
import CDepthDeflate
import CDepthHDF5

/// Reads the chunks of one dataset.
///
/// The library only hands out a chunk as it stands in the file; filters are undone here, outside the
/// library's lock. So threads can decompress at once, and damaged data, against which the library does
/// not guard its memory, is an error.
final class HDF5ChunkReader: Sendable {
  let dataset: HDF5Dataset
  let chunks: HDF5Chunks
  private let id: hid_t

  init(_ dataset: HDF5Dataset, _ chunks: HDF5Chunks) throws {
    (self.dataset, self.chunks) = (dataset, chunks)
    id = try HDF5Library.locked {
      let id = H5Dopen2(dataset.file.id, dataset.path, 0)
      guard id >= 0 else { throw dataset.file.damaged("dataset '\(dataset.path)'") }
      return id
    }
  }

  deinit { _ = HDF5Library.locked { H5Idec_ref(id) } }

  /// Writes the elements of some indices of the outermost axis into `buffer`, row-major.
  ///
  /// - Parameters:
  ///   - buffer: Room for exactly those elements.
  ///   - threads: Threads that decompress.
  func read(
    rows: Range<Int>, into buffer: UnsafeMutableRawBufferPointer, threads: Int
  ) throws {
    let origins = origins(in: rows)
    nonisolated(unsafe) let buffer = buffer  // chunks are written to disjoint parts
    try ThreadTeam.run(threads: max(min(threads, origins.count), 1)) { team in
      try team.forEachThrowing(origins.count) { index in
        try copy(chunkAt: origins[index], rows: rows, to: buffer)
      }
    }
  }

  /// First element of every chunk that holds some of the rows, in row-major order.
  private func origins(in rows: Range<Int>) -> [[Int]] {
    let first = rows.lowerBound / chunks.shape[0] * chunks.shape[0]
    let outermost = stride(from: first, to: rows.upperBound, by: chunks.shape[0]).map { [$0] }
    return zip(dataset.shape, chunks.shape).dropFirst().reduce(outermost) { origins, extents in
      origins.flatMap { origin in
        stride(from: 0, to: extents.0, by: extents.1).map { origin + [$0] }
      }
    }
  }

  private func copy(
    chunkAt origin: [Int], rows: Range<Int>, to buffer: UnsafeMutableRawBufferPointer
  ) throws {
    // As if the dataset held nothing but the rows, and the chunk began no earlier.
    let skipped = max(rows.lowerBound - origin[0], 0)
    var (place, extents, whole) = (origin, chunks.shape, dataset.shape)
    place[0] = origin[0] + skipped - rows.lowerBound
    extents[0] -= skipped
    whole[0] = rows.count
    let part = ChunkPart(
      origin: place, chunk: extents, dataset: whole, elementBytes: dataset.elementBytes)
    let rowBytes = chunks.bytes / chunks.shape[0]
    try elements(at: origin).withUnsafeBytes { bytes in
      part.copy(UnsafeRawBufferPointer(rebasing: bytes[(skipped * rowBytes)...]), to: buffer)
    }
  }

  /// The bytes of a chunk's elements.
  private func elements(at origin: [Int]) throws -> [UInt8] {
    var (bytes, mask) = try storedChunk(at: origin)
    if chunks.leavesEdges,
      origin.indices.contains(where: { origin[$0] + chunks.shape[$0] > dataset.shape[$0] })
    {
      mask = .max
    }
    for (index, filter) in chunks.filters.enumerated().reversed()
    where mask & (1 << UInt32(index)) == 0 {
      switch filter {
      case .gzip: bytes = inflated(bytes, atMost: chunks.bytes)
      case .shuffle: bytes = unshuffled(bytes)
      }
    }
    guard bytes.count == chunks.bytes else {
      throw dataset.file.unreadable("chunk at \(origin) of dataset '\(dataset.path)' is damaged")
    }
    return bytes
  }

  /// A chunk as it stands in the file, and a mask whose bit `i` is set when filter `i` was left out.
  private func storedChunk(at origin: [Int]) throws -> (bytes: [UInt8], mask: UInt32) {
    let (file, path) = (dataset.file, dataset.path)
    return try HDF5Library.locked {
      let first = origin.map { hsize_t($0) }
      var (mask, address, count): (UInt32, haddr_t, hsize_t) = (0, 0, 0)
      // Without filters the first function tells the size that a chunk should have, not how many bytes the
      // library is going to read.
      let status =
        chunks.filters.isEmpty
        ? H5Dget_chunk_info_by_coord(id, first, &mask, &address, &count)
        : H5Dget_chunk_storage_size(id, first, &count)
      guard status >= 0 else { throw file.damaged("dataset '\(path)'") }
      guard count > 0 else {
        throw file.unreadable("values of dataset '\(path)' are missing from \(origin) on")
      }
      guard count <= hsize_t(file.size) else {
        throw file.unreadable(
          "chunk at \(origin) of dataset '\(path)' claims \(count) bytes, the file has \(file.size)"
        )
      }
      var bytes = [UInt8](repeating: 0, count: Int(count))
      guard H5Dread_chunk(id, 0, first, &mask, &bytes) >= 0 else {
        throw file.damaged("chunk at \(origin) of dataset '\(path)'")
      }
      return (bytes, mask)
    }
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
    let size = dataset.elementBytes
    let elements = bytes.count / size
    guard size > 1, elements > 1 else { return bytes }
    // Bytes behind the last whole element stay where they are.
    var result = bytes
    bytes.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        for k in 0..<size {
          for i in 0..<elements { target[i * size + k] = source[k * elements + i] }
        }
      }
    }
    return result
  }
}

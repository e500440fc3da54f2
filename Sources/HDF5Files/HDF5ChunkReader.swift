#if HDF5
  import CDepthHDF5
  import DepthBase

  /// Reads the chunks of one dataset.
  ///
  /// Stored chunks are read by their offsets in the file. This type, not the HDF5 library, undoes the filters. Threads can
  /// therefore decompress in parallel, and damaged data is reported as an error.
  final class HDF5ChunkReader: Sendable {
    let dataset: HDF5Dataset
    let chunks: HDF5Chunks
    /// The index that locates chunks if there are too many to list.
    private let index: HDF5ChunkIndex?

    /// - Throws: `DepthError` with code `damaged` if the library cannot open the dataset.
    init(_ dataset: HDF5Dataset, _ chunks: HDF5Chunks) throws {
      (self.dataset, self.chunks) = (dataset, chunks)
      index = chunks.stored == nil ? try HDF5ChunkIndex(dataset, chunks) : nil
    }

    /// Writes the elements at some indices of the outermost axis into `buffer`, row-major.
    ///
    /// - Parameters:
    ///   - buffer: Memory for exactly these elements.
    ///   - threads: Number of threads for decompression.
    /// - Throws: `DepthError` if a chunk is missing, damaged or cannot be read.
    func read(
      rows: Range<Int>, into buffer: UnsafeMutableRawBufferPointer, threads: Int
    ) throws {
      let origins = origins(in: rows)
      nonisolated(unsafe) let buffer = unsafe buffer  // chunks are written to disjoint parts
      try ThreadTeam.run(threads: max(min(threads, origins.count), 1)) { team in
        try team.forEachThrowing(origins.count) { index in
          try unsafe copy(chunkAt: origins[index], rows: rows, to: buffer)
        }
      }
    }

    /// First element of every chunk that contains some of the rows, in row-major order.
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
      // The rows are treated as the whole dataset, and the chunk's earlier rows are dropped.
      let skipped = max(rows.lowerBound - origin[0], 0)
      var (place, extents, whole) = (origin, chunks.shape, dataset.shape)
      place[0] = origin[0] + skipped - rows.lowerBound
      extents[0] -= skipped
      whole[0] = rows.count
      let part = ChunkPart(
        origin: place, chunk: extents, dataset: whole, elementBytes: dataset.elementBytes)
      let rowBytes = chunks.bytes / chunks.shape[0]
      try unsafe elements(at: origin).withUnsafeBytes { bytes in
        unsafe part.copy(
          UnsafeRawBufferPointer(rebasing: bytes[(skipped * rowBytes)...]), to: buffer)
      }
    }

    /// The bytes of a chunk's elements, with all filters undone.
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
        case .gzip: bytes = Inflate.content(of: bytes[...], capacity: chunks.bytes) ?? []
        case .shuffle: bytes = unshuffled(bytes)
        }
      }
      guard bytes.count == chunks.bytes else {
        throw dataset.file.invalid("chunk at \(origin) of dataset '\(dataset.path)' is damaged")
      }
      return bytes
    }

    /// A chunk's stored bytes, and a mask in which bit `i` is set if filter `i` was skipped.
    private func storedChunk(at origin: [Int]) throws -> (bytes: [UInt8], mask: UInt32) {
      if let index { return try index.chunk(at: origin) }
      let (file, path) = (dataset.file, dataset.path)
      guard let chunk = chunks.stored?[origin], chunk.address != .max, chunk.bytes > 0 else {
        throw file.invalid("values of dataset '\(path)' are missing from \(origin) on")
      }
      guard chunk.address <= UInt64(file.size), chunk.bytes <= UInt64(file.size) - chunk.address
      else {
        throw file.invalid(
          "chunk at \(origin) of dataset '\(path)' claims \(chunk.bytes) bytes from byte "
            + "\(chunk.address), the file ends at \(file.size)")
      }
      let bytes: [UInt8] = try unsafe filledThroughPointer(count: Int(chunk.bytes)) {
        try unsafe file.read(
          into: UnsafeMutableRawBufferPointer(start: $0, count: Int(chunk.bytes)),
          from: Int(chunk.address), "chunk at \(origin) of dataset '\(path)'")
      }
      return (bytes, chunk.mask)
    }

    /// Undoes the shuffle filter, which stores the first bytes of all elements, then the second
    /// bytes, and so on.
    private func unshuffled(_ bytes: [UInt8]) -> [UInt8] {
      let size = dataset.elementBytes
      let elements = bytes.count / size
      guard size > 1, elements > 1 else { return bytes }
      // Bytes after the last whole element are not shuffled.
      var result = bytes
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe result.withUnsafeMutableBufferPointer { target in
          for k in 0..<size {
            for i in 0..<elements { unsafe target[i * size + k] = source[k * elements + i] }
          }
        }
      }
      return result
    }
  }
#endif

#if HDF5
  import CDepthHDF5

  /// The chunks of a dataset and their filters.
  struct HDF5Chunks: Sendable {
    /// A filter applied to chunks before storage.
    enum Filter: Sendable {
      /// Groups bytes by their position in the element.
      case shuffle
      /// Compresses in zlib's format, which includes a checksum.
      case gzip
    }

    /// Extents of one chunk, outermost first.
    let shape: [Int]
    /// Filters in the order of writing.
    let filters: [Filter]
    /// Bytes of one chunk before compression.
    let bytes: Int
    /// Whether chunks that extend beyond the dataset are stored unfiltered.
    let leavesEdges: Bool

    /// Each chunk's position in the file, keyed by the chunk's first element; `nil` if there are too many
    /// chunks to list. The library then locates each chunk.
    let stored: [[Int]: StoredChunk]?

    /// One chunk in the file.
    struct StoredChunk: Sendable {
      let address, bytes: UInt64
      /// Bit `i` is set if filter `i` was skipped.
      let mask: UInt32
    }

    /// Checks the chunks and filters described by the library.
    ///
    /// - Throws: `DepthError`, naming the dataset.
    init(
      _ claim: HDF5Facts.Layout, path: String, file: HDF5File, shape: [Int], elementBytes: Int,
      limit: Int
    ) throws {
      guard claim.chunk.count == shape.count, !shape.isEmpty, !claim.chunk.contains(0) else {
        throw file.damaged("dataset '\(path)'")
      }
      var bytes = UInt64(elementBytes)
      var count = 1
      for (extent, whole) in zip(claim.chunk, shape) {
        let (product, overflow) = bytes.multipliedReportingOverflow(by: extent)
        guard !overflow, product <= HDF5Limits.chunkBytes else {
          throw file.unsupported(
            "dataset '\(path)' claims chunks of more than \(HDF5Limits.chunkBytes) bytes")
        }
        bytes = product
        let (total, isTooMany) = count.multipliedReportingOverflow(
          by: (whole + Int(extent) - 1) / Int(extent))
        count = isTooMany ? .max : total
      }
      guard count <= limit else {
        throw file.unsupported("dataset '\(path)' has more than \(limit) chunks")
      }
      self.shape = claim.chunk.map(Int.init)
      self.bytes = Int(bytes)
      leavesEdges = claim.leavesEdges
      filters = try claim.filters.map { id in
        switch id {
        case H5Z_FILTER_SHUFFLE: return .shuffle
        case H5Z_FILTER_DEFLATE: return .gzip
        default:
          let text = claim.filterName.isEmpty ? "" : " (\(claim.filterName))"
          throw file.unsupported(
            "dataset '\(path)' needs filter \(id)\(text), expected gzip or shuffle")
        }
      }
      guard !filters.isEmpty || count <= HDF5Limits.unfilteredChunks else {
        throw file.unsupported(
          "dataset '\(path)' has more than \(HDF5Limits.unfilteredChunks) chunks without a filter")
      }
      stored = claim.chunkCount > UInt64(CH5_CHUNKS) ? nil : Self.stored(claim)
    }

    /// The chunks in the library's table, by their first element.
    private static func stored(_ claim: HDF5Facts.Layout) -> [[Int]: StoredChunk] {
      let words = 3 + claim.chunk.count
      var stored: [[Int]: StoredChunk] = [:]
      for entry in stride(from: 0, to: claim.chunkTable.count - words + 1, by: words) {
        let table = claim.chunkTable[entry..<entry + words]
        stored[table.dropFirst(3).map { Int(clamping: $0) }] = StoredChunk(
          address: table[entry], bytes: table[entry + 1],
          mask: UInt32(truncatingIfNeeded: table[entry + 2]))
      }
      return stored
    }
  }
#endif

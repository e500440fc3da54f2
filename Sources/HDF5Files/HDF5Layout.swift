import CDepthHDF5

/// Where the bytes of a dataset are.
enum HDF5Layout: Sendable {
  /// In one run from this byte of the file.
  case contiguous(offset: Int)
  /// In the dataset's header.
  case compact
  /// In blocks of equal extents, each through the same filters.
  case chunked(HDF5Chunks)

  /// Reads and checks the layout. Call inside the lock.
  init(
    of dataset: borrowing HDF5Handle, _ creation: borrowing HDF5Handle, path: String,
    file: HDF5File, shape: [Int], elementBytes: Int, chunkLimit: Int
  ) throws {
    let bytes = shape.reduce(1, *) * elementBytes
    let layout = H5Pget_layout(creation.id)
    var status = H5D_SPACE_STATUS_ERROR
    if layout == H5D_CONTIGUOUS, bytes > 0, H5Pget_external_count(creation.id) == 0,
      H5Dget_space_status(dataset.id, &status) < 0 || status == H5D_SPACE_STATUS_NOT_ALLOCATED
    {
      throw file.unreadable("values of dataset '\(path)' were never written")
    }
    switch layout {
    case H5D_COMPACT:
      self = .compact
    case H5D_CONTIGUOUS where bytes == 0:
      self = .contiguous(offset: 0)
    case H5D_CONTIGUOUS:
      guard H5Pget_external_count(creation.id) == 0 else {
        throw file.unreadable("dataset '\(path)' keeps its values in another file")
      }
      let address = H5Dget_offset(dataset.id)
      // The library adds the length of a user block to every address, to none as well.
      guard address != ch5_undefined_address(), address >= haddr_t(file.start) else {
        throw file.unreadable("values of dataset '\(path)' were never written")
      }
      guard address <= haddr_t(file.size), bytes <= file.size - Int(address) else {
        throw file.unreadable(
          "dataset '\(path)' claims \(bytes) bytes from byte \(address), "
            + "the file ends at \(file.size)")
      }
      self = .contiguous(offset: Int(address))
    case H5D_CHUNKED:
      self = .chunked(
        try HDF5Chunks(
          creation, path: path, file: file, shape: shape, elementBytes: elementBytes,
          limit: chunkLimit))
    case H5D_VIRTUAL:
      throw file.unreadable("dataset '\(path)' keeps its values in other datasets")
    default:
      throw file.damaged("dataset '\(path)'")
    }
  }
}

/// How a chunked dataset is cut up and compressed.
struct HDF5Chunks: Sendable {
  /// What a chunk's bytes went through, in the order of writing.
  enum Filter: Sendable {
    /// Bytes regrouped by their place in the element.
    case shuffle
    /// zlib's format, which carries a checksum.
    case gzip
  }

  /// Extents of one chunk, outermost first.
  let shape: [Int]
  let filters: [Filter]
  /// Bytes of one chunk before compression.
  let bytes: Int
  /// Whether chunks that reach beyond the dataset went through no filter.
  let leavesEdges: Bool

  /// Reads and checks chunks and filters. Call inside the lock.
  init(
    _ creation: borrowing HDF5Handle, path: String, file: HDF5File, shape: [Int],
    elementBytes: Int, limit: Int
  ) throws {
    var extents = [hsize_t](repeating: 0, count: shape.count)
    guard H5Pget_chunk(creation.id, Int32(shape.count), &extents) == shape.count,
      !extents.contains(0)
    else { throw file.damaged("dataset '\(path)'") }
    var bytes = hsize_t(elementBytes)
    var count = 1
    for (extent, whole) in zip(extents, shape) {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: extent)
      guard !overflow, product <= HDF5Limits.chunkBytes else {
        throw file.unreadable(
          "dataset '\(path)' claims chunks of more than \(HDF5Limits.chunkBytes) bytes")
      }
      bytes = product
      let (total, isTooMany) = count.multipliedReportingOverflow(
        by: (whole + Int(extent) - 1) / Int(extent))
      count = isTooMany ? .max : total
    }
    guard count <= limit else {
      throw file.unreadable("dataset '\(path)' has more than \(limit) chunks")
    }
    self.shape = extents.map(Int.init)
    self.bytes = Int(bytes)
    var options: UInt32 = 0
    leavesEdges =
      H5Pget_chunk_opts(creation.id, &options) >= 0
      && options & UInt32(H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0
    filters = try (0..<UInt32(clamping: H5Pget_nfilters(creation.id))).map {
      try Self.filter($0, creation, path, file)
    }
    guard !filters.isEmpty || count <= HDF5Limits.unfilteredChunks else {
      throw file.unreadable(
        "dataset '\(path)' has more than \(HDF5Limits.unfilteredChunks) chunks without a filter")
    }
  }

  private static func filter(
    _ index: UInt32, _ creation: borrowing HDF5Handle, _ path: String, _ file: HDF5File
  ) throws -> Filter {
    var flags: UInt32 = 0
    var count = 0
    var name = [CChar](repeating: 0, count: 64)
    var settings: UInt32 = 0
    let id = H5Pget_filter2(
      creation.id, index, &flags, &count, nil, name.count, &name, &settings)
    switch id {
    case H5Z_FILTER_SHUFFLE: return .shuffle
    case H5Z_FILTER_DEFLATE: return .gzip
    default:
      let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = bytes.isEmpty ? "" : " (\(String(decoding: bytes, as: UTF8.self)))"
      throw file.unreadable(
        "dataset '\(path)' needs filter \(id)\(text), expected gzip or shuffle")
    }
  }
}

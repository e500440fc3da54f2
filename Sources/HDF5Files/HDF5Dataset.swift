import DepthBase

/// The description of a dataset, checked against the file's length and ``HDF5Limits``.
package struct HDF5Dataset: Sendable {
  package let file: HDF5File
  package let path: String
  /// Extents, outermost first; empty for a single value.
  package let shape: [Int]
  package let type: HDF5ElementType
  /// Bytes of one element.
  let elementBytes: Int
  /// Whether the byte order of elements is the opposite of this machine's.
  let isSwapped: Bool
  let layout: HDF5Layout

  /// Number of elements.
  package var count: Int { shape.reduce(1, *) }
}

extension HDF5File {
  /// The dataset at `path`.
  ///
  /// - Throws: `DepthError` with code `damaged` if the header is damaged, if its claims exceed the file, or
  ///   if the values were never written; with code `unsupportedFormat` if there is no such dataset, if it
  ///   exceeds ``HDF5Limits``, if the values are in another file, or if a filter is unknown.
  package func dataset(
    _ path: String, elementLimit: Int = HDF5Limits.elements, chunkLimit: Int = HDF5Limits.chunks
  ) throws -> HDF5Dataset {
    guard let facts = try describe([.object(path)])[path] else {
      throw damaged("dataset '\(path)'")
    }
    return try dataset(facts, elementLimit: elementLimit, chunkLimit: chunkLimit)
  }

  /// The dataset with the given description.
  ///
  /// - Throws: `DepthError`, like ``dataset(_:elementLimit:chunkLimit:)``.
  package func dataset(
    _ facts: HDF5Facts, elementLimit: Int = HDF5Limits.elements,
    chunkLimit: Int = HDF5Limits.chunks
  ) throws -> HDF5Dataset {
    let path = facts.path
    switch facts.kind {
    case .dataset: break
    case .group, .other, .attribute: throw unsupported("'\(path)' is not a dataset")
    case .link:
      throw unsupported(
        "'\(path)' is a link to another place, expected an object of the file")
    case .absent: throw unsupported("has no dataset '\(path)'")
    case .damaged: throw damaged("dataset '\(path)'", facts.cause)
    }
    let shape = try extents(of: facts, "dataset '\(path)'", limit: elementLimit)
    guard (1...UInt64(HDF5Limits.elementBytes)).contains(facts.elementBytes) else {
      throw unsupported(
        "dataset '\(path)' has values of \(facts.elementBytes) bytes, "
          + "expected at most \(HDF5Limits.elementBytes)")
    }
    let elementBytes = Int(facts.elementBytes)
    return HDF5Dataset(
      file: self, path: path, shape: shape, type: facts.elementType, elementBytes: elementBytes,
      isSwapped: facts.isSwapped,
      layout: try HDF5Layout(
        facts, file: self, shape: shape, elementBytes: elementBytes, chunkLimit: chunkLimit))
  }

  /// The extents of a dataset or attribute.
  ///
  /// - Throws: `DepthError` if the product of the extents exceeds `limit`, or there are no values.
  func extents(
    of facts: HDF5Facts, _ what: String, limit: Int = HDF5Limits.elements
  ) throws -> [Int] {
    guard !facts.isNull else { throw unsupported("\(what) holds no values") }
    var elements: UInt64 = 1
    for extent in facts.extents {
      // An extent of zero does not exempt the other extents from the limit.
      let (product, overflow) = elements.multipliedReportingOverflow(by: max(extent, 1))
      guard !overflow, extent <= limit, product <= limit else {
        let text = facts.extents.map(String.init).joined(separator: "×")
        throw invalid("\(what) claims \(text) values, expected at most \(limit)")
      }
      elements = product
    }
    return facts.extents.map(Int.init)
  }
}

extension HDF5Dataset {
  /// The stored bytes of all elements, in row-major order.
  ///
  /// - Throws: `DepthError` for missing, damaged or unreadable bytes.
  func storedBytes() throws -> [UInt8] {
    let bytes = count * elementBytes
    return try unsafe filledThroughPointer(count: bytes) {
      try unsafe readStored(into: UnsafeMutableRawBufferPointer(start: $0, count: bytes))
    }
  }

  /// Reads the stored bytes of all elements into `buffer`, which has exactly their size.
  ///
  /// - Throws: `DepthError` for missing, damaged or unreadable bytes.
  func readStored(into buffer: UnsafeMutableRawBufferPointer) throws {
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

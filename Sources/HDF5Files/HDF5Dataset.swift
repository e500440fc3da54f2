import CDepthHDF5

/// What a file says about one dataset, checked against the file and against ``HDF5Limits``.
package struct HDF5Dataset: Sendable {
  package let file: HDF5File
  package let path: String
  /// Extents, outermost first; empty for a single value.
  package let shape: [Int]
  package let type: HDF5ElementType
  /// Bytes of one element.
  let elementBytes: Int
  /// Whether the bytes of an element stand in the other order than this machine's.
  let isSwapped: Bool
  let layout: HDF5Layout

  /// Number of elements.
  package var count: Int { shape.reduce(1, *) }
}

extension HDF5File {
  /// The dataset at `path`.
  ///
  /// - Throws: ``DepthError`` with code `unreadable` when there is none, when its header is
  ///   damaged, when it claims more than the file or ``HDF5Limits`` hold, when its values are in
  ///   another file or were never written, and when a filter is needed that cannot be undone.
  package func dataset(_ path: String) throws -> HDF5Dataset {
    try dataset(path, elementLimit: HDF5Limits.elements, chunkLimit: HDF5Limits.chunks)
  }

  /// The same for a dataset that is read in parts and may be larger.
  package func dataset(_ path: String, elementLimit: Int, chunkLimit: Int) throws -> HDF5Dataset {
    guard let facts = try describe([.object(path)])[path] else {
      throw damaged("dataset '\(path)'")
    }
    return try dataset(facts, elementLimit: elementLimit, chunkLimit: chunkLimit)
  }

  /// The dataset that the library described.
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
    case .absent: throw unsupported("there is no dataset '\(path)'")
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

  /// Extents whose product is within `limit`.
  func extents(
    of facts: HDF5Facts, _ what: String, limit: Int = HDF5Limits.elements
  ) throws -> [Int] {
    guard !facts.isNull else { throw unsupported("\(what) holds no values") }
    var elements: UInt64 = 1
    for extent in facts.extents {
      // Nothing times a great many is still a claim.
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

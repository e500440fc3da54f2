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
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when there is none, when its header is
  ///   damaged, when it claims more than the file or ``HDF5Limits`` hold, when its values stand in
  ///   another file or were never written, and when a filter is needed that cannot be undone.
  package func dataset(_ path: String) throws -> HDF5Dataset {
    try dataset(path, elementLimit: HDF5Limits.elements, chunkLimit: HDF5Limits.chunks)
  }

  /// The same for a dataset that is read in parts and may be larger.
  func dataset(_ path: String, elementLimit: Int, chunkLimit: Int) throws -> HDF5Dataset {
    try HDF5Library.locked {
      guard let object = HDF5Handle(H5Oopen(id, path, 0)) else {
        throw damaged("dataset '\(path)'")
      }
      guard H5Iget_type(object.id) == H5I_DATASET else {
        throw unreadable("'\(path)' is not a dataset")
      }
      // Addresses in another file mean nothing in this one.
      guard ch5_is_same_file(object.id, id) else {
        throw unreadable("dataset '\(path)' is a link into another file")
      }
      guard let space = HDF5Handle(H5Dget_space(object.id)),
        let type = HDF5Handle(H5Dget_type(object.id)),
        let creation = HDF5Handle(H5Dget_create_plist(object.id))
      else { throw damaged("dataset '\(path)'") }

      let shape = try extents(of: space, "dataset '\(path)'", limit: elementLimit)
      let elementBytes = H5Tget_size(type.id)
      guard (1...HDF5Limits.elementBytes).contains(elementBytes) else {
        throw unreadable(
          "dataset '\(path)' has values of \(elementBytes) bytes, "
            + "expected at most \(HDF5Limits.elementBytes)")
      }
      let order = H5Tget_order(type.id)
      let layout = try HDF5Layout(
        of: object, creation, path: path, file: self, shape: shape, elementBytes: elementBytes,
        chunkLimit: chunkLimit)
      return HDF5Dataset(
        file: self, path: path, shape: shape, type: HDF5ElementType(type),
        elementBytes: elementBytes, isSwapped: order != H5Tget_order(ch5_native_float()),
        layout: layout)
    }
  }

  /// Extents of a dataspace whose product is within `limit`. Call inside the lock.
  func extents(
    of space: borrowing HDF5Handle, _ what: String, limit: Int = HDF5Limits.elements
  ) throws -> [Int] {
    guard H5Sget_simple_extent_type(space.id) != H5S_NULL else {
      throw unreadable("\(what) holds no values")
    }
    let rank = Int(H5Sget_simple_extent_ndims(space.id))
    guard rank >= 0, rank <= H5S_MAX_RANK else { throw damaged(what) }
    var extents = [hsize_t](repeating: 0, count: rank)
    guard rank == 0 || H5Sget_simple_extent_dims(space.id, &extents, nil) == rank else {
      throw damaged(what)
    }
    var elements: hsize_t = 1
    for extent in extents {
      // Nothing times a great many is still a claim.
      let (product, overflow) = elements.multipliedReportingOverflow(by: max(extent, 1))
      guard !overflow, extent <= limit, product <= limit else {
        let text = extents.map(String.init).joined(separator: "×")
        throw unreadable(
          "\(what) claims \(text) values, expected at most \(limit)")
      }
      elements = product
    }
    return extents.map(Int.init)
  }
}

import CHDF5

/// What a file says about one dataset, checked against the file and against ``HDF5Limits``.
package struct HDF5Dataset: Sendable {
  package let file: HDF5File
  package let path: String
  /// Extents, outermost first; empty for a single value.
  package let shape: [Int]
  package let type: HDF5ElementType
  /// First byte in the file, when the elements stand there one after another as this machine's
  /// 32-bit floats.
  let floatOffset: Int?

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
    try HDF5Library.locked {
      guard let object = HDF5Handle(H5Oopen(id, path, 0)) else {
        throw damaged("dataset '\(path)'")
      }
      guard H5Iget_type(object.id) == H5I_DATASET else {
        throw unreadable("'\(path)' is not a dataset")
      }
      guard let space = HDF5Handle(H5Dget_space(object.id)),
        let type = HDF5Handle(H5Dget_type(object.id)),
        let creation = HDF5Handle(H5Dget_create_plist(object.id))
      else { throw damaged("dataset '\(path)'") }

      let shape = try extents(of: space, "dataset '\(path)'")
      let elementBytes = H5Tget_size(type.id)
      let bytes = shape.reduce(1, *) * elementBytes
      let elementType = HDF5ElementType(type)
      let layout = try DatasetLayout(
        of: object, creation, dataset: path, file: self, bytes: bytes, elementBytes: elementBytes)
      var offset: Int?
      if case .contiguous(let first) = layout, H5Tequal(type.id, ch5_native_float()) > 0 {
        offset = first
      }
      return HDF5Dataset(
        file: self, path: path, shape: shape, type: elementType, floatOffset: offset)
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
      let (product, overflow) = elements.multipliedReportingOverflow(by: extent)
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

/// Where the bytes of a dataset are.
enum DatasetLayout {
  /// In one run from this byte of the file.
  case contiguous(offset: Int)
  /// In the header, or in chunks that went through known filters.
  case throughLibrary

  /// Reads and checks the layout. Call inside the lock.
  init(
    of dataset: borrowing HDF5Handle, _ creation: borrowing HDF5Handle, dataset path: String,
    file: HDF5File, bytes: Int, elementBytes: Int
  ) throws {
    switch H5Pget_layout(creation.id) {
    case H5D_COMPACT:
      self = .throughLibrary
    case H5D_CONTIGUOUS:
      guard H5Pget_external_count(creation.id) == 0 else {
        throw file.unreadable("dataset '\(path)' keeps its values in another file")
      }
      let address = H5Dget_offset(dataset.id)
      if bytes == 0 {
        self = .throughLibrary
        return
      }
      guard address != ch5_undefined_address() else {
        throw file.unreadable("values of dataset '\(path)' were never written")
      }
      guard address <= haddr_t(file.size), bytes <= file.size - Int(address) else {
        throw file.unreadable(
          "dataset '\(path)' claims \(bytes) bytes from byte \(address), "
            + "the file ends at \(file.size)")
      }
      self = .contiguous(offset: Int(address))
    case H5D_CHUNKED:
      try Self.checkChunks(creation, path, file, elementBytes: elementBytes)
      guard bytes == 0 || H5Dget_storage_size(dataset.id) > 0 else {
        throw file.unreadable("values of dataset '\(path)' were never written")
      }
      self = .throughLibrary
    case H5D_VIRTUAL:
      throw file.unreadable("dataset '\(path)' keeps its values in other datasets")
    default:
      throw file.damaged("dataset '\(path)'")
    }
  }

  private static func checkChunks(
    _ creation: borrowing HDF5Handle, _ path: String, _ file: HDF5File, elementBytes: Int
  ) throws {
    var extents = [hsize_t](repeating: 0, count: Int(H5S_MAX_RANK))
    let rank = H5Pget_chunk(creation.id, H5S_MAX_RANK, &extents)
    guard rank >= 0, rank <= H5S_MAX_RANK else { throw file.damaged("dataset '\(path)'") }
    var bytes = hsize_t(elementBytes)
    for extent in extents.prefix(Int(rank)) {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: extent)
      guard !overflow, product <= HDF5Limits.chunkBytes else {
        throw file.unreadable(
          "dataset '\(path)' claims chunks of more than \(HDF5Limits.chunkBytes) bytes")
      }
      bytes = product
    }
    let readable = [H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32]
    for index in 0..<UInt32(clamping: H5Pget_nfilters(creation.id)) {
      var flags: UInt32 = 0
      var count = 0
      var name = [CChar](repeating: 0, count: 64)
      var settings: UInt32 = 0
      let filter = H5Pget_filter2(
        creation.id, index, &flags, &count, nil, name.count, &name, &settings)
      guard readable.contains(filter), H5Zfilter_avail(filter) > 0 else {
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        throw file.unreadable(
          "dataset '\(path)' needs filter \(filter)\(text.isEmpty ? "" : " (\(text))"), "
            + "expected gzip, shuffle or fletcher32")
      }
    }
  }
}

import CHDF5
import NeuralLayers

/// A large dataset that is read one index of its outermost axis at a time: the frames of a film, the
/// photos of a data set.
///
/// The dataset stays open, with a cache of chunks that holds all chunks of one frame: frames that share
/// chunks are decompressed once when they are read one after another.
package final class HDF5Frames: Sendable {
  package let file: HDF5File
  package let path: String
  /// Number of frames.
  package let count: Int
  /// Extents of one frame, outermost first.
  package let frameShape: [Int]
  package let type: HDF5ElementType
  private let id: hid_t

  /// Largest cache of chunks, bytes.
  private static let largestCache = 1 << 27

  /// Opens the dataset at `path`.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when there is none, when it has fewer than two
  ///   axes, and for every reason for which ``HDF5File/dataset(_:)`` refuses one.
  package init(_ file: HDF5File, _ path: String) throws {
    (self.file, self.path) = (file, path)
    (id, type, count, frameShape) = try HDF5Library.locked {
      let header = try Self.header(of: path, in: file)
      guard let access = HDF5Handle(H5Pcreate(ch5_dataset_access())) else {
        throw file.damaged("dataset '\(path)'")
      }
      // Slots of the hash table: a prime, far more than a frame has chunks.
      H5Pset_chunk_cache(access.id, 12_421, min(header.cacheBytes, Self.largestCache), -1)
      guard let dataset = HDF5Handle(H5Dopen2(file.id, path, access.id)) else {
        throw file.damaged("dataset '\(path)'")
      }
      H5Iinc_ref(dataset.id)  // this object's own, which outlives the handle
      return (dataset.id, header.type, header.shape[0], Array(header.shape.dropFirst()))
    }
  }

  deinit { _ = HDF5Library.locked { H5Idec_ref(id) } }

  /// Values of one frame.
  package var frameCount: Int { frameShape.reduce(1, *) }

  /// 8-bit integers without sign of frame `index`, row-major.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)``.
  package func bytes(ofFrame index: Int) throws -> [UInt8] {
    guard type == .integer(bits: 8, signed: false) else {
      throw file.unreadable("dataset '\(path)' holds \(type), expected uint8")
    }
    return try values(of: index, as: UInt8.self) { ch5_native_uint8() }
  }

  /// Numbers of any kind of frame `index`, rounded to 32-bit floats, row-major.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)``.
  package func floats(ofFrame index: Int) throws -> [Float] {
    switch type {
    case .float32, .float64, .integer: break
    default: throw file.unreadable("dataset '\(path)' holds \(type), expected numbers")
    }
    return try values(of: index, as: Float.self) { ch5_native_float() }
  }

  private func values<Element>(
    of index: Int, as _: Element.Type, _ memoryType: () -> hid_t
  ) throws -> [Element] {
    precondition((0..<count).contains(index), "frame \(index), expected 0 to \(count - 1)")
    return try [Element](unsafeUninitializedCapacity: frameCount) { buffer, initialized in
      nonisolated(unsafe) let start = buffer.baseAddress
      try HDF5Library.locked {
        let first = [hsize_t(index)] + frameShape.map { _ in 0 }
        let extents = [1] + frameShape.map { hsize_t($0) }
        guard let space = HDF5Handle(H5Dget_space(id)),
          H5Sselect_hyperslab(space.id, H5S_SELECT_SET, first, nil, extents, nil) >= 0,
          let target = HDF5Handle(H5Screate_simple(Int32(extents.count), extents, nil)),
          H5Dread(id, memoryType(), target.id, space.id, 0, start) >= 0
        else { throw file.damaged("frame \(index) of dataset '\(path)'") }
      }
      initialized = frameCount
    }
  }

  /// What the file says about the dataset, checked. Call inside the lock.
  private static func header(
    of path: String, in file: HDF5File
  ) throws -> (shape: [Int], type: HDF5ElementType, cacheBytes: Int) {
    guard let dataset = HDF5Handle(H5Oopen(file.id, path, 0)) else {
      throw file.unreadable("has no dataset '\(path)'")
    }
    guard H5Iget_type(dataset.id) == H5I_DATASET else {
      throw file.unreadable("'\(path)' is not a dataset")
    }
    guard let space = HDF5Handle(H5Dget_space(dataset.id)),
      let type = HDF5Handle(H5Dget_type(dataset.id)),
      let creation = HDF5Handle(H5Dget_create_plist(dataset.id))
    else { throw file.damaged("dataset '\(path)'") }
    let what = "dataset '\(path)'"
    let shape = try file.extents(of: space, what, limit: HDF5Limits.seriesElements)
    let frame = shape.dropFirst().reduce(1, *)
    guard shape.count >= 2, shape[0] > 0, (1...HDF5Limits.elements).contains(frame) else {
      throw file.unreadable(
        "\(what) is \(shape.map(String.init).joined(separator: "×")), expected frames")
    }
    let frameBytes = frame * H5Tget_size(type.id)
    let framesOfChunk = try checkLayout(
      creation, path, file, rank: shape.count, elementBytes: H5Tget_size(type.id))
    // Chunks at the edges stick out; twice the size of the frames is room for them.
    let (bytes, overflow) = (2 * frameBytes).multipliedReportingOverflow(by: framesOfChunk)
    return (shape, HDF5ElementType(type), overflow ? largestCache : bytes)
  }

  /// Makes sure that the library finds the values in this file and can undo their filters.
  ///
  /// Call inside the lock.
  ///
  /// - Returns: Frames that share a chunk.
  private static func checkLayout(
    _ creation: borrowing HDF5Handle, _ path: String, _ file: HDF5File, rank: Int,
    elementBytes: Int
  ) throws -> Int {
    let layout = H5Pget_layout(creation.id)
    guard layout == H5D_CHUNKED else {
      guard layout == H5D_COMPACT || layout == H5D_CONTIGUOUS,
        H5Pget_external_count(creation.id) == 0
      else { throw file.unreadable("dataset '\(path)' keeps its values elsewhere") }
      return 1
    }
    var extents = [hsize_t](repeating: 0, count: rank)
    guard H5Pget_chunk(creation.id, Int32(rank), &extents) == rank, !extents.contains(0) else {
      throw file.damaged("dataset '\(path)'")
    }
    var bytes = hsize_t(elementBytes)
    for extent in extents {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: extent)
      guard !overflow, product <= HDF5Limits.chunkBytes else {
        throw file.unreadable(
          "dataset '\(path)' claims chunks of more than \(HDF5Limits.chunkBytes) bytes")
      }
      bytes = product
    }
    let readable = [H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32]
    for index in 0..<UInt32(clamping: H5Pget_nfilters(creation.id)) {
      var (flags, settings): (UInt32, UInt32) = (0, 0)
      var count = 0
      let filter = H5Pget_filter2(creation.id, index, &flags, &count, nil, 0, nil, &settings)
      guard readable.contains(filter), H5Zfilter_avail(filter) > 0 else {
        throw file.unreadable(
          "dataset '\(path)' needs filter \(filter), expected gzip, shuffle or fletcher32")
      }
    }
    return Int(clamping: extents[0])
  }
}

/// The place of a dataset's bytes.
enum HDF5Layout: Sendable {
  /// One run of bytes from `offset` of the file.
  case contiguous(offset: Int)
  /// The bytes themselves, which were in the dataset's header.
  case compact([UInt8])
  #if HDF5
    /// Chunks of equal extents, each stored through the same filters.
    case chunked(HDF5Chunks)
  #endif

  /// Checks a layout that was described.
  ///
  /// - Throws: `DepthError`, naming the dataset.
  init(
    _ facts: HDF5Facts, file: HDF5File, shape: [Int], elementBytes: Int, chunkLimit: Int
  ) throws {
    let (path, claim) = (facts.path, facts.layout)
    let bytes = shape.reduce(1, *) * elementBytes
    switch claim.kind {
    case .compact:
      self = .compact(facts.data)
    case .contiguous where bytes == 0:
      self = .contiguous(offset: 0)
    case .contiguous:
      guard claim.externalFiles == 0 else {
        throw file.unsupported("dataset '\(path)' keeps its values in another file")
      }
      // The library adds the length of the user block to every address, even to the undefined one.
      guard claim.isAllocated, claim.offset != .max,
        claim.offset >= UInt64(file.start)
      else { throw file.invalid("values of dataset '\(path)' were never written") }
      guard claim.offset <= UInt64(file.size), bytes <= file.size - Int(claim.offset) else {
        throw file.invalid(
          "dataset '\(path)' claims \(bytes) bytes from byte \(claim.offset), "
            + "the file ends at \(file.size)")
      }
      self = .contiguous(offset: Int(claim.offset))
    case .chunked:
      #if HDF5
        if file.describer != .reader {
          self = .chunked(
            try HDF5Chunks(
              claim, path: path, file: file, shape: shape, elementBytes: elementBytes,
              limit: chunkLimit))
          return
        }
      #endif
      throw file.unsupported(
        "dataset '\(path)' is stored in chunks, expected one piece in a build without the trait HDF5"
      )
    case .virtual:
      throw file.unsupported("dataset '\(path)' keeps its values in other datasets")
    case .unknown:
      throw file.damaged("dataset '\(path)'")
    }
  }
}

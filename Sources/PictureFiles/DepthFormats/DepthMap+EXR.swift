import AtomicFiles
import DepthErrors
import DepthImages

/// Depth maps as OpenEXR.
extension DepthMap {
  /// Reads an OpenEXR file, whose floats are metres unless the file or the caller gives another unit.
  ///
  /// - Throws: `DepthError`; with code `unknownUnit` if the caller contradicts the file, or if the file has
  ///   integers without a unit and the caller gives none.
  init(exr bytes: [UInt8], unit given: StoredUnit?, file: String, limits: ImageLimits) throws {
    let (grid, texts) = try EXR.decode(bytes, file: file, limits: limits)
    let stated = DepthFileMetadata.storedUnit(texts)
    if let given, let stated, !stated.agrees(with: given) {
      throw DepthError.unitMismatch(file: file, expected: given.phrase, found: stated.phrase)
    }
    self.init(grid, try stated ?? Self.unit(of: grid, given: given, file: file))
  }

  /// The fields with the map's unit and range, as far as they are not given.
  func described(_ metadata: DepthFileMetadata, threads: Int) -> DepthFileMetadata {
    var metadata = metadata
    metadata.unit = unit
    guard unit == .metres else { return metadata }
    let range = valueRange(threads: threads)
    metadata.near = metadata.near ?? range.map { Double($0.low) }
    metadata.far = metadata.far ?? range.map { Double($0.high) }
    return metadata
  }
}

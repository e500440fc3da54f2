package import DepthImages
package import SystemEssentials

/// The map from a depth file, and whether the file records the unit.
package struct GivenDepth: Sendable {
  package let map: DepthMap
  /// Whether the file records the unit. Otherwise the unit is the caller's, or metres for floats.
  package let recordsUnit: Bool

  /// Reads a depth file.
  ///
  /// - Throws: `DepthError`; see ``DepthMap/init(contentsOf:unit:scale:key:limits:)``.
  package init(contentsOf url: URL, _ hints: DepthFileHints, limits: ImageLimits) throws {
    let (bytes, name) = (try DepthMap.fileBytes(of: url), url.relativePath)
    if case .npz = FileSignature(of: bytes) {
      // The archive is decoded once, since each reading copies it.
      let (grid, isRecorded) = try NPZ.decode(
        bytes, file: name, key: hints.key, isUnitGiven: hints.unit != nil, limits: limits)
      let unit = try DepthMap.unit(
        of: grid, given: hints.unit, scale: hints.unit?.scale, file: name)
      (map, recordsUnit) = (DepthMap(grid, unit), isRecorded)
      return
    }
    map = try DepthMap(
      decoding: bytes, name: name, stored: hints.unit, scale: hints.unit?.scale, key: hints.key,
      limits: limits)
    recordsUnit = try DepthFileMetadata(decoding: bytes, name: name).unit != nil
  }
}

/// The unit and array name that a user specifies for a depth file.
package struct DepthFileHints: Sendable {
  /// The unit of the numbers, used if the file records none.
  package let unit: StoredUnit?
  /// Name of the array in a NumPy archive; `nil` for the usual names.
  package let key: String?

  package init(unit: StoredUnit? = nil, key: String? = nil) { (self.unit, self.key) = (unit, key) }
}

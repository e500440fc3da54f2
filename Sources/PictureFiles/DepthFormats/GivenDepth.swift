package import DepthImages
package import SystemEssentials

/// The map of a depth file, and whether the file states its unit.
package struct GivenDepth: Sendable {
  package let map: DepthMap
  /// Whether the file itself records its unit; otherwise it is the caller's, or metres for floats.
  package let recordsUnit: Bool

  /// Reads a depth file.
  ///
  /// - Parameter unit: The unit of the file's numbers where it records none.
  /// - Throws: `DepthError`; see ``DepthMap/init(contentsOf:unit:scale:limits:)``.
  package init(contentsOf url: URL, unit: StoredUnit?, limits: ImageLimits) throws {
    let (bytes, name) = (try DepthMap.fileBytes(of: url), url.relativePath)
    map = try DepthMap(
      decoding: bytes, name: name, stored: unit, scale: unit?.scale, limits: limits)
    recordsUnit = try DepthFileMetadata(decoding: bytes, name: name).unit != nil
  }
}

package import DepthErrors

extension DepthMap {
  /// Depths that points in space are made of, metres. Those outside are no values: their coordinates would be
  /// too large for any viewer.
  package static let depthsInSpace: ClosedRange<Float> = 1e-5...1e5

  /// The map with 0 for every depth outside of ``depthsInSpace``.
  ///
  /// - Throws: `DepthError` with code `noDepth` when no pixel is left.
  /// - Precondition: The unit is metres.
  package func inSpace() throws -> DepthMap {
    precondition(unit == .metres, "unit \(unit), expected metres")
    var values = values
    var count = 0
    for index in values.indices {
      if Self.depthsInSpace.contains(values[index]) { count += 1 } else { values[index] = 0 }
    }
    guard count > 0 else { throw DepthError.noDepthInSpace }
    return DepthMap(height: height, width: width, unit: unit, values: values)
  }
}

extension DepthError {
  /// No pixel of a map has a depth within ``DepthImages/DepthMap/depthsInSpace``.
  package static var noDepthInSpace: DepthError {
    DepthError(.noDepth, "no pixel of the depth map has a value from 0.01 mm to 100 km")
  }
}

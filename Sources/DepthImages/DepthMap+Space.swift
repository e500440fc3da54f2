package import DepthErrors

extension DepthMap {
  /// The accepted depths of points in space, in metres. Points at other depths would have coordinates that
  /// viewers cannot show.
  package static let depthsInSpace: ClosedRange<Float> = 1e-5...1e5

  /// The map with 0 for every depth outside ``depthsInSpace``.
  ///
  /// - Throws: `DepthError` with code `noDepth` if no pixel remains.
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
  /// The error for a map without a depth in ``DepthImages/DepthMap/depthsInSpace``.
  package static var noDepthInSpace: DepthError {
    DepthError(.noDepth, "no pixel of the depth map has a value from 0.01 mm to 100 km")
  }
}

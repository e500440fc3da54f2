package import DepthErrors
package import DepthImages

extension DepthMap {
  /// Fails for a map without any value.
  ///
  /// - Parameter name: The photo or the depth file, for the error.
  package func requireValues(of name: String) throws(DepthError) {
    guard values.contains(where: hasValue) else {
      throw DepthError(.noDepth, file: name, "no pixel of its depth map has a value")
    }
  }
}

/// Runs work on one photo; errors without a file get the photo's name.
package func namingFailures<Result>(
  of photo: String, _ work: () throws -> Result
) throws -> Result {
  do { return try work() } catch let error as DepthError where error.file == nil {
    throw error.naming(photo)
  }
}

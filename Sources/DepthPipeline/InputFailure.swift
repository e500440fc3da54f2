package import DepthErrors
package import DepthImages

/// A failure of one input that no file format's error describes.
package struct InputFailure: Error, CustomStringConvertible {
  package let file, reason: String
  /// The underlying error.
  package let cause: (any Error)?
  package var description: String { "\(file): \(reason)" }

  package init(file: String, reason: String, cause: (any Error)? = nil) {
    (self.file, self.reason, self.cause) = (file, reason, cause)
  }
}

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

/// Runs work on one photo; failures that name no file get the photo's name, and stay what they are.
package func namingFailures<Result>(
  of photo: String, _ work: () throws -> Result
) throws -> Result {
  do { return try work() } catch let error as DepthError where error.file == nil {
    throw error.naming(photo)
  }
}

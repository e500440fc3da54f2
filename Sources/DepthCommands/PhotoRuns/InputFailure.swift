import DepthErrors

/// A failure of one input that no file format's error describes.
struct InputFailure: Error, CustomStringConvertible {
  let file, reason: String
  /// The underlying error.
  let cause: (any Error)?
  var description: String { "\(file): \(reason)" }

  init(file: String, reason: String, cause: (any Error)? = nil) {
    (self.file, self.reason, self.cause) = (file, reason, cause)
  }
}

/// Runs work on one photo; failures that name no file get the photo's name, and stay what they are.
func namingFailures<Result>(
  of photo: String, _ work: () throws -> Result
) throws -> Result {
  do { return try work() } catch let error as DepthError where error.file == nil {
    throw error.naming(photo)
  }
}

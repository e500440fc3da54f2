import DepthErrors

/// Runs work on one photo; errors without a file get the photo's name.
func namingFailures<Result>(
  of photo: String, _ work: () throws -> Result
) throws -> Result {
  do { return try work() } catch let error as DepthError where error.file == nil {
    throw error.naming(photo)
  }
}

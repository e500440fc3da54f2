import DepthErrors

/// Runs work on one photo, and adds the photo's name to errors without a file.
func namingFailures<Result>(
  of photo: String, _ work: () throws -> Result
) throws -> Result {
  do { return try work() } catch let error as DepthError where error.file == nil {
    throw error.naming(photo)
  }
}

import DepthBase
import DepthPhotos
import SystemEssentials

/// The work on each photo of a batch. The functions are called concurrently on several threads.
struct PhotoWork: Sendable {
  /// Reads the photo with its given depth, after ``PhotoRun/admit(_:of:)`` has reserved the memory.
  let read: @Sendable (PhotoRun) throws -> PhotoWithDepth
  /// Makes the product from the photo and its depth.
  let make: @Sendable (PhotoWithDepth, PhotoRun) throws -> PhotoProduct
}

/// The output files of a photo, and their record.
struct PhotoProduct {
  /// A file that stays unchanged if it exists with the same content.
  var shared: URL?
  /// Produces the contents of the files when they are written.
  let contents: () throws -> [(content: FileContent, url: URL)]
  /// Makes the record when the files are written.
  let record: (_ outputs: [String]) throws -> PhotoRecord
}

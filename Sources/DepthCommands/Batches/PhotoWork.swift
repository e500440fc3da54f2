import DepthBase
import DepthPhotos
import SystemEssentials

/// The work on each photo of a batch; its functions are called on several threads concurrently.
struct PhotoWork: Sendable {
  /// Reads the photo, with its depth where that is given, after ``PhotoRun/admit(_:of:)`` has reserved its memory.
  let read: @Sendable (PhotoRun) throws -> PhotoWithDepth
  /// Makes something of the photo and its depth.
  let make: @Sendable (PhotoWithDepth, PhotoRun) throws -> PhotoProduct
}

/// The files that are made of a photo, and their record.
struct PhotoProduct {
  /// One of the files, which may be there with the same content, and then stays.
  var shared: URL?
  /// Gives the contents of the files when they are written.
  let contents: () throws -> [(content: FileContent, url: URL)]
  /// Gives the record when the files are written.
  let record: (_ outputs: [String]) throws -> PhotoRecord
}

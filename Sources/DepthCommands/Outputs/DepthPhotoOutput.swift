import DepthBase
import DepthErrors
import DepthPhotos
import PictureFiles
import SystemEssentials

/// A photo with embedded depth, as a JPEG file.
struct DepthPhotoOutput: MapOutput {
  let path: String
  let format: DepthPhoto.Format
  let metadata: MetadataPolicy

  var purposeOfMetres: String? { "--depth-photo" }
  var folder: String? { nil }

  /// Rejects a name of another format.
  ///
  /// - Throws: ``WrongUsage``.
  func check() throws {
    let file = URL(filePath: path)
    guard case .jpeg? = try? ImageFileFormat(extensionOf: file) else {
      let error = DepthError.unknownExtension(
        file: path, expected: [".jpg", ".jpeg"], found: file.pathExtension)
      throw WrongUsage("\(error)".escapingControls)
    }
  }

  func check(_ photos: PhotoSelection) throws {
    if photos.isMany { throw WrongUsage("--depth-photo takes one photo, found \(photos.phrase)") }
  }

  func files(of photo: PhotoInput) -> [URL] { [URL(filePath: path)] }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    let threads = run.call.threads
    let content = FileContent.made {
      try DepthPhoto.encode(
        map.photo, depth: map.depth, as: format, metadata: metadata, threads: threads)
    }
    return (content, URL(filePath: path))
  }
}

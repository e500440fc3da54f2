public import ArgumentParser
import DepthErrors
import DepthImages
public import DepthPhotos
import PictureFiles
import SystemEssentials

extension DepthPhoto.Format: ExpressibleByArgument {}

/// A photo with its depth inside.
struct DepthPhotoOptions: ParsableArguments {
  @Option(
    name: .customLong("depth-photo"),
    help: ArgumentHelp(
      """
      Also write this JPEG file: the photo with its depth inside, as GDepth or Dynamic Depth. For one photo; not for \
      relative disparity.
      """,
      valueName: "file.jpg"),
    completion: .file())
  var path: String?

  @Option(
    help: ArgumentHelp(
      "Format of --depth-photo: gdepth (the default) or dynamic-depth.", valueName: "name"))
  var depthPhotoFormat: DepthPhoto.Format?

  @OptionGroup var metadata: MetadataOptions

  func validate() throws {
    guard let path else {
      let given = (depthPhotoFormat == nil ? [] : ["--depth-photo-format"]) + metadata.givenOptions
      if let option = given.first {
        throw ValidationError("\(option) requires --depth-photo")
      }
      return
    }
    let file = URL(filePath: path)
    guard case .jpeg? = try? ImageFileFormat(extensionOf: file) else {
      let error = DepthError.unknownExtension(
        file: path, expected: [".jpg", ".jpeg"], found: file.pathExtension)
      throw ValidationError("\(error)".escapingControls)
    }
  }

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection) throws {
    if path != nil, photos.isMany {
      throw ValidationError("--depth-photo takes one photo, found \(photos.phrase)")
    }
  }

  /// The file that is written for a photo.
  func output(of photo: PhotoInput) -> OutputPlan.Output? {
    path.map { OutputPlan.Output(file: URL(filePath: $0), photo: photo.path) }
  }

  /// Writes a photo with its depth.
  ///
  /// - Returns: The file's name; `nil` where none is asked for.
  func write(
    _ image: Image, depth: DepthMap, task: PhotoTask, threads: Int
  ) throws -> String? {
    guard let path else { return nil }
    let file = URL(filePath: path)
    try task.write(
      DepthPhoto.encode(
        image, depth: depth, as: depthPhotoFormat ?? .gDepth, metadata: metadata.request.metadata,
        threads: threads),
      to: file)
    return file.relativePath
  }
}

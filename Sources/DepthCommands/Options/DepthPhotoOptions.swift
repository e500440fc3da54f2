public import ArgumentParser
public import DepthPhotos

extension DepthPhoto.Format: ExpressibleByArgument {}

/// A photo with embedded depth.
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
    try namingOptions(metadata.request.check)
    if let output { return try namingOptions(output.check) }
    let given = (depthPhotoFormat == nil ? [] : ["--depth-photo-format"]) + metadata.givenOptions
    if let option = given.first { throw ValidationError("\(option) requires --depth-photo") }
  }

  var output: DepthPhotoOutput? {
    path.map {
      DepthPhotoOutput(
        path: $0, format: depthPhotoFormat ?? .gDepth, metadata: metadata.request.metadata)
    }
  }
}

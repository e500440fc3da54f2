public import ArgumentParser
import DepthBase
import DepthImages
import DepthRefinement
public import PictureFiles
import SystemEssentials

extension ColorMap: ExpressibleByArgument, Codable {}

/// Where the picture of a map goes.
enum DepthViewFile: ExpressibleByArgument, CustomStringConvertible {
  /// A file, or a folder.
  case path(String)
  case besideDepthFile

  init(argument: String) { self = .path(argument) }

  /// What help shows for `--view` without a name.
  var description: String {
    switch self {
    case .path(let path): path
    case .besideDepthFile: "PHOTO_depth_view.jpg"
    }
  }
}

/// Pictures of depth maps to look at.
struct DepthViewOptions: ParsableArguments {
  @Option(
    name: .customLong("view"), defaultAsFlag: DepthViewFile.besideDepthFile, parsing: .next,
    help: ArgumentHelp(
      """
      Also write a picture of the depth, near = white: for one photo to this .png or .jpg, for several photos to \
      this folder, as PHOTO_view.png. End the name of a new folder with '/'.
      """,
      discussion: """
        The name may be left out if --view is the last word of the command or another option follows. The picture is \
        then beside the depth file.
        """,
      valueName: "file"),
    completion: .file())
  var place: DepthViewFile?

  @Option(
    help: ArgumentHelp(
      """
      Color map of the --view picture: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")). gray by \
      default.
      """,
      valueName: "name"))
  var colorMap: ColorMap?

  @Flag(
    help: """
      Make brightness in the --view picture linear in metres. By default it is linear in disparity (1 / metres).
      """)
  var linear = false

  func validate() throws {
    for (option, isGiven) in [("--color-map", colorMap != nil), ("--linear", linear)]
    where isGiven && !self.isGiven {
      throw ValidationError("\(option) requires --view")
    }
  }

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection) throws {
    guard let path, !isFolder else { return }
    if photos.isMany {
      throw ValidationError("--view \(path) is not a folder, expected one for \(photos.phrase)")
    }
    do { _ = try ImageFileFormat(extensionOf: URL(filePath: path)) } catch {
      throw ValidationError("\(error)".escapingControls)
    }
  }

  private var request: ViewRequest {
    var request = ViewRequest()
    (request.colorMap, request.linear) = (colorMap ?? .gray, linear)
    return request
  }

  /// Whether pictures are asked for.
  var isGiven: Bool { place != nil }

  /// The file or folder that was named.
  var path: String? { if case .path(let path) = place { path } else { nil } }

  /// Whether pictures are PNG.
  var isPNG: Bool {
    path.map { isFolder || (try? ImageFileFormat(extensionOf: URL(filePath: $0))) == .png } ?? false
  }

  /// A folder that the pictures go to.
  var folder: String? { isFolder ? path : nil }

  /// A folder that is created if it does not exist.
  var newFolder: String? { path.flatMap { $0.hasSuffix("/") ? $0 : nil } }

  private var isFolder: Bool { path.map(namesFolder) ?? false }

  /// The picture of a photo's map.
  ///
  /// - Parameter depthFile: Where the map goes.
  func output(of photo: PhotoInput, beside depthFile: DepthFileOptions)
    -> OutputPlan.Output?
  {
    file(of: photo, beside: depthFile).map {
      OutputPlan.Output(file: $0, photo: photo.path, makesFolder: isFolder)
    }
  }

  private func file(of photo: PhotoInput, beside depthFile: DepthFileOptions) -> URL? {
    if let path { return isFolder ? photo.output("_view.png", in: path) : URL(filePath: path) }
    guard isGiven else { return nil }
    guard let depth = depthFile.file(of: photo) else {
      return photo.output("_depth_view.jpg", in: depthFile.outputDir)
    }
    let stem = depth.deletingPathExtension()
    return stem.deletingLastPathComponent().appending(path: stem.lastPathComponent + "_view.jpg")
  }

  /// Writes the picture of a map, at the photo's size.
  ///
  /// - Parameters:
  ///   - depthFile: Where the map goes.
  ///   - limits: The largest picture.
  /// - Returns: The file's name; `nil` where no picture is asked for.
  func write(
    _ depth: DepthMap, of image: Image, beside depthFile: DepthFileOptions, task: PhotoTask,
    compression: PNGCompression, limits: ImageLimits, threads: Int
  ) throws -> String? {
    guard let file = file(of: task.photo, beside: depthFile) else { return nil }
    let call = CallContext(threads: threads)
    let map = try depth.stretched(over: image, limits: limits, call: call)
    try task.write(
      request.picture(of: map).signed.encoded(
        as: ImageFileFormat(extensionOf: file), compression: compression, call: call),
      to: file)
    return file.relativePath
  }
}

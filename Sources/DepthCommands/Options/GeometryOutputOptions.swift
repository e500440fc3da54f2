import ArgumentParser
import DepthBase
import DepthGeometry
import DepthImages
import PictureFiles
import SystemEssentials

/// Which files of geometry are written, and where.
struct GeometryOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      """
      Output file (.\(ExportFormat.names.joined(separator: ", ."))) for one photo, or '-' for standard output (not \
      obj).
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: .outputFolder, completion: .directory) var outputDir: String?

  @Option(
    help: ArgumentHelp(
      """
      Format of files that are named after photos or go to standard output: \
      \(ExportFormat.names.joined(separator: ", ")). glb by default.
      """,
      valueName: "name"))
  var format: ExportFormat?

  @Option(
    help: """
      mesh (triangles) or cloud (points; only .ply and .glb). By default cloud for .ply and mesh for .glb and .obj. \
      Not for .html.
      """)
  var kind: ExportRequest.Kind?

  @Option(
    help: ArgumentHelp(
      """
      JPEG quality of the texture, or of the photo in an .html page, 1 to 100; \(ImageFileFormat.defaultQuality) by \
      default.
      """,
      valueName: "n"))
  var quality: Int?
  @Flag(help: "Store the texture of a mesh as PNG instead of JPEG. Not for .ply and .html.")
  var lossless = false
  @Flag(help: .overwrite) var overwrite = false

  func validate() throws {
    try check(output: output, outputDir: outputDir)
    if let output, !Console.isStandardOutput(output) {
      let url = URL(filePath: output)
      if !url.pathExtension.isEmpty || format == nil {
        do {
          let named = try ExportFormat(extensionOf: url)
          if let format, format != named {
            throw ValidationError(
              "-o \(output) and --format \(format.rawValue) exclude each other".escapingControls)
          }
        } catch let error as ValidationError { throw error } catch {
          throw ValidationError("\(error)".escapingControls)
        }
      }
    }
  }

  /// What the options ask for, checked.
  ///
  /// - Throws: A validation error.
  func request(_ map: MapRequest, _ shape: GeometryShapeOptions) throws -> ExportRequest {
    var request = ExportRequest()
    (request.map, request.shape) = (map, shape.request)
    request.format = output.flatMap { try? ExportFormat(extensionOf: URL(filePath: $0)) } ?? format
    (request.kind, request.quality, request.lossless) = (kind, quality, lossless)
    try namingOptions(request.check)
    return request
  }

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection, _ request: ExportRequest, json: Bool) throws {
    try photos.check(output: output, json: json, content: "geometry")
    guard Console.isStandardOutput(output) else { return }
    if let geometry = request.exportFormat.geometry,
      geometry.names("", texture: request.texture).count > 1
    {
      throw ValidationError(
        "--format \(geometry.rawValue) is several files, expected -o with a name")
    }
  }

  /// The files that are written for these photos.
  func plan(
    for photos: [PhotoInput], inputs: [String], _ request: ExportRequest
  ) -> OutputPlan {
    var plan = OutputPlan(photos, inputs: inputs, overwrite: overwrite, folder: outputDir) {
      urls(of: $0, request)
    }
    // room.ply and room.glb have one camera, room_camera.json.
    for index in plan.outputs.indices {
      plan.outputs[index].isShared = Self.isCamera(plan.outputs[index].file)
    }
    return plan
  }

  private static func isCamera(_ file: URL) -> Bool {
    file.lastPathComponent.hasSuffix(CameraFile.ending)
  }

  /// Fails, before depth is estimated, if the file of another camera is in the place of this one's.
  ///
  /// - Parameter source: Where the camera's focal length comes from.
  /// - Throws: `DepthError`.
  func check(
    _ camera: Camera, source: String, _ request: ExportRequest, task: PhotoTask
  ) throws {
    guard let url = urls(of: task.photo, request).last(where: Self.isCamera) else { return }
    try task.keepsShared(CameraFile(camera, source: source).encoded(), at: url)
  }

  /// Writes the files of a shaped photo, and its camera's.
  ///
  /// - Parameter source: Where the camera's focal length comes from.
  /// - Returns: The names of the files written.
  func write(
    _ shaped: ShapedPhoto, camera: Camera, source: String, _ request: ExportRequest,
    task: PhotoTask, threads: Int
  ) throws -> [String] {
    var files = try shaped.files(
      name: stem(of: task.photo), texture: request.texture, threads: threads)
    let urls = urls(of: task.photo, request)
    // A page has the camera inside.
    if case .geometry = shaped {
      let file = CameraFile(camera, source: source)
      files.append(.bytes(try file.encoded()))
    }
    return try task.write(
      zip(files, urls).map { (content: $0, url: $1) },
      shared: urls.last(where: Self.isCamera))
  }

  /// The name of a photo's files without their endings.
  private func stem(of photo: PhotoInput) -> String {
    output.map { URL(filePath: $0).deletingPathExtension().lastPathComponent } ?? photo.stem
  }

  /// Where the files of a photo go; standard output takes one.
  private func urls(of photo: PhotoInput, _ request: ExportRequest) -> [URL] {
    if Console.isStandardOutput(output) { return [Console.standardOutput] }
    let names = request.exportFormat.names(stem(of: photo), texture: request.texture)
    guard let output else { return names.map { photo.output(named: $0, in: outputDir) } }
    let folder = AtomicFile.folder(of: output)
    return names.enumerated().map { index, name in
      URL(filePath: index == 0 ? output : folder + name)
    }
  }
}

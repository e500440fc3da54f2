import ArgumentParser
import PictureFiles
import SystemEssentials

/// The files of geometry.
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
      \(ExportFormat.names.joined(separator: ", ")); glb by default. Or nerfstudio or colmap: all photos with their depth in the folder \
      --output-dir.
      """,
      valueName: "name"))
  var format: ExportFormat?

  @Option(
    help: ArgumentHelp(
      """
      Folder of a COLMAP model (binary or text, PINHOLE or SIMPLE_PINHOLE) with the cameras and poses of the photos; for nerfstudio and \
      colmap.
      """,
      discussion: """
        The depth of each photo is fitted to the points that COLMAP found in it, by scale and shift of 1/distance, as by 'depth calibrate \
        --sparse'; distances then have the model's unit. Other cameras have a distortion that 'colmap image_undistorter' removes. \
        Without a model, each photo has a camera at the origin.
        """,
      valueName: "folder"),
    completion: .directory)
  var poses: String?

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
    if let format, format.isFolder {
      guard output == nil, outputDir != nil else {
        throw ValidationError("--format \(format.rawValue) writes a folder, expected --output-dir")
      }
    } else if poses != nil {
      throw ValidationError("--poses requires --format nerfstudio or colmap")
    }
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

  func request(_ map: MapRequest, _ shape: GeometryShapeOptions) -> ExportRequest {
    ExportRequest(
      map: map, shape: shape.request,
      format: output.flatMap { try? ExportFormat(extensionOf: URL(filePath: $0)) } ?? format,
      kind: kind, quality: quality, lossless: lossless)
  }

  func value(_ request: ExportRequest) -> GeometryOutput {
    GeometryOutput(place: OutputPlace(file: output, folder: outputDir), request: request)
  }
}

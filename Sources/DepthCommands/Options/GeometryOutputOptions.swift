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

import ArgumentParser
import DepthBase
import DepthGeometry
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth export`: photo (+ depth) → a point cloud or a mesh.
struct Export: ParsableCommand, PhotoDepthCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Make a point cloud, a mesh or a web page from a photo.",
    discussion: """
      Writes GLB with the photo as texture, binary PLY with colors and normals, OBJ with a material, or an HTML \
      page. Coordinates are in metres: x right, y up, the camera at the origin looking along -z. The camera is \
      written beside the file, as NAME_camera.json; an HTML page contains its camera. Without -o the file is written \
      beside the photo, as PHOTO.glb. The photo is rotated upright by its Exif orientation, but the scene is not \
      leveled: if the camera looked down, the floor slopes. Geometry needs depth in metres or disparity; \
      --calibration turns relative disparity into metres. Examples:

        depth export photo.jpg -o room.glb
        depth export photo.jpg -o room.html     a page to share
        depth export photo.jpg --fov 70 -o room.ply
        depth export photos --recursive --output-dir rooms --format obj
      """)

  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @Option(
    help: ArgumentHelp(
      "Depth in metres or disparity: auto, network, embedded, a depth file, or a folder of depth files.",
      discussion: """
        auto, the default, takes the depth stored in the photo if it has distances, and otherwise estimates it by the \
        network. --weights, --mirrored, --input-size, --precision, --calibration and --min-confidence are about the \
        estimate, and auto then means network. embedded fails for a photo without depth. Write ./auto for a file \
        called auto. For several photos, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
        MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm or .npy. --refine changes a \
        depth file only if its size differs from the photo's.
        """,
      valueName: "file"),
    completion: .file())
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var shape: GeometryShapeOptions
  @OptionGroup var output: GeometryOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  /// Also the least confidence, which only estimates have.
  var estimateOptions: [String] {
    common.weights.givenOptions
      + optionNames([
        "--calibration": calibration.calibration != nil,
        "--min-confidence": confidence.minConfidence != nil,
      ])
  }

  func validate() throws {
    _ = try depthSource()
    _ = try request()
  }

  private func request() throws -> ExportRequest {
    try output.request(refinement.request(camera, confidence), shape)
  }

  func run() throws {
    let request = try request()
    let selection = try selection(outputFolder: output.outputDir)
    try output.check(selection, request, json: common.json)
    try perform(
      selection, options: request.map.options, metresFor: request.purposeOfMetres,
      needingMetresFor: "'depth export'",
      plan: { output.plan(for: $0, inputs: $1, request) },
      steps: {
        ExportSteps(
          depths: $0, output: output, request: request, limits: limits.limits,
          camera: camera.setting)
      })
  }
}

/// The steps of `depth export`.
private struct ExportSteps: PhotoSteps {
  struct Made {
    let camera: Camera
    /// Where the focal length comes from.
    let source: String
    /// Of estimated depth.
    let uncertainty: Double?
    let map: DepthMap
    let shaped: ShapedPhoto
  }

  let depths: DepthOfPhotos
  let output: GeometryOutputOptions
  let request: ExportRequest
  let limits: ImageLimits
  let camera: DepthOptions.CameraChoice

  func read(_ task: PhotoTask) throws -> ReadPhoto {
    try depths.read(task, for: { request.work(isEstimate: $0) })
  }

  func estimate(_ source: ReadPhoto, _ task: PhotoTask) throws -> Made {
    let (image, photo) = (source.image, task.photo.path)
    let photoCamera = try namingFailures(of: photo) {
      try PhotoCamera(of: image, camera, training: source.training)
    }
    let cameraSource = photoCamera.sourceName
    try output.check(photoCamera.camera, source: cameraSource, request, task: task)
    // With --focal-length none the source of the camera itself is an option: the user knows.
    if camera != .uncorrected { task.tellOfAssumedFocalLength(photoCamera) }
    if request.exportFormat.geometry != nil, let note = image.noteOfUnknownProfile {
      task.log(note)
    }
    return try namingFailures(of: photo) {
      var (map, known) = try source.map(task)
      if let depth = source.depth {
        var options = request.map.options
        options.limits = limits
        map = try options.sized(depth, for: image, call: task.call)
      }
      task.begin(.shaping)
      let shaped = try request.shaped(
        // The texture of an .obj is a picture file of its own.
        request.exportFormat == .obj ? image.signed : image, depth: map,
        camera: photoCamera.camera,
        name: photo == "-" ? "photo.jpg" : URL(filePath: photo).lastPathComponent,
        facts: DepthPage.Facts(
          uncertainty: known.uncertainty, focalLengthSource: cameraSource),
        threads: task.call.threads)
      return Made(
        camera: photoCamera.camera, source: cameraSource, uncertainty: known.uncertainty, map: map,
        shaped: shaped)
    }
  }

  func write(_ made: Made, of source: ReadPhoto, _ task: PhotoTask) throws -> ExportRecord {
    try namingFailures(of: task.photo.path) {
      let outputs = try output.write(
        made.shaped, camera: made.camera, source: made.source, request, task: task,
        threads: task.call.threads)
      let range = try made.map.inMetres().range()
      return ExportRecord(
        input: task.photo.path, request: request, outputs: outputs, kind: made.shaped.kind,
        vertices: made.shaped.counts?.vertices, faces: made.shaped.counts?.faces,
        nearM: range?.low, farM: range?.high,
        focalLengthPx: (made.camera.focalLength * 10).rounded() / 10,
        focalLengthSource: made.source, uncertainty: made.uncertainty, depthSource: source.origin,
        precision: source.precision, calibration: source.calibration,
        milliseconds: task.milliseconds("geometry", .shaping))
    }
  }
}

/// The line that `depth export --json` prints for one photo.
struct ExportRecord: PhotoRecord {
  let input: String
  /// What was asked for.
  let request: ExportRequest
  let outputs: [String]
  let kind: String
  /// Points of a cloud, or vertices of a mesh.
  let vertices: Int?
  /// Triangles; 0 for a cloud.
  let faces: Int?
  let nearM, farM: Float?
  let focalLengthPx: Double
  /// `exif`, `option` or `assumed`, as of `--focal-length none`.
  let focalLengthSource: String
  /// See ``EstimateFacts``.
  let uncertainty: Double?
  let depthSource: DepthOrigin?
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  let precision: String?
  /// What corrected the estimate.
  let calibration: CalibrationRecord?
  var milliseconds: [String: Double]
}

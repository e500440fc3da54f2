import ArgumentParser
import DepthBase
import DepthImages
import DepthPipeline
import DepthRequests
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
      """
      Depth file in metres or disparity, or 'embedded' for the depth stored in the photo. By default depth is \
      estimated. Not with --calibration or --min-confidence.
      """,
      discussion: """
        For several photos, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
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

  func validate() throws {
    try confidence.check(depth: depth)
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
      selection, settings: request.map.settings, needingMetresFor: "'depth export'",
      plan: { output.plan(for: $0, inputs: $1, request) },
      make: { try make($0, $1, request) })
  }

  private func make(
    _ turn: PhotoTurn, _ depths: DepthOfPhotos, _ request: ExportRequest
  ) throws -> ExportRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    let (source, call) = try depths.read(turn, for: request.work(isEstimate: depth == nil))
    let (image, threads) = (source.image, call.threads)
    let decode = watch.lap()
    turn.step("estimating")
    let photoCamera = PhotoCamera(
      of: image,
      camera: try camera.setting.camera(of: image, named: photo, training: depths.training),
      training: depths.training)
    let cameraSource = camera.setting.sourceName(of: photoCamera)
    try output.check(photoCamera.camera, source: cameraSource, request, turn: turn)
    // With --focal-length none the source of the camera itself is an option: the user knows.
    if photoCamera.source == .assumed, !common.quiet { tellOfAssumedCamera(photoCamera, photo) }
    return try namingFailures(of: photo) {
      // Refining would stretch any map to the photo.
      try source.depth?.checkAspect(of: image, within: DepthMap.aspectTolerance)
      let map =
        if let depth = source.depth {
          try request.map.settings.sized(depth, for: image, limits: limits.limits, call: call)
        } else { try depths.map(of: source, turn, call: call) }
      let estimated = watch.lap()
      turn.step("shaping")
      let shaped = try request.shaped(
        // The texture of an .obj is a picture file of its own.
        request.exportFormat == .obj ? image.signed : image, depth: map,
        camera: photoCamera.camera,
        name: photo == "-" ? "photo.jpg" : URL(filePath: photo).lastPathComponent,
        threads: threads)
      let shaping = watch.lap()
      turn.step("writing")
      let outputs = try output.write(
        shaped, camera: photoCamera.camera, source: cameraSource, request, turn: turn,
        threads: threads)
      let range = try map.inMetres.range
      return ExportRecord(
        input: photo, request: request, outputs: outputs, kind: shaped.kind,
        vertices: shaped.counts?.vertices,
        faces: shaped.counts?.faces, nearM: range?.low, farM: range?.high,
        focalLengthPx: (photoCamera.camera.focalLength * 10).rounded() / 10,
        focalLengthSource: cameraSource, precision: depths.precision,
        calibration: depths.calibration,
        milliseconds: .init(
          decode: decode.milliseconds, depth: estimated.milliseconds,
          geometry: shaping.milliseconds, write: watch.lap().milliseconds))
    }
  }

  private func tellOfAssumedCamera(_ camera: PhotoCamera, _ photo: String) {
    let degrees = Int(camera.camera.fieldOfView.rounded())
    Console.note(
      "depth: \(photo.escapingControls): has no focal length, assuming an angle of view of \(degrees)°; "
        + "set it with --fov or --focal-length\n")
  }
}

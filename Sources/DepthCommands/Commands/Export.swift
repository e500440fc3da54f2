import ArgumentParser
import MonocularDepth

/// `depth export`: photo (+ depth) → a point cloud or a mesh.
struct Export: RequestCommand, PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Make a point cloud, a mesh or a web page from a photo.",
    discussion: """
      Writes GLB with the photo as texture, binary PLY with colors and normals, OBJ with a material, or an HTML \
      page. Coordinates are in metres: x right, y up, the camera at the origin looking along -z. The camera is \
      written beside the file, as NAME_camera.json; an HTML page contains its camera. Without -o the file is written \
      beside the photo, as PHOTO.glb. The photo is rotated upright by its Exif orientation, but the scene is not \
      leveled: if the camera looked down, the floor slopes. Geometry needs depth in metres or disparity; \
      --metres and --calibration turn relative disparity into metres. --format nerfstudio and colmap copy the photos \
      with all of their metadata, also the location. Examples:

        depth export photo.jpg -o room.glb
        depth export photo.jpg -o room.html     a page to share
        depth export photo.jpg --fov 70 -o room.ply
        depth export photos --recursive --output-dir rooms --format obj
        depth export photos --format colmap --output-dir dense --poses sparse/0
      """)

  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @Option(
    help: ArgumentHelp(
      "Depth in metres or disparity: auto, network, embedded, a depth file, or a folder of depth files.",
      discussion: """
        auto, the default, uses the depth stored in the photo if it has distances, and otherwise the network's. \
        --weights, --mirrored, --input-size, --precision, --calibration and --min-confidence apply to the \
        estimate: with one of them, auto means network. embedded fails for a photo without depth. Write ./auto for a file \
        called auto. For several photos, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
        MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm, .npy or .npz. --refine changes a \
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

  /// Names of the given options that require an estimate, including the minimum confidence.
  var estimateOptions: [String] {
    common.weights.givenOptions
      + optionNames([
        "--calibration": calibration.calibration != nil,
        "--min-confidence": confidence.minConfidence != nil,
      ])
  }

  func validate() throws {
    _ = try depthChoice()
    if let format = output.format, format.isFolder,
      let option = optionNames([
        "--skip-existing": batch.skipExisting, "--shard": batch.shard != nil,
        "--focal-length or --fov": output.poses != nil && !camera.request.givenFields.isEmpty,
      ]).first
    {
      throw ValidationError(
        "\(option) cannot be combined with --format \(format.rawValue)\(output.poses == nil ? "" : " and --poses")"
      )
    }
    try checkRequest()
  }

  var request: ExportRequest { output.request(refinement.request(camera, confidence), shape) }

  func run() throws {
    let request = request
    let selection = try selection(outputFolder: output.outputDir)
    if request.exportFormat.isFolder { return try runDataset(request, selection) }
    let files = output.value(request)
    try files.place.check(selection, json: common.json, content: "geometry")
    try files.check(selection)
    var options = request.map.options
    options.limits = limits.limits
    try perform(
      selection, options, metresFor: request.purposeOfMetres,
      needingMetresFor: "'depth export'", writing: files, overwrite: output.overwrite
    ) { [options] in .export(request, of: $0, options, as: files) }
  }

  /// Makes one folder from all photos. Files about all photos are written last.
  private func runDataset(_ request: ExportRequest, _ selection: PhotoSelection) throws {
    guard let folder = output.outputDir else { preconditionFailure("checked before") }
    let files = try DatasetOutput(
      folder: folder, format: request.exportFormat, quality: request.jpegQuality,
      poses: output.poses)
    var options = request.map.options
    options.limits = limits.limits
    let purpose = files.model == nil ? request.purposeOfMetres : nil
    let outcome = Result {
      try perform(
        selection, options, metresFor: purpose,
        needingMetresFor: purpose.map { _ in "'depth export'" }, writing: files,
        overwrite: output.overwrite
      ) { [options] in .dataset(request, of: $0, options, as: files) }
    }
    try files.finish(overwrite: output.overwrite)
    try outcome.get()
  }
}

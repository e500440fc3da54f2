import ArgumentParser
import AtomicFiles
import DepthErrors
import DepthGeometry
import DepthImages
import DepthPages
import DepthRefinement
import MonocularDepth
import PictureFiles
import ProcessLimits
import SystemEssentials

/// `depth export`: photo (+ depth) → a point cloud or a mesh.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Make a point cloud, a mesh or a page of a photo.",
    discussion: """
      GLB with the photo as its texture, binary PLY with colors and normals, or OBJ with a material; metres, x \
      right, y up, the camera at the origin looking along -z. NAME_camera.json beside it has the camera. Without -o \
      the file goes beside the photo, as PHOTO.glb. The photo is turned upright as Exif says; the horizon is not \
      looked for, so that a camera that looked down gives a floor that slopes. Examples:

        depth export photo.jpg -o room.glb
        depth export photo.jpg -o room.html     a page to send to somebody
        depth export photo.jpg --fov 70 -o room.ply
        depth export photos --recursive --output-dir rooms --format obj
      """)

  @Argument(help: "JPEG or PNG photos, folders of them, or '-'.", completion: .file())
  var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @Option(
    help: ArgumentHelp(
      "Depth file with a unit, or 'embedded' for the photo's own; estimated when not given.",
      discussion: """
        For several photos a folder of depth files: MAPS/PLACE/NAME_depth.png, .pfm, .npy or .exr, or without _depth, \
        for PHOTOS/PLACE/NAME.jpg. A file of the photo's size is taken as it is, another is refined.
        """, valueName: "file"), completion: .file())
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var shape: GeometryShapeOptions
  @OptionGroup var output: GeometryOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if output.geometryKind == .cloud, shape.simplify != nil {
      throw ValidationError("--simplify is for meshes, expected --kind mesh")
    }
  }

  func run() throws {
    let selection = try batch.selection(
      of: photos, extensions: StereoSource.extensions, outputFolders: [output.outputDir])
    try output.check(selection, json: common.json)
    let source = DepthSource(depth)
    try source.check(selection)
    try calibration.check(depth: depth)
    let correction = try calibration.read()
    var plan = output.plan(
      for: selection.photos,
      inputs: batch.files + calibration.files + (depth == nil ? try common.weightsFiles() : []))
    plan.depthFiles = source.files(of: selection.photos)
    let run = try PhotoRun(selection, plan, options: batch)
    var watch = Stopwatch()
    let estimator = depth == nil ? try common.estimator(photos: run.photos.count) : nil
    if let estimator { try correction?.note(for: estimator, refinement: refinement.refine) }
    let weights = try (estimator?.words ?? []) + (correction?.words ?? [])
    try run.perform(
      Recipe(
        "export",
        weights + source.words + unit.words + camera.words + refinement.words
          + shape.words + output.words),
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap()
    ) { try make($0, source, estimator, correction) }
  }

  private func make(
    _ turn: PhotoTurn, _ depthSource: DepthSource, _ estimator: DepthEstimator?,
    _ calibration: DepthCalibration?
  ) throws -> ExportRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    turn.step("reading")
    var threads = 1
    let source = try StereoSource(
      of: turn.photo, depth: depthSource, unit: unit, limits: limits.limits
    ) { file in
      threads = try turn.threads(
        for: memoryNeed(for: file, network: estimator), pixels: file.width * file.height)
    }
    let decode = watch.lap()
    turn.step("estimating")
    let image = source.image
    let photoCamera = PhotoCamera(
      of: image, camera: try camera.camera(of: image, named: photo))
    if photoCamera.source == .assumed, !common.quiet { tellOfAssumedCamera(photoCamera, photo) }
    do {
      // Refining would stretch any map to the photo.
      try source.depth?.checkAspect(of: image, within: Self.aspectTolerance)
      let map = try sized(
        source.depth
          ?? (estimator ?? common.estimator()).using(threads: threads)
          .depth(of: image, camera: photoCamera.source == .given ? photoCamera.camera : nil),
        for: image, threads: threads
      ).calibrated(by: calibration, camera: photoCamera, photo: photo)
      let estimated = watch.lap()
      if case .normalized = map.unit {
        throw DepthError.noUnit(for: output.exportFormat == .html ? "a page" : "geometry")
      }
      let range = try map.inMetres.range
      var record = ExportRecord(
        input: photo, outputs: [], nearM: range?.low, farM: range?.high,
        focalLengthPx: (photoCamera.camera.focalLength * 10).rounded() / 10,
        focalLengthSource: photoCamera.sourceName, precision: estimator?.precision.rawValue,
        calibration: calibration.map(CalibrationRecord.init))
      turn.step("shaping")
      guard let format = output.exportFormat.geometry else {
        let page = try DepthPage.html(
          photo: image, depth: map, camera: photoCamera.camera,
          name: photo == "-" ? "photo.jpg" : URL(filePath: photo).lastPathComponent,
          quality: output.quality, threads: threads)
        let shaped = watch.lap()
        turn.step("writing")
        record.outputs = try output.write([.bytes(Array(page.utf8))], turn: turn)
        record.kind = "page"
        record.milliseconds = .init(
          decode: decode.milliseconds, depth: estimated.milliseconds,
          geometry: shaped.milliseconds, write: watch.lap().milliseconds)
        return record
      }
      let options = shape.options(fillsHoles: refinement.fill)
      let geometry: Geometry =
        switch output.geometryKind {
        case .cloud:
          .cloud(
            try map.pointCloud(
              of: image, camera: photoCamera.camera, options: options, threads: threads))
        case .mesh:
          .mesh(
            try map.mesh(
              of: image, camera: photoCamera.camera, options: options, threads: threads))
        }
      guard geometry.vertexCount > 0 else {
        throw InputFailure(
          file: photo, reason: "gives no triangle, expected depth of more than single pixels")
      }
      let shaped = watch.lap()
      turn.step("writing")
      record.outputs = try output.write(
        geometry, as: format,
        camera: CameraFile(photoCamera.camera, source: photoCamera.sourceName), turn: turn,
        threads: threads)
      record.kind = output.geometryKind.rawValue
      (record.vertices, record.faces) = (geometry.vertexCount, geometry.triangleCount)
      record.milliseconds = .init(
        decode: decode.milliseconds, depth: estimated.milliseconds,
        geometry: shaped.milliseconds, write: watch.lap().milliseconds)
      return record
    } catch let error as DepthError where error.file == nil {
      throw InputFailure(file: photo, reason: error.message)
    }
  }

  /// The map as the geometry takes it: one of the photo's size, or one whose size was asked for, as it is.
  private func sized(_ map: DepthMap, for image: Image, threads: Int) throws -> DepthMap {
    let hasPhotoSize = map.height == image.height && map.width == image.width
    if hasPhotoSize, !refinement.fill { return map }
    if hasPhotoSize {
      return try map.refined(
        guidedBy: image, method: .none, fillsMissing: true, threads: threads)
    }
    return try refinement.refined(map, guidedBy: image, threads: threads)
  }

  /// Proportions of photo and map may differ by this factor: networks squeeze what they see.
  private static let aspectTolerance = 1.5

  private func tellOfAssumedCamera(_ camera: PhotoCamera, _ photo: String) {
    let degrees = Int(camera.camera.fieldOfView.rounded())
    Console.note(
      "depth: \(photo.escapingControls): says no focal length, \(degrees)° across are assumed; "
        + "--fov or --focal-length gives it\n")
  }

  /// The memory that making and writing the geometry takes.
  private func memoryNeed(for file: PhotoFile, network: DepthEstimator?) -> MemoryNeed {
    let networkBytes = network?.networkBytes ?? 0
    guard output.exportFormat.geometry != nil else {
      return .page(of: file, networkBytes: networkBytes)
    }
    // The article's filter copies the photo's patterns into the map.
    let isSmooth = depth == nil && refinement.refine != .article
    return .geometry(
      of: file, networkBytes: networkBytes, isCloud: output.geometryKind == .cloud,
      keepsAllPixels: shape.keepsAllPixels, isSmooth: isSmooth)
  }
}

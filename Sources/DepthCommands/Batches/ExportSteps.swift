import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The steps of `depth export`.
struct ExportSteps: PhotoSteps {
  struct Made {
    let camera: Camera
    /// Source of the focal length.
    let source: String
    /// Of estimated depth.
    let uncertainty: Double?
    let metres: MetresRecord?
    let map: DepthMap
    let shaped: PhotoExport
  }

  let depths: DepthProvider
  let output: GeometryOutput
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
    try output.check(CameraFile(photoCamera.camera, source: cameraSource), task)
    // With --focal-length none the source of the camera itself is an option: the user knows.
    if camera != .uncorrected { task.tellOfAssumedFocalLength(photoCamera) }
    if request.exportFormat.geometry != nil, let note = image.noteOfUnknownProfile {
      task.log(note)
    }
    return try namingFailures(of: photo) {
      var (map, known) = try source.map(task)
      if source.depth != nil {
        var options = request.map.options
        options.limits = limits
        map = try options.sized(map, for: image, call: task.call)
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
        camera: photoCamera.camera, source: cameraSource, uncertainty: known.uncertainty,
        metres: known.metres, map: map, shaped: shaped)
    }
  }

  func write(_ made: Made, of source: ReadPhoto, _ task: PhotoTask) throws -> ExportRecord {
    try namingFailures(of: task.photo.path) {
      let outputs = try output.write(
        (made.shaped, CameraFile(made.camera, source: made.source)), task)
      let range = try made.map.inMetres().range()
      return ExportRecord(
        input: task.photo.path, request: request, outputs: outputs, kind: made.shaped.kind,
        vertices: made.shaped.counts?.vertices, faces: made.shaped.counts?.faces,
        nearM: range?.low, farM: range?.high,
        focalLengthPx: made.camera.focalLength.rounded(toDigits: 1),
        focalLengthSource: made.source, uncertainty: made.uncertainty, depthSource: source.origin,
        precision: source.precision, calibration: source.calibration, metres: made.metres,
        milliseconds: task.milliseconds("geometry", .shaping))
    }
  }
}

/// The line that `depth export --json` prints for one photo.
struct ExportRecord: PhotoRecord {
  let input: String
  /// The request.
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
  /// Correction of the estimate.
  let calibration: CalibrationRecord?
  /// The fit of relative depth.
  let metres: MetresRecord?
  var milliseconds: [String: Double]
}

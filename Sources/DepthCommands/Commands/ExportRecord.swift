import DepthRequests

/// The line that `depth export --json` prints for one photo.
struct ExportRecord: DepthTimedRecord {
  struct Milliseconds: Encodable, DepthTime {
    let decode: Double
    var depth: Double
    let geometry, write: Double
  }

  let input: String
  /// What was asked for.
  var request: ExportRequest?
  var outputs: [String] = []
  var kind: String?
  /// Points of a cloud, or vertices of a mesh.
  var vertices: Int?
  /// Triangles; 0 for a cloud.
  var faces: Int?
  var nearM, farM: Float?
  var focalLengthPx: Double?
  /// `exif`, `option` or `assumed`, as of `--focal-length none`.
  var focalLengthSource: String?
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  var precision: String?
  /// What corrected the estimate.
  var calibration: CalibrationRecord?
  var milliseconds: Milliseconds?
  var error: String?
}

extension ExportRecord {
  init(input: String, error: String) {
    self.init(input: input, outputs: [], error: error)
  }
}

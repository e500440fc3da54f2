import DepthPhotos

/// `?photo=ID` in place of a body: a photo that a page has open.
struct OpenPhotoQuery: Request {
  var photo: String?
  /// Whether the photo is taken at the size at which effects are made while a slider moves.
  var draft = false
  /// The depth source; an open photo has estimated depth.
  var depth = DepthChoice.auto

  func check() throws(InvalidRequest) {
    if draft, photo == nil {
      throw InvalidRequest("`draft` requires `photo`")
    }
    if photo != nil, depth == .embedded {
      throw InvalidRequest("`depth` embedded requires a photo that is sent, found `photo`")
    }
  }
}

/// Parameters of `/v1/export`.
struct ExportQuery: Request {
  var export = ExportRequest()
  var depth = DepthChoice.auto

  func check() throws(InvalidRequest) {
    try export.check()
    if depth == .embedded, let field = export.map.estimateFields.first {
      throw InvalidRequest("`\(field)` requires estimated depth, found `depth` embedded")
    }
  }

  /// Fields of the estimate decide for the network.
  var choice: DepthChoice { export.map.estimateFields.isEmpty ? depth : .network }
}

/// Parameters of `/v1/stereo`.
struct StereoQuery: Request {
  var stereo = StereoRequest()
  var open = OpenPhotoQuery()

  func check() throws(InvalidRequest) {
    try stereo.check()
    try open.check()
  }
}

/// Parameters of `/v1/effect`. The header `Accept` takes the place of `--lossless`.
struct EffectQuery: Request {
  var effect = EffectRequest()
  var open = OpenPhotoQuery()
  /// Pixels of the photo that the effect is applied to, at most.
  var maxPixels: Int?

  func check() throws(InvalidRequest) {
    try effect.check()
    try open.check()
    if let maxPixels, maxPixels < 1 {
      throw InvalidRequest("`maxPixels` is '\(maxPixels)', expected a positive number")
    }
    if open.photo != nil, maxPixels != nil {
      throw InvalidRequest("expected no `maxPixels` for a photo that is open")
    }
  }
}

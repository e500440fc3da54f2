import DepthPhotos

/// Parameter `?photo=ID`, which replaces the body by a photo that is open in a page.
struct OpenPhotoQuery: Request {
  var photo: String?
  /// Whether the photo has the size of effects while a slider moves.
  var draft = false
  /// The source of depth; an open photo has estimated depth.
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

  /// The source of depth: the network if a field affects the estimate, or else the requested source.
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

/// Parameters of `/v1/effect`. The `Accept` header replaces `--lossless`.
struct EffectQuery: Request {
  var effect = EffectRequest()
  var open = OpenPhotoQuery()
  /// Maximum pixels of the photo that the effect is applied to.
  var maxPixels: Int?

  func check() throws(InvalidRequest) {
    try effect.check()
    try open.check()
    if let maxPixels, maxPixels < 1 {
      throw InvalidRequest("`maxPixels` is '\(maxPixels)', expected a positive number")
    }
    if open.photo != nil, maxPixels != nil {
      throw InvalidRequest("`maxPixels` requires a photo that is sent, found `photo`")
    }
  }
}

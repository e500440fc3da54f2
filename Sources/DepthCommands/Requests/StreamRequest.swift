import DepthVideo
import FrameStreams
import PictureFiles

/// The depth of frames for `depth stream`.
struct StreamRequest: Request {
  var map = MapRequest()
  var to = DepthFrameFormat.gray8
  /// `nil` for inferno.
  var colorMap: ColorMap?
  /// Distances that are white and black; `nil` for a range that adapts to the video.
  var pictureRange: DisplayRange?
  var steady = TemporalSmoothing.standard

  /// Whether distances are written or used. Relative depth is enough for other pictures.
  var usesMetres: Bool { !to.isPicture || pictureRange != nil }

  func check() throws(InvalidRequest) {
    try map.check()
    if colorMap != nil, to != .color, to != .beside {
      throw InvalidRequest("`colorMap` requires `to` color or beside, found `to` \(to.rawValue)")
    }
    if pictureRange != nil, !to.isPicture {
      throw InvalidRequest("`pictureRange` requires pictures, found `to` \(to.rawValue)")
    }
  }
}

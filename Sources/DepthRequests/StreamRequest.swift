package import FrameStreams
package import PictureFiles

/// The depth of frames, as `depth stream` makes it.
package struct StreamRequest: Request {
  package var map = MapRequest()
  package var to = DepthFrameFormat.gray8
  /// `nil` for inferno.
  package var colorMap: ColorMap?
  /// Distances that become white and black; `nil` for a range that adapts to the video.
  package var pictureRange: PictureSpan?
  package var steady = Steadiness.gated

  package init() {}

  package func check() throws(InvalidRequest) {
    try map.check()
    if colorMap != nil, to != .color, to != .beside {
      throw InvalidRequest("`colorMap` requires `to` color or beside, found `to` \(to.rawValue)")
    }
    if pictureRange != nil, !to.isPicture {
      throw InvalidRequest("`pictureRange` requires pictures, found `to` \(to.rawValue)")
    }
  }
}

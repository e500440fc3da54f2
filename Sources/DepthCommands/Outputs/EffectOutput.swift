import DepthBase
import PictureFiles
import SystemEssentials

/// The pictures of an effect.
struct EffectOutput: PhotoOutput {
  let place: OutputPlace
  let effect: String
  /// `nil` for masks as PFM.
  let format: ImageFileFormat?

  var folder: String? { place.folder }

  func files(of photo: PhotoInput) -> [URL] {
    [place.url("_\(effect).\(format == .png ? "png" : "jpg")", of: photo)]
  }
}

import DepthBase
import DepthImages
import DepthRefinement
import PictureFiles
import SystemEssentials

/// Viewable pictures of depth maps, at the size of the photos.
struct ViewOutput: MapOutput {
  /// `nil` for a file beside the depth file.
  let place: OutputPlace?
  let request: ViewRequest
  let depth: DepthOutput
  /// The limits on pictures.
  let limits: ImageLimits

  var purposeOfMetres: String? { request.linear ? "--linear" : nil }
  var folder: String? { place?.folder }

  var isPNG: Bool {
    guard let place else { return false }
    return place.file.map { (try? ImageFileFormat(extensionOf: URL(filePath: $0))) == .png } ?? true
  }

  func check(_ photos: PhotoSelection) throws {
    guard let path = place?.file else { return }
    try OutputPlace.check("--view", path, photos)
    do { _ = try ImageFileFormat(extensionOf: URL(filePath: path)) } catch {
      throw WrongUsage("\(error)".escapingControls)
    }
  }

  private func file(of photo: PhotoInput) -> URL {
    place?.url("_view.png", of: photo) ?? depth.companion("_view.jpg", of: photo)
  }

  func files(of photo: PhotoInput) -> [URL] { [file(of: photo)] }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    let file = file(of: run.photo)
    let format = try ImageFileFormat(extensionOf: file)
    let call = CallContext(threads: run.call.threads)
    let content = FileContent.made {
      let depth = try map.depth.stretched(over: map.photo, limits: limits, call: call)
      return try request.picture(of: depth).signed.encoded(
        as: format, compression: self.depth.compression, call: call)
    }
    return (content, file)
  }
}

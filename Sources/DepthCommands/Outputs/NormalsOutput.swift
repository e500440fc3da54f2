import DepthBase
import DepthImages
import PictureFiles
import SystemEssentials

/// Normal maps of photos. Each map has the size of the finished depth map.
struct NormalsOutput: MapOutput {
  /// `nil` for a file beside the depth file.
  let place: OutputPlace?
  let request: NormalsRequest
  let depth: DepthOutput

  static let purpose = "--normals"

  var needsNormals: Bool { true }
  var isPicture: Bool { false }
  var purposeOfMetres: String? { Self.purpose }
  var folder: String? { place?.folder }

  var isPNG: Bool {
    guard let file = place?.file else { return true }
    return (try? NormalFileFormat(extensionOf: URL(filePath: file))) == .png
  }

  func check(_ photos: PhotoSelection) throws {
    guard let path = place?.file else { return }
    try OutputPlace.check("--normals", path, photos)
    do { _ = try NormalFileFormat(extensionOf: URL(filePath: path)) } catch {
      throw WrongUsage("\(error)".escapingControls)
    }
  }

  private func file(of photo: PhotoInput) -> URL {
    place?.url("_normals.png", of: photo) ?? depth.companion("_normals.png", of: photo)
  }

  func files(of photo: PhotoInput) -> [URL] { [file(of: photo)] }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    guard let normals = map.normals else { preconditionFailure("checked before") }
    let (file, threads) = (file(of: run.photo), run.call.threads)
    let format = try NormalFileFormat(extensionOf: file)
    let content = FileContent.made {
      try request.encoded(
        normals(), as: format, compression: depth.compression, threads: threads)
    }
    return (content, file)
  }
}

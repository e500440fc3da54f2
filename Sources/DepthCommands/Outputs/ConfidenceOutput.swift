import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// Confidence files of photos. Each file has the size of the finished map.
struct ConfidenceOutput: MapOutput {
  let place: OutputPlace

  var needsErrors: Bool { true }
  var isPicture: Bool { false }
  var folder: String? { place.folder }

  private enum Format: String { case png, pfm }

  private func format(of name: String) throws(WrongUsage) -> Format {
    let ending = URL(filePath: name).pathExtension
    guard let format = Format(rawValue: ending.lowercased()) else {
      throw WrongUsage(
        "\(DepthError.unknownExtension(file: name, expected: [".png", ".pfm"], found: ending))"
          .escapingControls)
    }
    return format
  }

  func check(_ photos: PhotoSelection) throws {
    guard let path = place.file else { return }
    try OutputPlace.check("--confidence", path, photos)
    _ = try format(of: path)
  }

  private func file(of photo: PhotoInput) -> URL { place.url("_confidence.png", of: photo) }

  func files(of photo: PhotoInput) -> [URL] { [file(of: photo)] }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    guard let errors = map.errors else { preconditionFailure("checked before") }
    let (height, width, file) = (map.depth.height, map.depth.width, file(of: run.photo))
    let (format, threads) = (try format(of: file.path(percentEncoded: false)), run.call.threads)
    let content = FileContent.made {
      let confidence = errors.resized(height: height, width: width).confidence
      return switch format {
      case .pfm: PFM.file(confidence, height: height, width: width)
      case .png:
        try PNGParts.gray16(
          confidence.map { UInt16(($0 * 65535).rounded()) }, height: height, width: width,
          software: Version.text, threads: threads)
      }
    }
    return (content, file)
  }
}

import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// Mask files of photos, in which pixels with geometry are white. Each file has the size of the finished map.
struct MaskOutput: MapOutput {
  let place: OutputPlace

  var needsMask: Bool { true }
  var isPicture: Bool { false }
  var folder: String? { place.folder }

  func check(_ photos: PhotoSelection) throws {
    guard let path = place.file else { return }
    try OutputPlace.check("--mask-output", path, photos)
    let ending = URL(filePath: path).pathExtension
    guard ending.lowercased() == "png" else {
      throw WrongUsage(
        "\(DepthError.unknownExtension(file: path, expected: [".png"], found: ending))"
          .escapingControls)
    }
  }

  func files(of photo: PhotoInput) -> [URL] { [place.url("_mask.png", of: photo)] }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    guard let mask = map.mask else { preconditionFailure("checked before") }
    let (height, width, threads) = (map.depth.height, map.depth.width, run.call.threads)
    let content = FileContent.made {
      try PNGParts.gray8(
        mask.map { $0 * 255 }, height: height, width: width, software: Version.text,
        threads: threads)
    }
    return (content, files(of: run.photo)[0])
  }
}

import DepthBase
import DepthImages
import PictureFiles
import StereoPhotos
import SystemEssentials

/// The stereo files of photos.
struct StereoPhotoOutput: PhotoOutput {
  let place: OutputPlace
  let request: StereoRequest
  let limits: ImageLimits

  var folder: String? { place.folder }

  /// Rejects a name whose extension does not belong to the stereo format.
  ///
  /// - Throws: ``WrongUsage``.
  func check() throws {
    guard let file = place.file, let wanted = request.format.format.requiredExtension else {
      return
    }
    let ending = URL(filePath: file).pathExtension.lowercased()
    guard ending.isEmpty || ending == wanted else {
      throw WrongUsage(
        "-o \(file) ends in .\(ending), expected .\(wanted) for \(request.format.word)"
          .escapingControls)
    }
  }

  func check(_ photos: PhotoSelection) throws {
    if place.isStandardOutput, request.stereoFormat == .leftRight {
      throw WrongUsage("--format left-right writes two files, expected -o with a name")
    }
  }

  /// The files of a photo; none for a quilt of an unreadable photo, since the quilt's name contains
  /// the photo's aspect ratio.
  func files(of photo: PhotoInput) -> [URL] {
    guard let aspect = plannedAspect(of: photo) else { return [] }
    let endings = request.stereoFormat.endings(aspect: aspect, output: request.output)
    return endings.map { url($0, among: endings.count, of: photo) }
  }

  /// Width over height of the upright photo, for the name of a quilt; `nil` for an unreadable photo.
  /// The ratio is 1 without such a name.
  private func plannedAspect(of photo: PhotoInput) -> Double? {
    guard case .quilt = request.stereoFormat, place.file == nil else { return 1 }
    guard FileFacts(of: photo.url) != nil else { return nil }
    return (try? PhotoFile(contentsOf: photo.url, limits: limits))?.uprightAspect
  }

  func contents(
    of files: [StereoFile], _ photo: PhotoInput
  ) -> [(content: FileContent, url: URL)] {
    files.map { (.bytes($0.bytes), url($0.ending, among: files.count, of: photo)) }
  }

  private func url(_ ending: String, among count: Int, of photo: PhotoInput) -> URL {
    guard let file = place.file, count > 1, !place.isStandardOutput else {
      return place.url(ending, of: photo)
    }
    let url = URL(filePath: file)
    return url.deletingLastPathComponent().appending(
      path: url.deletingPathExtension().lastPathComponent + ending)
  }
}

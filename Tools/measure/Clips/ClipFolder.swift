import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// A folder with the frames, the true depth and the camera's path of a clip, as `measure render-scenes --clip` writes it.
struct ClipFolder: Sendable {
  /// `clip.json`.
  struct Description: Codable, Sendable {
    struct Frame: Codable, Sendable {
      /// Paths inside the folder.
      var photo, depth: String
      /// The 4 × 4 matrix from camera to room coordinates, by rows; metres, x right, y down, z forward.
      var cameraToRoom: [Double]
    }

    var width, height: Int
    /// Pixels; the optical axis goes through the middle of the picture.
    var focalLength: Double
    /// Frames per second.
    var rate: Double
    /// Frames that show another scene than the one before.
    var cuts: [Int]
    var frames: [Frame]
  }

  static let descriptionName = "clip.json"

  let url: URL
  let description: Description

  /// - Throws: `DepthError` for a folder whose description is missing or makes no sense.
  init(contentsOf url: URL) throws {
    self.url = url
    let file = url.appending(path: Self.descriptionName)
    let name = file.relativePath
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: name, format: "clip", reason: reason)
    }
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw DepthError.unreadable(
        file: name, reason: "cannot be read, expected a clip's description")
    }
    do { description = try JSONDecoder().decode(Description.self, from: data) } catch {
      throw damaged("is not the JSON of a clip")
    }
    guard description.frames.count > 1 else {
      throw damaged("has \(description.frames.count) frames, expected at least 2")
    }
    guard description.width > 0, description.height > 0, description.focalLength > 0,
      description.rate > 0
    else { throw damaged("width, height, focal length and rate must be positive") }
    for frame in description.frames
    where frame.cameraToRoom.count != 16 || !frame.cameraToRoom.allSatisfy(\.isFinite) {
      throw damaged("the pose of \(frame.photo) is not 16 numbers")
    }
  }

  /// Focal length, size and path of the camera.
  var camera: Camera {
    Camera(
      width: description.width, height: description.height, focalLength: description.focalLength)
  }

  /// - Throws: `DepthError`, also for a photo that is not of the clip's size.
  func photo(_ index: Int) throws -> Image {
    let file = url.appending(path: description.frames[index].photo)
    let image = try Image(contentsOf: file)
    try check(image.width, image.height, file)
    return image
  }

  /// The truth at the size of a network's maps: the depth at the pixel nearest to each map pixel's center.
  func truth(height: Int, width: Int) throws -> ClipTruth {
    let depths = try description.frames.map { frame in
      let file = url.appending(path: frame.depth)
      let map = try DepthMap(contentsOf: file)
      try check(map.width, map.height, file)
      return DepthMap(
        height: height, width: width, unit: .metres,
        values: (0..<height * width).map { index in
          let y = (2 * (index / width) + 1) * map.height / (2 * height)
          let x = (2 * (index % width) + 1) * map.width / (2 * width)
          return map.values[y * map.width + x]
        })
    }
    return ClipTruth(
      camera: MapCamera(
        focalLength: description.focalLength, photoWidth: description.width,
        photoHeight: description.height, height: height, width: width),
      depths: depths,
      poses: description.frames.map { Pose(rows: Array($0.cameraToRoom.prefix(12))) },
      cuts: Set(description.cuts))
  }

  private func check(_ width: Int, _ height: Int, _ file: URL) throws {
    guard (width, height) == (description.width, description.height) else {
      throw DepthError(
        .sizeMismatch, file: file.relativePath,
        "is \(width)×\(height), expected \(description.width)×\(description.height) as in "
          + Self.descriptionName)
    }
  }
}

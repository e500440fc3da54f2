import DepthBase
import DepthErrors
package import DepthImages
package import SystemEssentials

/// The camera passed to the networks for a frame.
package enum FrameCamera: Sendable, Equatable {
  /// No camera. The focal length comes from Exif, or else from the training camera.
  case unsaid
  case given(Camera)
  /// The training camera, so that depth is not corrected for the focal length.
  case uncorrected
}

/// Frames of one camera: a folder with photos in `rgb/`, depth files with the same names in `depth/`, and
/// `camera.json`.
package struct CameraSet: EvaluationDataset {
  /// Content of `camera.json`, in which other keys are ignored.
  private struct Description: Decodable {
    /// Focal length in pixels of the photos.
    let focalLength: Double
    /// Values per metre in the depth files.
    let depthScale: Double?
    let rendered: Bool?

    private enum CodingKeys: String, CodingKey {
      case focalLength = "focal_px"
      case depthScale = "depth_scale"
      case rendered
    }
  }

  /// The name of the file that describes the camera.
  package static let descriptionName = "camera.json"
  /// Maximum bytes of the description, in which other keys may describe the camera in detail.
  private static let longestDescription = 1 << 20
  /// Depth files without a scale are in millimetres, as from most sensors.
  private static let usualDepthScale = 1000.0

  /// The folder's name.
  package let name: String
  /// Whether the photos are rendered.
  package let isRendered: Bool
  private let frames: FrameSubset
  private let description: URL
  private let focalLength: Double
  private let correctsFocalLength: Bool

  /// - Parameters:
  ///   - step: Frames 0, `step`, 2 · `step`, … belong to the set.
  ///   - correctsFocalLength: Whether the focal length is passed to the networks.
  /// - Throws: `DepthError` for a folder without frames, or for a missing or invalid description.
  package init(folder: URL, every step: Int = 1, correctsFocalLength: Bool = true) throws {
    name = folder.lastPathComponent
    description = folder.appending(path: Self.descriptionName)
    let file = description.relativePath
    try InputFile.requireOrdinaryFile(description)
    let data = Data(try InputFile.bytes(of: description, maximumBytes: Self.longestDescription))
    guard let camera = try? JSONDecoder().decode(Description.self, from: data),
      camera.focalLength > 0, camera.focalLength.isFinite,
      camera.depthScale.map({ $0 > 0 && $0.isFinite }) ?? true
    else {
      throw DepthError.damaged(
        file: file, format: "camera",
        reason: "expected a positive focal_px, and a positive depth_scale or none")
    }
    (focalLength, isRendered) = (camera.focalLength, camera.rendered ?? false)
    self.correctsFocalLength = correctsFocalLength
    frames = FrameSubset(
      try PairedFiles(folder: folder, depthScale: camera.depthScale ?? Self.usualDepthScale),
      every: step)
  }

  package var path: String { frames.path }
  package var files: [String] { frames.files + [description.relativePath] }
  package var frameNames: [String] { frames.frameNames.map { "\(name)/\($0)" } }
  package var incomplete: [SkippedFrame] { frames.incomplete }

  package func frame(_ index: Int) throws -> EvaluationFrame {
    let frame = try frames.frame(index)
    let camera = Camera(
      width: frame.photo.width, height: frame.photo.height, focalLength: focalLength)
    return try EvaluationFrame(
      name: frameNames[index], photo: frame.photo, truth: frame.truth,
      camera: correctsFocalLength ? .given(camera) : .uncorrected)
  }
}

/// The frames of all sets in a folder. A set is a subfolder with a description.
package struct CameraSets: EvaluationDataset {
  package let path: String
  /// Sorted by name.
  package let sets: [CameraSet]
  /// The set of each frame, and the frame's index in it.
  let frames: [(set: Int, frame: Int)]

  /// - Parameters:
  ///   - step: Frames 0, `step`, 2 · `step`, … of each set are measured.
  ///   - correctsFocalLength: Whether the focal lengths are passed to the networks.
  /// - Throws: `DepthError` for a folder without sets, or for a set without frames or with an invalid description.
  package init(folder: URL, every step: Int = 1, correctsFocalLength: Bool = true) throws {
    path = folder.relativePath
    sets = try PairedFiles.names(in: folder).compactMap { name -> CameraSet? in
      let set = folder.appending(path: name)
      let file = set.appending(path: CameraSet.descriptionName)
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
        return nil
      }
      return try CameraSet(folder: set, every: step, correctsFocalLength: correctsFocalLength)
    }
    guard !sets.isEmpty else {
      throw DepthError(
        .incompleteDataset, file: path,
        "holds no set, expected folders with rgb/, depth/ and \(CameraSet.descriptionName)")
    }
    frames = sets.enumerated().flatMap { set, each in
      each.frameNames.indices.map { (set, $0) }
    }
  }

  package var files: [String] { sets.flatMap(\.files) }
  package var frameNames: [String] { sets.flatMap(\.frameNames) }
  package var incomplete: [SkippedFrame] { sets.flatMap(\.incomplete) }

  package func frame(_ index: Int) throws -> EvaluationFrame {
    try sets[frames[index].set].frame(frames[index].frame)
  }
}

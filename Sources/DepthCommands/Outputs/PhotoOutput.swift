import DepthBase
import DepthImages
import MonocularDepth
import SystemEssentials

/// A kind of output file that a command writes for each photo.
protocol PhotoOutput: Sendable {
  /// The folder for the files of all photos. It is created if missing, and not searched for photos.
  var folder: String? { get }

  /// Rejects outputs that do not suit the run's photos, before anything is loaded.
  ///
  /// - Throws: ``WrongUsage``.
  func check(_ photos: PhotoSelection) throws

  /// The files of a photo.
  func files(of photo: PhotoInput) -> [URL]

  /// Whether the photo's other outputs refer to this file. An existing file with equal content is kept.
  func isShared(_ file: URL) -> Bool

  /// Outputs about all photos, and further inputs. The outputs are written last.
  var common: (outputs: [URL], inputs: [String]) { get }
}

extension PhotoOutput {
  func check(_ photos: PhotoSelection) {}
  func isShared(_ file: URL) -> Bool { false }
  var common: (outputs: [URL], inputs: [String]) { ([], []) }
}

extension OutputPlan {
  /// The plan of a command's outputs for some photos.
  ///
  /// - Parameter inputs: Other input files.
  init(
    _ outputs: [any PhotoOutput], for photos: [PhotoInput], inputs: [String], overwrite: Bool
  ) {
    let common = outputs.map(\.common)
    self.init(
      inputs: photos.map(\.path) + inputs + common.flatMap(\.inputs), overwrite: overwrite)
    folders = outputs.compactMap(\.folder).map { URL(filePath: $0) }
    self.outputs = photos.flatMap { photo in
      outputs.flatMap { output in
        output.files(of: photo).map {
          Output(
            file: $0, photo: photo.path, makesFolder: output.folder != nil,
            isShared: output.isShared($0))
        }
      }
    }
    if let first = photos.first {
      self.outputs += common.flatMap(\.outputs).map {
        Output(file: $0, photo: first.path, makesFolder: true)
      }
    }
  }
}

/// A kind of output file made from a finished depth map.
protocol MapOutput: PhotoOutput {
  /// The feature that requires distances, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? { get }
  /// Whether the file requires the network's expected errors.
  var needsErrors: Bool { get }
  /// Whether the file requires the network's mask of pixels with geometry.
  var needsMask: Bool { get }
  var needsNormals: Bool { get }
  /// Whether the file is a viewable picture.
  var isPicture: Bool { get }

  /// The file, whose content is made when the file is written.
  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL)
}

extension MapOutput {
  var needsMask: Bool { false }
  var needsNormals: Bool { false }
  var purposeOfMetres: String? { nil }
  var needsErrors: Bool { false }
  var isPicture: Bool { true }
}

/// A finished depth map with its photo.
struct FinishedMap: Sendable {
  let depth: DepthMap
  let photo: Image
  /// The photo's camera; `nil` for an unknown focal length.
  var camera: Camera?
  /// Expected errors of the network's map; `nil` if the weights do not predict errors.
  var errors: ErrorMap?
  /// The mask, which is 1 for each pixel of ``depth`` with geometry; `nil` if no file requires the mask.
  var mask: [UInt8]?
  /// Makes the normals of ``depth``; `nil` if no file requires normals.
  var normals: (@Sendable () throws -> NormalMap)?
  /// See ``DepthEstimator/weightsIdentifier()``; `nil` for a map that was not estimated.
  var weightsIdentifier: String?
  /// The share of the map beyond the range of its PNG file; `nil` if the share is 0.
  let clipped: Double?
}

extension FinishedMap {
  /// Arrays that an archive contains in addition to depth.
  var companions: [NamedArray] { .beside(depth, errors: errors, camera: camera) }
}

extension PhotoCamera {
  /// The camera, if Exif, the user or the network gave its focal length. An assumed camera is not written to
  /// files.
  var known: Camera? { source == .assumed ? nil : camera }
}

extension FileContent {
  /// Content that is made when the file is written, so that only one file is in memory at a time.
  static func made(_ make: @escaping @Sendable () throws -> [UInt8]) -> FileContent {
    .pieces { write in
      let bytes = try make()
      try write(bytes.span)
    }
  }
}

import DepthBase
import DepthImages
import MonocularDepth
import SystemEssentials

/// A kind of file that a command writes for each photo.
protocol PhotoOutput: Sendable {
  /// The folder of the files of all photos, which is created if it does not exist. No photo is looked for there.
  var folder: String? { get }

  /// Refuses what does not go with the photos of a run, before anything is loaded.
  ///
  /// - Throws: ``WrongUsage``.
  func check(_ photos: PhotoSelection) throws

  /// The files of a photo.
  func files(of photo: PhotoInput) -> [URL]

  /// Whether other outputs of the photo share a file: it may exist already with the same content, and then stays.
  func isShared(_ file: URL) -> Bool

  /// Files about all photos, which are written after them, and files that are read.
  var common: (outputs: [URL], inputs: [String]) { get }
}

extension PhotoOutput {
  func check(_ photos: PhotoSelection) {}
  func isShared(_ file: URL) -> Bool { false }
  var common: (outputs: [URL], inputs: [String]) { ([], []) }
}

extension OutputPlan {
  /// The plan of everything that a command writes for photos.
  ///
  /// - Parameter inputs: Other files that are read.
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

/// A kind of file that is made of a finished depth map.
protocol MapOutput: PhotoOutput {
  /// The feature that requires distances, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? { get }
  /// Whether the file requires the errors that the network expects.
  var needsErrors: Bool { get }
  /// Whether the file requires the network's mask of what has geometry.
  var needsMask: Bool { get }
  /// Whether the file requires normals.
  var needsNormals: Bool { get }
  /// Whether people can look at the file.
  var isPicture: Bool { get }

  /// The file, which is made when it is written.
  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL)
}

extension MapOutput {
  var needsMask: Bool { false }
  var needsNormals: Bool { false }
  var purposeOfMetres: String? { nil }
  var needsErrors: Bool { false }
  var isPicture: Bool { true }
}

/// A depth map as it is written, with its photo.
struct FinishedMap: Sendable {
  let depth: DepthMap
  let photo: Image
  /// The photo's camera; `nil` where its focal length is not known.
  var camera: Camera?
  /// Expected errors of the network's own map; `nil` if the weights do not predict them.
  var errors: ErrorMap?
  /// 1 for each pixel of ``depth`` that has geometry; `nil` if no file needs it.
  var mask: [UInt8]?
  /// Makes the normals of ``depth``; `nil` if no file needs them.
  var normals: (@Sendable () throws -> NormalMap)?
  /// See ``DepthEstimator/weightsIdentifier()``; `nil` for a map that was not estimated.
  var weightsIdentifier: String?
  /// The share of the map beyond what its PNG file can hold; `nil` where there is none.
  let clipped: Double?
}

extension FinishedMap {
  /// Arrays of an archive beside the map.
  var companions: [NamedArray] { .beside(depth, errors: errors, camera: camera) }
}

extension PhotoCamera {
  /// The camera whose focal length Exif, the user or the network gave; `nil` for an assumed one, which no file states.
  var known: Camera? { source == .assumed ? nil : camera }
}

extension FileContent {
  /// Bytes that are made when the file is written: of several files, no two are in memory at once.
  static func made(_ make: @escaping @Sendable () throws -> [UInt8]) -> FileContent {
    .pieces { write in
      let bytes = try make()
      try write(bytes.span)
    }
  }
}

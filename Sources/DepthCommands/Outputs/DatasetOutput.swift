import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import PictureFiles
import SystemEssentials

/// A folder of photos, their depth and their cameras, for nerfstudio or COLMAP.
struct DatasetOutput: PhotoOutput {
  let folder: String?
  let format: ExportFormat
  /// JPEG quality of photos that are reencoded.
  let quality: Int
  /// The cameras and poses of the photos; `nil` for cameras at the origin.
  let model: COLMAPModel?
  private let root: URL
  let poses: String?
  /// The written photos, with their cameras and files.
  private let made = Monitor<[Made]>([])
  /// The model's photos, keyed by name.
  let posed: [String: [COLMAPModel.Photo]]
  /// The path of the photo to which each pose was assigned, keyed by the pose's id.
  let taken = Monitor<[Int: String]>([:])

  private struct Made {
    var photo: COLMAPModel.Photo
    var camera: COLMAPModel.Camera
    let files: [String]
  }

  /// - Parameter poses: The folder of a model.
  /// - Throws: `DepthError` for an unreadable model.
  init(folder: String, format: ExportFormat, quality: Int, poses: String?) throws {
    (self.folder, self.format, self.quality, self.poses) = (folder, format, quality, poses)
    root = URL(filePath: folder)
    model = try poses.map { try COLMAPModel(contentsOf: URL(filePath: $0)) }
    posed = Dictionary(grouping: model?.photos ?? [], by: \.name)
  }

  /// The relative paths of a photo's files, beginning with the photo. `_` replaces blanks, since names in COLMAP end at
  /// a blank.
  private func names(of photo: PhotoInput) -> [String] {
    let isPlain = ["jpg", "jpeg", "png"].contains(
      URL(filePath: photo.name).pathExtension.lowercased())
    let folder = AtomicFile.folder(of: photo.relativePath)
    let (name, stem) = (isPlain ? photo.name : photo.stem + ".jpg", photo.stem)
    let names =
      format == .nerfstudio
      ? ["images/\(folder)\(name)", "depths/\(folder)\(stem).png"]
      : ["images/\(folder)\(name)"]
        + ["depth", "normal"].map { "stereo/\($0)_maps/\(folder)\(name).geometric.bin" }
    return names.map { String($0.map { $0.isWhitespace ? "_" : $0 }) }
  }

  func files(of photo: PhotoInput) -> [URL] { names(of: photo).map { root.appending(path: $0) } }

  var common: (outputs: [URL], inputs: [String]) {
    let names =
      format == .nerfstudio
      ? ["transforms.json"]
      : COLMAPModel.fileNames.map { "sparse/\($0).txt" } + ["stereo/fusion.cfg"]
    let inputs = poses.map {
      COLMAPModel.files(in: URL(filePath: $0)).joined().map(\.relativePath)
    }
    return (names.map { root.appending(path: $0) }, inputs ?? [])
  }

  /// The contents of a photo's files.
  ///
  /// - Parameters:
  ///   - file: The photo as stored; `nil` for standard input.
  ///   - focalLength: Focal length in pixels.
  func contents(
    of image: Image, _ file: PhotoFile?, depth: DepthMap, focalLength: Double, _ run: PhotoRun
  ) throws -> [(content: FileContent, url: URL)] {
    let (files, threads) = (files(of: run.photo), run.call.threads)
    let isPNG = files[0].pathExtension.lowercased() == "png"
    let photo: FileContent =
      if let file, file.plainExtensions.contains(files[0].pathExtension.lowercased()) {
        .bytes(file.bytes)
      } else {
        .made { [quality] in
          try image.encoded(
            as: isPNG ? .png : .jpeg(quality: quality), call: CallContext(threads: threads))
        }
      }
    let call = CallContext(threads: threads)
    guard format == .colmap else {
      try tellOfClipping(depth, run)
      let map = FileContent.made {
        try depth.encoded(
          as: .png, metadata: DepthFileMetadata(software: Version.text), call: call)
      }
      return [(photo, files[0]), (map, files[1])]
    }
    let camera = Camera(width: image.width, height: image.height, focalLength: focalLength)
    let normals = try depth.normals(camera: camera, threads: threads)
    let maps = [
      COLMAPMap.content(of: depth, threads: threads),
      COLMAPMap.content(of: normals, threads: threads),
    ]
    return zip([photo] + maps, files).map { (content: $0, url: $1) }
  }

  /// Records a written photo, for the files about all photos.
  func add(_ pose: COLMAPModel.Photo?, _ camera: COLMAPModel.Camera, of photo: PhotoInput) {
    let files = names(of: photo)
    var pose = pose ?? COLMAPModel.Photo(id: 0, name: "", camera: 0)
    pose.name = String(files[0].dropFirst("images/".count))
    made.update { $0.append(Made(photo: pose, camera: camera, files: files)) }
  }

  /// Writes the files about all photos, if any photo was written.
  ///
  /// - Throws: `DepthError`.
  func finish(overwrite: Bool) throws {
    var all = made.read(\.self).sorted { $0.photo.name < $1.photo.name }
    guard !all.isEmpty else { return }
    if model == nil {
      for index in all.indices {
        (all[index].photo.id, all[index].photo.camera, all[index].camera.id) = (
          index + 1, index + 1, index + 1
        )
      }
    }
    let contents: [[UInt8]]
    if format == .nerfstudio {
      let file = NerfstudioFile(all.map { ($0.photo, $0.camera, $0.files[0], $0.files[1]) })
      contents = [try file.encoded()]
    } else {
      var written = COLMAPModel()
      written.photos = all.map(\.photo)
      for camera in all.map(\.camera) { written.cameras[camera.id] = camera }
      written.points = model?.points ?? [:]
      let list = all.map { $0.photo.name + "\n" }.joined()
      contents = (written.texts + [list]).map { Array($0.utf8) }
    }
    try AtomicFile.write(
      zip(contents, common.outputs).map { (content: .bytes($0), url: $1) }, overwrite: overwrite)
  }
}

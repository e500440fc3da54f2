import DepthBase
import DepthGeometry
import DepthImages
import SystemEssentials

/// The files of point clouds, meshes and pages, and the files of their cameras.
struct GeometryOutput: PhotoOutput {
  let place: OutputPlace
  let request: ExportRequest

  var folder: String? { place.folder }

  func check(_ photos: PhotoSelection) throws {
    if place.isStandardOutput, let geometry = request.exportFormat.geometry,
      geometry.names("", texture: request.texture).count > 1
    {
      throw WrongUsage(
        "--format \(geometry.rawValue) writes several files, expected -o with a name")
    }
  }

  /// The files of a photo; only the main file for standard output.
  func files(of photo: PhotoInput) -> [URL] {
    if place.isStandardOutput { return [Console.standardOutput] }
    let names = request.exportFormat.names(stem(of: photo), texture: request.texture)
    guard let file = place.file else {
      return names.map { photo.output(named: $0, in: place.folder) }
    }
    let folder = AtomicFile.folder(of: file)
    return names.enumerated().map { URL(filePath: $0 == 0 ? file : folder + $1) }
  }

  /// The name of a photo's files without an extension.
  private func stem(of photo: PhotoInput) -> String {
    place.file.map { URL(filePath: $0).deletingPathExtension().lastPathComponent } ?? photo.stem
  }

  /// Whether several outputs share a file: room.ply and room.glb have one camera, room_camera.json.
  func isShared(_ file: URL) -> Bool { file.lastPathComponent.hasSuffix(CameraFile.ending) }

  /// Fails, before depth is estimated, if the camera file would replace a file with another camera.
  ///
  /// - Throws: `DepthError`.
  func check(_ camera: CameraFile, _ run: PhotoRun) throws {
    guard let file = files(of: run.photo).last(where: isShared) else { return }
    try run.keepsShared(camera.encoded(), at: file)
  }

  func contents(
    of export: PhotoExport, _ camera: CameraFile, _ run: PhotoRun
  ) throws -> [(content: FileContent, url: URL)] {
    var contents = try export.files(
      name: stem(of: run.photo), texture: request.texture, threads: run.call.threads)
    // A page contains its camera.
    if case .geometry = export { contents.append(.bytes(try camera.encoded())) }
    return zip(contents, files(of: run.photo)).map { (content: $0, url: $1) }
  }
}

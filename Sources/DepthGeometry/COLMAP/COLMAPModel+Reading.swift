import DepthBase
import DepthErrors
package import SystemEssentials

extension COLMAPModel {
  /// Reads `cameras`, `images` and `points3D` from a folder or its subfolders `sparse` or `sparse/0`. All files are
  /// `.bin`, or all are `.txt`.
  ///
  /// - Throws: `DepthError`: code `unreadable` for a folder without a model; `damaged` for a file that violates the
  ///   format; `unsupportedFormat` for a camera with distortion.
  package init(contentsOf folder: URL) throws {
    for names in Self.files(in: folder) where FileFacts(of: names[0]) != nil {
      let files = try names.map { name in
        try COLMAPReader(
          InputFile.bytes(of: name), isText: name.pathExtension == "txt", name.relativePath)
      }
      self.init()
      try read(cameras: files[0], photos: files[1], points: files[2])
      return
    }
    throw DepthError.unreadable(
      file: folder.relativePath,
      reason:
        "has no COLMAP model, expected cameras.bin or cameras.txt in it, in sparse or in sparse/0"
    )
  }

  /// Names of a model's files without extensions: cameras, photos, points.
  package static let fileNames = ["cameras", "images", "points3D"]

  /// The files of the possible models in a folder, with ``fileNames`` for each model. The first existing model is
  /// read.
  package static func files(in folder: URL) -> [[URL]] {
    ["", "sparse/0", "sparse"].flatMap { place in
      ["bin", "txt"].map { ending in
        fileNames.map { folder.appending(path: place).appending(path: "\($0).\(ending)") }
      }
    }
  }

  private mutating func read(
    cameras: COLMAPReader, photos: COLMAPReader, points: COLMAPReader
  ) throws {
    try cameras.forEachRecord { file in
      let id = try file.integer()
      let model = try file.cameraModel()
      let (width, height) = (try file.integer(bytes: 8), try file.integer(bytes: 8))
      let sides = 1...1 << 20
      guard sides.contains(width), sides.contains(height) else {
        throw file.damaged("camera \(id) is \(width)×\(height), expected sides of 1 to 1048576")
      }
      guard model == "PINHOLE" || model == "SIMPLE_PINHOLE" else {
        throw DepthError(
          .unsupportedFormat, file: file.name,
          "camera \(id) is \(model), expected PINHOLE or SIMPLE_PINHOLE; 'colmap image_undistorter' makes such photos and cameras"
        )
      }
      let fx = try file.number()
      let fy = model == "PINHOLE" ? try file.number() : fx
      let camera = Camera(
        id: id, width: width, height: height, fx: fx, fy: fy, cx: try file.number(),
        cy: try file.number())
      guard min(fx, fy) > 0 else {
        throw file.damaged(
          "camera \(id) has the focal length \(min(fx, fy)), expected a positive one")
      }
      guard self.cameras.updateValue(camera, forKey: id) == nil else {
        throw file.damaged("camera \(id) appears twice, expected unique ids")
      }
    }
    var ids: Set<Int> = []
    try photos.forEachRecord { file in
      let id = try file.integer()
      guard ids.insert(id).inserted else {
        throw file.damaged("photo \(id) appears twice, expected unique ids")
      }
      let q = SIMD4(
        try file.number(), try file.number(), try file.number(), try file.number())
      let t = SIMD3(try file.number(), try file.number(), try file.number())
      let camera = try file.integer()
      let name = try file.text()
      guard self.cameras[camera] != nil else {
        throw file.damaged(
          "photo \(id) has the camera \(camera), expected one in the cameras file")
      }
      guard (1e-12...1e12).contains((q * q).sum()) else {
        throw file.damaged("photo \(id) has no rotation, expected a quaternion of length 1")
      }
      let places = try file.places {
        Place(x: try file.number(), y: try file.number(), point: try file.integer(bytes: 8))
      }
      self.photos.append(
        Photo(
          id: id, rotation: q, translation: t, camera: camera, name: name, places: places))
    }
    try points.forEachRecord { file in
      let id = try file.integer(bytes: 8)
      let position = SIMD3(try file.number(), try file.number(), try file.number())
      let color = SIMD3(try file.byte(), try file.byte(), try file.byte())
      let point = Point(position: position, color: color, error: try file.number())
      guard self.points.updateValue(point, forKey: id) == nil else {
        throw file.damaged("point \(id) appears twice, expected unique ids")
      }
      try file.skipTrack()
    }
  }
}

import SystemEssentials

/// `transforms.json` of a dataset for nerfstudio. Each frame has its own camera, and depth files store
/// millimetres.
///
/// > Source: nerfstudio, “Data conventions”, and `nerfstudio_dataparser.py`.
package struct NerfstudioFile: Encodable {
  private let cameraModel = "PINHOLE"
  private let frames: [Frame]

  private struct Frame: Encodable {
    let filePath, depthFilePath: String
    let flX, flY, cx, cy: Double
    let w, h: Int
    let transformMatrix: [[Double]]
  }

  /// - Parameter photos: Poses and cameras, and the paths of photos and depth files relative to the file's folder.
  package init(
    _ photos: [(photo: COLMAPModel.Photo, camera: COLMAPModel.Camera, file: String, depth: String)]
  ) {
    frames = photos.map { photo, camera, file, depth in
      Frame(
        filePath: file, depthFilePath: depth, flX: camera.fx, flY: camera.fy, cx: camera.cx,
        cy: camera.cy, w: camera.width, h: camera.height, transformMatrix: photo.cameraToWorld)
    }
  }

  /// The bytes of the file.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

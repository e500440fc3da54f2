package import DepthImages
package import PictureFiles

extension [NamedArray] {
  /// What an `.npz` file holds beside a map, as far as it is known: the confidence and the camera's matrix.
  ///
  /// - Parameters:
  ///   - errors: Expected errors of the network's own map.
  ///   - camera: The camera of the photo.
  package static func beside(_ map: DepthMap, errors: ErrorMap?, camera: Camera?) -> [NamedArray] {
    let (height, width) = (map.height, map.width)
    return [
      errors.map { errors in
        .floats("confidence", shape: [height, width]) {
          errors.resized(height: height, width: width).confidence
        }
      },
      camera.map { .intrinsics(of: $0, height: height, width: width) },
    ].compactMap(\.self)
  }
}

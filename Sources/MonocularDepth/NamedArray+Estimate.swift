package import DepthImages
package import PictureFiles

extension [NamedArray] {
  /// The arrays of an `.npz` file in addition to a map: the confidence and the camera's matrix, if known.
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

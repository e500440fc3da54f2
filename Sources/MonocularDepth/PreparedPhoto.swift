package import NeuralEngine

/// A photo as input for the networks of an estimator.
package struct PreparedPhoto: Sendable {
  /// One input per network, `n × h × w × 3`: the photo and optionally its mirror image.
  package let inputs: [Tensor]
  /// The camera whose focal length scales the depth.
  package let camera: PhotoCamera
  /// Rows and columns of the photo.
  let size: (height: Int, width: Int)
  /// Rows and columns of the map of a network with maps of any size.
  let mapSize: (height: Int, width: Int)
}

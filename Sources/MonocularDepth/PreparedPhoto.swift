package import NeuralEngine

/// One photo as the networks of an estimator see it.
package struct PreparedPhoto: Sendable {
  /// An input for each network, `n × h × w × 3`: the photo and, if it is estimated too, its mirror image.
  package let inputs: [Tensor]
  /// The camera whose focal length scales the depth.
  package let camera: PhotoCamera
  /// Rows and columns of the photo.
  let size: (height: Int, width: Int)
  /// Rows and columns of the map, where the network's can have any size.
  let mapSize: (height: Int, width: Int)
}

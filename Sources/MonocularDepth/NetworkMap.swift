import DepthImages
import NeuralEngine

/// The estimate of one network for one photo, or for its mirror image.
struct NetworkMap: Sendable {
  /// Metres of the training camera, or relative disparity.
  let depth: DepthMap
  /// `nil` where the network has one output.
  let error: ErrorMap?

  var mirrored: NetworkMap { NetworkMap(depth: depth.mirrored, error: error?.mirrored) }
}

extension NetworkMap {
  /// The maps of a network's output, `n × h × w × 1` or `n × h × w × 2` with the expected errors as second channel.
  ///
  /// - Parameter unit: What the network's values are.
  static func maps(of output: Tensor, unit: DepthMap.Unit) -> [NetworkMap] {
    let shape = output.shape
    return (0..<shape.count).map { image in
      func channel(_ index: Int) -> [Float] {
        let first = image * shape.area * shape.channels + index
        guard shape.channels > 1 else {
          return Array(output.elements[first..<first + shape.area])
        }
        return (0..<shape.area).map { output.elements[first + $0 * shape.channels] }
      }
      return NetworkMap(
        depth: DepthMap(
          height: shape.height, width: shape.width, unit: unit, values: channel(0)),
        error: shape.channels > 1
          ? ErrorMap(height: shape.height, width: shape.width, values: channel(1)) : nil)
    }
  }
}

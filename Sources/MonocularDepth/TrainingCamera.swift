package import DepthImages
import DepthNetworks

/// The camera whose photos a network learned metres from.
package enum TrainingCamera: Sendable, Hashable {
  /// The first Kinect's color camera, of NYU Depth v2.
  case kinect
  /// A focal length in units of the longer side.
  case sides(Double)

  init(_ configuration: DepthNetwork.Configuration) {
    switch configuration {
    case .fcrn: self = .kinect
    case .depthAnything(let configuration):
      self = configuration.trainingFocalLength.map { .sides($0) } ?? .kinect
    }
  }

  /// The camera for a photo of any size.
  package func camera(width: Int, height: Int) -> Camera {
    switch self {
    case .kinect: .training(width: width, height: height)
    case .sides(let length):
      Camera(width: width, height: height, focalLength: length * Double(max(width, height)))
    }
  }
}

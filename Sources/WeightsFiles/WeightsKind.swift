/// The training data of a published Depth Anything V2 network. The training data determines the meaning of the network's
/// numbers; files of all kinds have the same tensors.
///
/// ```swift
/// var published = WeightsSelection.file(url)
/// published.kind = .indoor
/// print(try DepthEstimator(published).unit)  // metres
/// ```
public enum WeightsKind: String, Sendable, CaseIterable {
  /// Metres up to 20 m, from Hypersim's rooms.
  case indoor
  /// Metres up to 80 m, from Virtual KITTI 2's streets.
  case outdoor
  /// Disparity of unknown scale and shift.
  case relative
}

extension WeightsKind {
  /// The maximum depth of published weights, metres.
  var largestDepth: Double? {
    switch self {
    case .indoor: 20
    case .outdoor: 80
    case .relative: nil
    }
  }

  /// The focal length of the training camera as a multiple of the picture's width.
  var focalLength: Double? {
    switch self {
    case .indoor: 886.81 / 1024
    case .outdoor: 725.0 / 1242
    case .relative: nil
    }
  }

  /// The unit of a published network's numbers.
  package var unit: String {
    largestDepth.map { "metres up to \(Int($0))" } ?? "disparity up to scale and shift, no metres"
  }
}

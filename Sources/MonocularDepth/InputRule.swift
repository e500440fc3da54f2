import DepthErrors
import DepthImages
import DepthNetworks
import NeuralEngine

/// How large a network's input and its map are for a photo.
enum InputRule: Sendable, Hashable {
  /// Every photo is stretched to one size, lying or upright; that of a landscape photo, and of its map.
  case stretched(height: Int, width: Int, mapHeight: Int, mapWidth: Int)
  /// Photos keep their proportions: the shorter side becomes `side` pixels, both are rounded to whole patches and none is
  /// below `side`. The map has the input's size.
  case patches(side: Int)

  /// The rule of a network.
  ///
  /// - Parameter side: The input side of a network that takes photos of any proportions; `nil` for that of its training.
  /// - Throws: `DepthError` with code `invalidArgument` for a side that the network does not take.
  init(_ network: DepthNetwork, side: Int?, file: String) throws {
    switch network.configuration {
    case .fcrn(let configuration):
      guard side == nil else {
        throw DepthError(
          .invalidArgument, file: file,
          "has one input size, \(configuration.inputWidth)×\(configuration.inputHeight); "
            + "another one can be chosen for \(DepthAnythingConfiguration.architecture) only",
          cause: SettingAtFault.inputSize)
      }
      let map = configuration.outputSize
      self = .stretched(
        height: configuration.inputHeight, width: configuration.inputWidth, mapHeight: map.height,
        mapWidth: map.width)
    case .depthAnything:
      let side = side ?? network.inputShape.height
      try WeightsSelection.check(inputSize: side, named: "the input size")
      self = .patches(side: side)
    }
  }

  private static let patch = DepthAnythingConfiguration.patch
  /// Ratio of a photo's sides above which it is not estimated: its time grows with the square.
  private static let largestAspect = 16

  /// Rows and columns of the network's input for a photo of this size.
  func inputSize(height: Int, width: Int) -> (height: Int, width: Int) {
    switch self {
    case .stretched(let h, let w, _, _): return height > width ? (w, h) : (h, w)
    case .patches(let side):
      let scale = max(Double(side) / Double(height), Double(side) / Double(width))
      func whole(_ extent: Int) -> Int {
        // Halves to even, as NumPy rounds.
        let patches = (Double(extent) * scale / Double(Self.patch)).rounded(.toNearestOrEven)
        return max(side, Int(patches) * Self.patch)
      }
      return (whole(height), whole(width))
    }
  }

  /// Rows and columns of the map of a photo of this size.
  func mapSize(height: Int, width: Int) -> (height: Int, width: Int) {
    switch self {
    case .stretched(_, _, let h, let w): height > width ? (w, h) : (h, w)
    case .patches: inputSize(height: height, width: width)
    }
  }

  /// - Throws: `DepthError` for a photo whose proportions the network does not take.
  func check(height: Int, width: Int) throws {
    guard case .patches = self, max(height, width) > Self.largestAspect * min(height, width) else {
      return
    }
    throw DepthError(
      .invalidArgument,
      "the photo is \(width)×\(height), expected sides in a ratio of at most \(Self.largestAspect): crop it"
    )
  }

  /// A photo of the proportions that most cameras have, 4:3.
  static let usualPhoto = (height: 480, width: 640)
}

import DepthErrors
import DepthImages
import DepthNetworks
import NeuralEngine

/// The sizes of a network's input and map for a photo.
enum InputRule: Sendable, Hashable {
  /// Every photo is stretched to one size, landscape or portrait. The sizes are for a landscape photo.
  case stretched(height: Int, width: Int, mapHeight: Int, mapWidth: Int)
  /// Photos keep their proportions. The shorter side becomes `side` pixels, and both sides are rounded to multiples of `cell`,
  /// at least `side`. A larger input is reduced to at most `most` pixels. The map has the size of the input.
  case proportional(side: Int, cell: Int, most: Int)
  /// Photos are slightly squeezed to approximately this many whole patches. The map has the size of the network's finest level,
  /// or the photo's size if the photo is smaller.
  case patches(Int)

  /// The rule of a network.
  ///
  /// - Parameters:
  ///   - side: The input side of a network for any proportions; `nil` for the side in training.
  ///   - tokens: The number of patches of a network with a choice; `nil` for the usual number.
  /// - Throws: `DepthError` with code `invalidArgument` for a size that the network does not support.
  init(_ network: DepthNetwork, side: Int?, tokens: Int?, file: String) throws {
    if let tokens {
      guard case .moGe2 = network.configuration else {
        throw DepthError(
          .invalidArgument, file: file,
          "does not take a number of tokens, which is for \(MoGe2Configuration.architecture) only",
          cause: SettingAtFault.tokens)
      }
      try WeightsSelection.check(tokens: tokens, named: "the number of tokens")
    }
    switch network.configuration {
    case .moGe2:
      guard side == nil else {
        throw DepthError(
          .invalidArgument, file: file,
          "has no input size: the number of tokens sets the detail of its map",
          cause: SettingAtFault.inputSize)
      }
      self = .patches(tokens ?? MoGe2Configuration.usualTokens)
    case .fcrn(let configuration):
      guard side == nil else {
        throw DepthError(
          .invalidArgument, file: file,
          "has one input size, \(configuration.inputWidth)×\(configuration.inputHeight); another one can be chosen for "
            + "\(DepthAnythingConfiguration.architecture) and \(ZipDepthConfiguration.architecture) only",
          cause: SettingAtFault.inputSize)
      }
      let map = configuration.outputSize
      self = .stretched(
        height: configuration.inputHeight, width: configuration.inputWidth, mapHeight: map.height,
        mapWidth: map.width)
    case .depthAnything:
      let side = side ?? network.inputShape.height
      try WeightsSelection.check(
        inputSize: side, named: "the input size", among: [.depthAnything])
      self = .proportional(side: side, cell: DepthAnythingConfiguration.patch, most: .max)
    case .zipDepth:
      let side = side ?? ZipDepthConfiguration.inputSide
      try WeightsSelection.check(inputSize: side, named: "the input size", among: [.zipDepth])
      self = .proportional(
        side: side, cell: ZipDepthConfiguration.cell, most: ZipDepthConfiguration.largestInput)
    }
  }

  /// Largest accepted ratio of a photo's sides. The time of a network grows with the square of this ratio.
  private static let largestAspect = 16

  /// Rows and columns of the network's input for a photo of this size.
  func inputSize(height: Int, width: Int) -> (height: Int, width: Int) {
    switch self {
    case .stretched(let h, let w, _, _): return height > width ? (w, h) : (h, w)
    case .proportional(let side, let cell, let most):
      func whole(_ extent: Int, _ scale: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int((Double(extent) * scale / Double(cell)).rounded(rule)) * cell
      }
      let scale = max(Double(side) / Double(height), Double(side) / Double(width))
      // Halves are rounded to even, as in NumPy.
      let size = (
        height: max(side, whole(height, scale, .toNearestOrEven)),
        width: max(side, whole(width, scale, .toNearestOrEven))
      )
      guard size.height * size.width > most else { return size }
      let smaller = (Double(most) / (Double(height) * Double(width))).squareRoot()
      return (max(cell, whole(height, smaller, .down)), max(cell, whole(width, smaller, .down)))
    case .patches(let tokens):
      return Self.size(height, width, tokens, pixels: MoGe2Configuration.patch)
    }
  }

  /// The size of a photo's grid of patches of `pixels` × `pixels` pixels.
  private static func size(
    _ height: Int, _ width: Int, _ tokens: Int, pixels: Int
  ) -> (height: Int, width: Int) {
    let grid = MoGe2Configuration.patchGrid(height: height, width: width, tokens: tokens)
    return (grid.rows * pixels, grid.columns * pixels)
  }

  /// Rows and columns of the map of a photo of this size.
  func mapSize(height: Int, width: Int) -> (height: Int, width: Int) {
    switch self {
    case .stretched(_, _, let h, let w): return height > width ? (w, h) : (h, w)
    case .proportional: return inputSize(height: height, width: width)
    case .patches(let tokens):
      let finest = Self.size(height, width, tokens, pixels: MoGe2Configuration.finestScale)
      return height * width < finest.height * finest.width ? (height, width) : finest
    }
  }

  /// Whether the network estimates points, from which a map of any size is computed.
  var givesPoints: Bool { if case .patches = self { true } else { false } }

  /// - Throws: `DepthError` for a photo with proportions that the network does not support.
  func check(height: Int, width: Int) throws {
    if case .stretched = self { return }
    guard max(height, width) > Self.largestAspect * min(height, width) else { return }
    throw DepthError(
      .invalidArgument,
      "the photo is \(width)×\(height), expected sides in a ratio of at most \(Self.largestAspect): crop it"
    )
  }

  /// A photo of 4:3, the proportions of most cameras.
  static let usualPhoto = (height: 480, width: 640)
}

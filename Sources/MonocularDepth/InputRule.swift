import DepthErrors
import DepthImages
import DepthNetworks
import NeuralEngine

/// How large a network's input and its map are for a photo.
enum InputRule: Sendable, Hashable {
  /// Every photo is stretched to one size, lying or upright; that of a landscape photo, and of its map.
  case stretched(height: Int, width: Int, mapHeight: Int, mapWidth: Int)
  /// Photos keep their proportions: the shorter side becomes `side` pixels, both are rounded to multiples of `cell`, and neither
  /// is below `side`. An input of more than `most` pixels is reduced to at most that. The map has the input's size.
  case proportional(side: Int, cell: Int, most: Int)
  /// Photos are squeezed a little to whole patches, about as many as the number says. The map has the size of the network's finest
  /// level, or the photo's if that is smaller.
  case patches(Int)

  /// The rule of a network.
  ///
  /// - Parameters:
  ///   - side: The input side of a network that takes photos of any proportions; `nil` for that of its training.
  ///   - tokens: The number of patches of a network that takes one; `nil` for the usual one.
  /// - Throws: `DepthError` with code `invalidArgument` for a size that the network does not take.
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
          "has no input size: the number of tokens sets how fine its map is",
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

  /// Ratio of a photo's sides above which it is not estimated: its time grows with the square.
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
      // Halves to even, as NumPy rounds.
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

  /// A photo's patches, of `pixels` pixels along each side.
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

  /// Whether the network gives points, which become a map of any size.
  var givesPoints: Bool { if case .patches = self { true } else { false } }

  /// - Throws: `DepthError` for a photo whose proportions the network does not take.
  func check(height: Int, width: Int) throws {
    if case .stretched = self { return }
    guard max(height, width) > Self.largestAspect * min(height, width) else { return }
    throw DepthError(
      .invalidArgument,
      "the photo is \(width)×\(height), expected sides in a ratio of at most \(Self.largestAspect): crop it"
    )
  }

  /// A photo of the proportions that most cameras have, 4:3.
  static let usualPhoto = (height: 480, width: 640)
}

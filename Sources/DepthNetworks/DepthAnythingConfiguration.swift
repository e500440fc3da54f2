import DepthErrors
package import NeuralEngine

/// The attributes and shapes of the network, its input and its output in a weights file of Depth Anything V2.
package struct DepthAnythingConfiguration: Sendable, Equatable {
  /// The name in weights files.
  package static let architecture = "depth-anything-v2"
  /// Rows and columns of a patch, pixels.
  package static let patch = DINOv2.patch

  /// The unit of the network's values.
  package enum Output: Sendable, Equatable {
    /// Metres along the optical axis, at most `largest`.
    case metres(largest: Float)
    /// The reciprocal of depth, up to an unknown scale and shift.
    case relativeDisparity
  }

  /// Channels of a token, in heads of 64.
  package var width: Int
  package var heads: Int
  /// Number of transformer blocks in the encoder, and the ascending numbers of the blocks after which its four maps are
  /// taken.
  package var blocks: Int
  var takenBlocks: [Int]
  /// Channels between the two linear layers of a block.
  package var hidden: Int
  /// Channels of the four maps before the fusion, finest first, and channels of all maps during the fusion.
  package var channels: [Int]
  package var features: Int
  /// Channels of the last hidden layer.
  var lastHidden: Int
  /// Rows and columns of the position vectors.
  package var trainedSide: Int
  package var output: Output
  /// The focal length of the training camera in units of the picture's longer side; `nil` for a relative network.
  package var trainingFocalLength: Double?
  /// Network input = pixel · scale − mean, pixel in 0…255, one value per channel, red first.
  package var pixelScale, pixelMean: [Float]

  var encoder: DINOv2.Size {
    DINOv2.Size(
      width: width, heads: heads, hidden: hidden, blocks: blocks, takenBlocks: takenBlocks,
      trainedSide: trainedSide)
  }

  /// Reads attributes and shapes.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` if an attribute or a tensor is missing or has an unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expectPublished(Self.architecture)
    let shapes = ShapeReader(archive: archive)
    heads = try read.integer("heads", in: 1...64)
    width = heads * Attention.headWidth
    let tokens = try shapes.channels("patch_embed/kernel")
    guard width == tokens else {
      throw read.refused(
        "heads",
        "one for each \(Attention.headWidth) of the \(tokens) channels of 'patch_embed/kernel'")
    }
    blocks = try shapes.blocks(in: 1...64)
    takenBlocks = try read.integers("taken_blocks", count: 4, in: 1...blocks)
    guard zip(takenBlocks, takenBlocks.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw read.refused("taken_blocks", "four ascending numbers")
    }
    let side = try read.integer("input_side", in: Self.inputSides)
    guard side % Self.patch == 0 else {
      throw read.refused("input_side", "a multiple of \(Self.patch)")
    }
    trainedSide = side / Self.patch
    hidden = try shapes.channels("blocks.0.mlp.fc1/kernel")
    channels = try (0..<4).map { try shapes.channels("projects.\($0)/kernel") }
    features = try shapes.channels("layer1_rn/kernel")
    guard features % 2 == 0 else {
      throw DepthError.shapeMismatch(
        file: archive.name, name: "layer1_rn/kernel", expected: [features + 1, channels[0], 3, 3],
        found: [features, channels[0], 3, 3])
    }
    lastHidden = try shapes.channels("output_conv2.0/kernel")
    (output, trainingFocalLength) = try Self.output(read)
    pixelScale = try read.numbers("pixel_scale", count: 3, in: -1e6...1e6).map(Float.init)
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
  }

  /// Supported sides of an input. Smaller inputs lose the layout of rooms, and larger inputs take minutes.
  package static let inputSides = 252...1036

  private static func output(_ read: AttributeReader) throws -> (Output, Double?) {
    switch read.archive.text("output_unit") {
    case "metre":
      let largest = try read.numbers("largest_depth", count: 1, in: 0.1...100_000)[0]
      return (
        .metres(largest: Float(largest)),
        try read.numbers("training_focal_length", count: 1, in: 0.05...20)[0]
      )
    case "relative disparity": return (.relativeDisparity, nil)
    default: throw read.refused("output_unit", "'metre' or 'relative disparity'")
    }
  }
}

/// Reads sizes from the shapes of an archive's tensors.
struct ShapeReader {
  let archive: any WeightArchive

  /// The output channels of a kernel, 1…4096.
  func channels(_ kernel: String) throws -> Int {
    guard let shape = archive.shapes[kernel] else {
      throw DepthError(
        .weightsMismatch, file: archive.name, "tensor '\(kernel)' is missing, expected a kernel")
    }
    guard shape.count == 4, (1...4096).contains(shape[0]) else {
      throw DepthError(
        .weightsMismatch, file: archive.name,
        "'\(kernel)' has shape \(shape.map(String.init).joined(separator: "×")), expected a kernel of 1 to 4096 output channels"
      )
    }
    return shape[0]
  }

  /// The number of blocks: the highest number after `blocks.`, plus 1.
  func blocks(in range: ClosedRange<Int>) throws -> Int {
    let prefix = "blocks."
    let numbers = archive.shapes.keys.lazy.filter { $0.hasPrefix(prefix) }
      .compactMap { Int($0.dropFirst(prefix.count).prefix { $0 != "." }) }
    let count = (numbers.max() ?? -1).addingReportingOverflow(1).partialValue
    guard range.contains(count) else {
      throw DepthError(
        .weightsMismatch, file: archive.name,
        "has \(count) transformer blocks, expected \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }
}

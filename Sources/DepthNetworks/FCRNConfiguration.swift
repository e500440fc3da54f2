package import NeuralEngine

/// The attributes of the network, its input and its output in a weights file.
package struct FCRNConfiguration: Sendable, Equatable {
  /// The architecture of the encoder. All networks have the same decoder.
  package enum Architecture: String, Sendable, CaseIterable {
    case resNet50 = "fcrn-resnet50-upproj"
    case efficientNetLite2 = "fcrn-efficientnet-lite2-upproj"

    /// Default output channels of `layer1` and of the four up-projections.
    var decoderWidths: [Int] {
      switch self {
      case .resNet50: [1024, 512, 256, 128, 64]
      case .efficientNetLite2: [256, 128, 64, 32, 32]
      }
    }
  }

  /// The activation of `ConvPred`.
  package enum OutputActivation: String, Sendable, CaseIterable {
    case relu, none, exp
  }

  /// The network's encoder.
  package var architecture: Architecture
  /// Divisor of all channel counts of the encoder; 1 in the published networks.
  package var widthDivisor: Int
  /// Output channels of `layer1` and of the four up-projections.
  package var decoderWidths: [Int]
  /// The side of the zero padding for the two-tap kernels of up-convolutions.
  package var padding: UpConvolution.Padding
  /// Added to the variance of batch norm before the division.
  package var batchNormEpsilon: Double
  /// Whether batch norm is folded into the kernels.
  package var isFolded: Bool
  /// The activation of `ConvPred`.
  var outputActivation: OutputActivation
  /// Channels of the output. The first channel is depth in metres. An optional second channel is the expected relative
  /// error, which is the scale of a Laplace distribution of ln depth.
  package var outputs: Int
  /// Whether `layer1_context` follows `layer1`.
  package var hasGlobalContext: Bool
  /// Whether maps of the encoder are added to the up-projections' results.
  package var hasSkipConnections: Bool
  /// Exponent of the ratio of focal lengths in the factor of depth.
  package var focalExponent: Double
  /// Pixels of the input, in each direction, per pixel of the encoder's result. With skip connections, input sides must be
  /// multiples of this number, so that the encoder's maps have the sizes of the up-projections' maps.
  package static let cell = 32
  /// Height and width of the input that the network was trained on, pixels.
  package var inputHeight, inputWidth: Int

  /// Rows and columns of the map. The encoder divides the rows and columns of the input by 32, rounded up. The decoder
  /// doubles the quotients four times.
  package var outputSize: (height: Int, width: Int) {
    ((inputHeight + 31) / 32 * 16, (inputWidth + 31) / 32 * 16)
  }

  /// Network input = pixel · scale − mean, pixel in 0…255, red first.
  package var pixelScale: Float
  /// Mean for ``pixelScale``, one value per channel, red first.
  package var pixelMean: [Float]

  /// The quantization of the network's input, whose values are the pixels themselves. `nil` unless all means are the same
  /// whole pixel value, since a border has only one value.
  var pixelQuantization: MapQuantization? {
    let zeroPoint = pixelMean[0] / pixelScale
    guard pixelScale.isNormal, pixelScale > 0, pixelMean.allSatisfy({ $0 == pixelMean[0] }),
      (0...255).contains(zeroPoint), zeroPoint == zeroPoint.rounded()
    else { return nil }
    return MapQuantization(scale: pixelScale, zeroPoint: UInt8(zeroPoint))
  }

  /// Supported sides of an input. The minimum is one pixel of the encoder's smallest map, 32 times smaller than the input. The
  /// maximum is the width of street scenes (Cityscapes, 2048 × 1024), the largest training pictures of such networks.
  private static let inputSides = 32...2048
  /// Pixels of the largest input, a street scene.
  private static let largestInput = 2048 * 1024

  /// Reads the attributes of an archive.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` if an attribute is missing or has an unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expect("format_name", "fcrn-hdf5")
    _ = try read.integer("format_version", in: 1...2)
    try read.expect("content", "weights")
    architecture = try read.choice(
      "architecture",
      or: [DepthAnythingConfiguration.architecture, ZipDepthConfiguration.architecture])
    let divisor = try read.integer("width_divisor", in: 1...64, default: 1)
    widthDivisor = divisor
    decoderWidths = try read.integers(
      "decoder_widths", count: 5, in: 1...4096,
      default: architecture.decoderWidths.map { max($0 / divisor, 1) })
    padding = try read.choice("upproj_padding")
    batchNormEpsilon = try read.numbers("bn_epsilon", count: 1, in: 0...1)[0]
    isFolded = try read.integer("bn_folded", in: 0...1, default: 0) == 1
    outputActivation =
      if read.has("output_activation") {
        try read.choice("output_activation")
      } else {
        try read.integer("final_relu", in: 0...1) == 1 ? .relu : .none
      }
    outputs = try read.integer("outputs", in: 1...2, default: 1)
    hasGlobalContext = try read.integer("global_context", in: 0...1, default: 0) == 1
    hasSkipConnections = try read.integer("skip_connections", in: 0...1, default: 0) == 1
    focalExponent =
      read.has("focal_exponent")
      ? try read.numbers("focal_exponent", count: 1, in: 0...2)[0] : 1
    inputHeight = try read.integer("input_height", in: Self.inputSides)
    inputWidth = try read.integer("input_width", in: Self.inputSides)
    guard inputHeight * inputWidth <= Self.largestInput else {
      throw read.refused(
        "input_height", "an input of at most \(Self.largestInput) pixels",
        found: "\(inputHeight) with an input_width of \(inputWidth)")
    }
    try read.expect("channel_order", "RGB")
    pixelScale = Float(try read.numbers("pixel_scale", count: 1, in: -1e6...1e6)[0])
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
    try read.expect("kernel_layout", "OIHW")
    try read.expect("output_unit", "metre")
    try checkCombination(read)
  }

  /// - Throws: `DepthError` with code `weightsMismatch` for contradictory attributes.
  private func checkCombination(_ read: AttributeReader) throws {
    let isEfficientNet = architecture == .efficientNetLite2
    if outputs == 2, outputActivation != .exp {
      throw read.refused("outputs", "1 where output_activation is not 'exp'")
    }
    if isEfficientNet, !isFolded {
      throw read.refused("bn_folded", "1 as in every file of '\(architecture.rawValue)'")
    }
    guard hasSkipConnections else { return }
    guard isEfficientNet else {
      throw read.refused(
        "skip_connections",
        "0, since the maps of '\(architecture.rawValue)' have other sizes than its up-projections'"
      )
    }
    for (name, side) in [("input_height", inputHeight), ("input_width", inputWidth)]
    where side % Self.cell != 0 {
      throw read.refused(name, "a multiple of \(Self.cell) where skip_connections is 1")
    }
  }
}

import DepthErrors
package import NeuralEngine

/// The attributes of a weights file: the network that it belongs to, and the network's input and
/// output.
package struct FCRNConfiguration: Sendable, Equatable {
  /// The encoder; the decoder is the same for both.
  package enum Architecture: String, Sendable, CaseIterable {
    case resNet50 = "fcrn-resnet50-upproj"
    case resNet18 = "fcrn-resnet18-upproj"
  }

  /// The network's encoder.
  package var architecture: Architecture
  /// Divisor of all channel counts of the encoder; 1 in the published networks.
  package var widthDivisor: Int
  /// Output channels of `layer1` and of the four up-projections.
  package var decoderWidths: [Int]
  /// The side on which the two-tap kernels of up-convolutions see zero padding.
  package var padding: UpConvolution.Padding
  /// Added to the variance of batch norm before the division.
  package var batchNormEpsilon: Double
  /// Whether batch norm is folded into the kernels.
  package var isFolded: Bool
  /// Whether a ReLU follows `ConvPred`.
  package var hasFinalReLU: Bool
  /// Height and width of the input that the network was trained on, pixels.
  package var inputHeight, inputWidth: Int
  /// Network input = pixel · scale − mean, pixel in 0…255, red first.
  package var pixelScale: Float
  /// See ``pixelScale``; one value per channel, red first.
  package var pixelMean: [Float]

  /// The network's input as 8-bit codes, which are the pixels themselves; `nil` where the means are not one whole pixel
  /// value, the only one that a border can hold.
  var pixelCodes: MapCodes? {
    let zeroPoint = pixelMean[0] / pixelScale
    guard pixelScale.isNormal, pixelScale > 0, pixelMean.allSatisfy({ $0 == pixelMean[0] }),
      (0...255).contains(zeroPoint), zeroPoint == zeroPoint.rounded()
    else { return nil }
    return MapCodes(step: pixelScale, zeroPoint: UInt8(zeroPoint))
  }

  /// Sides of an input: from one cell of the encoder's smallest map, which is 32 times smaller than the input, to the
  /// width of the pictures of street scenes (Cityscapes, 2048 × 1024), the largest that such networks are trained on.
  private static let inputSides = 32...2048
  /// Pixels of the largest input, those of such a picture.
  private static let largestInput = 2048 * 1024

  /// Reads the attributes of an archive.
  ///
  /// - Throws: `DepthError` with code `weightsMismatch` when an attribute is missing or has an
  ///   unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expect("format_name", "fcrn-hdf5")
    _ = try read.integer("format_version", in: 1...2)
    try read.expect("content", "weights")
    architecture = try read.choice("architecture")
    let divisor = try read.integer("width_divisor", in: 1...64, default: 1)
    widthDivisor = divisor
    let published = architecture == .resNet50 ? [1024, 512, 256, 128, 64] : [256, 128, 64, 32, 16]
    decoderWidths = try read.integers(
      "decoder_widths", count: 5, in: 1...4096, default: published.map { max($0 / divisor, 1) })
    padding = try read.choice("upproj_padding")
    batchNormEpsilon = try read.numbers("bn_epsilon", count: 1, in: 0...1)[0]
    isFolded = try read.integer("bn_folded", in: 0...1, default: 0) == 1
    hasFinalReLU = try read.integer("final_relu", in: 0...1) == 1
    inputHeight = try read.integer("input_height", in: Self.inputSides)
    inputWidth = try read.integer("input_width", in: Self.inputSides)
    guard inputHeight * inputWidth <= Self.largestInput else {
      throw DepthError.unsupportedAttribute(
        file: archive.name, name: "input_height",
        expected: "an input of at most \(Self.largestInput) pixels",
        found: "\(inputHeight) with an input_width of \(inputWidth)")
    }
    try read.expect("channel_order", "RGB")
    pixelScale = Float(try read.numbers("pixel_scale", count: 1, in: -1e6...1e6)[0])
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
    try read.expect("kernel_layout", "OIHW")
    try read.expect("output_unit", "metre")
  }
}

/// Typed access to an archive's attributes; errors name the attribute and the expected value.
private struct AttributeReader {
  let archive: any WeightArchive

  private func refused(_ name: String, _ expected: String) -> DepthError {
    guard let found = archive.attributeDescription(name) else {
      return .missingAttribute(file: archive.name, name: name, expected: expected)
    }
    return .unsupportedAttribute(file: archive.name, name: name, expected: expected, found: found)
  }

  func expect(_ name: String, _ text: String) throws {
    guard archive.text(name) == text else { throw refused(name, "'\(text)'") }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice {
    if let choice = archive.text(name).flatMap(Choice.init) { return choice }
    throw refused(name, Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))
  }

  func integers(
    _ name: String, count: Int, in range: ClosedRange<Int>, default standard: [Int]? = nil
  ) throws -> [Int] {
    if archive.attributeDescription(name) == nil, let standard { return standard }
    guard let values = archive.integers(name), values.count == count,
      values.allSatisfy(range.contains)
    else {
      throw refused(name, count == 1 ? "an integer in \(range)" : "\(count) integers in \(range)")
    }
    return values
  }

  func integer(
    _ name: String, in range: ClosedRange<Int>, default standard: Int? = nil
  ) throws -> Int {
    try integers(name, count: 1, in: range, default: standard.map { [$0] })[0]
  }

  func numbers(_ name: String, count: Int, in range: ClosedRange<Double>) throws -> [Double] {
    guard let values = archive.numbers(name), values.count == count,
      values.allSatisfy(range.contains)
    else {
      throw refused(name, count == 1 ? "a number in \(range)" : "\(count) numbers in \(range)")
    }
    return values
  }
}

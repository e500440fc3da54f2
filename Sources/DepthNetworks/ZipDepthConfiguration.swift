package import NeuralEngine

/// The attributes of weights of ZipDepth.
package struct ZipDepthConfiguration: Sendable, Equatable {
  /// The name in weights files.
  package static let architecture = "zipdepth-base"
  /// Divisor of the input's rows and columns.
  package static let cell = 32
  /// Default shorter side of the input, pixels.
  package static let inputSide = 384
  /// Supported shorter sides.
  package static let inputSides = 192...1024
  /// Pixels of the largest input for all proportions: four times the pixels of a 4:3 photo.
  package static let largestInput = 4 * 512 * 384

  /// The method of doubling the last map.
  package enum Upsampling: String, Sendable, CaseIterable {
    /// Weighted sums of nine pixels: `zipdepth_base`.
    case convex
    /// A gate between copies and interpolation: `zipdepth_base_npu`.
    case gated
  }

  package var upsampling: Upsampling
  /// Network input = pixel · scale − mean, pixel in 0…255, one value per channel, red first.
  package var pixelScale, pixelMean: [Float]

  /// - Throws: `DepthError` with code `weightsMismatch` if an attribute is missing or has an unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expectPublished(Self.architecture)
    try read.expect("output_unit", "relative disparity")
    upsampling = try read.choice("upsampling")
    pixelScale = try read.numbers("pixel_scale", count: 3, in: -1e6...1e6).map(Float.init)
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
  }
}

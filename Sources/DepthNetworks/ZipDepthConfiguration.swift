package import NeuralEngine

/// The attributes of weights of ZipDepth.
package struct ZipDepthConfiguration: Sendable, Equatable {
  /// The name in weights files.
  package static let architecture = "zipdepth-base"
  /// Rows and columns of the input are multiples of this.
  package static let cell = 32
  /// Shorter side of the usual input, pixels.
  package static let inputSide = 384
  /// Shorter sides that can be chosen.
  package static let inputSides = 192...1024
  /// Pixels of the largest input, whatever the photo's proportions: four times those of a photo of 4:3.
  package static let largestInput = 4 * 512 * 384

  /// How the last map is doubled.
  package enum Upsampling: String, Sendable, CaseIterable {
    /// By shares of nine pixels: `zipdepth_base`.
    case convex
    /// By a gate between copies and interpolation: `zipdepth_base_npu`.
    case gated
  }

  package var upsampling: Upsampling
  /// Network input = pixel · scale − mean, pixel in 0…255, one value per channel, red first.
  package var pixelScale, pixelMean: [Float]

  /// - Throws: `DepthError` with code `weightsMismatch` when an attribute is missing or has an unsupported value.
  package init(_ archive: any WeightArchive) throws {
    let read = AttributeReader(archive: archive)
    try read.expectPublished(Self.architecture)
    try read.expect("output_unit", "relative disparity")
    upsampling = try read.choice("upsampling")
    pixelScale = try read.numbers("pixel_scale", count: 3, in: -1e6...1e6).map(Float.init)
    pixelMean = try read.numbers("pixel_mean", count: 3, in: -1e6...1e6).map(Float.init)
  }
}

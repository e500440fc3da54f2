import DepthImages
import NeuralEngine
import Testing
import WeightsFiles
import _TestSupport

@testable import DepthNetworks

/// The network's input in 8-bit quantized values.
@Suite struct PixelQuantizationTests {
  private static func configuration(scale: Float, mean: [Float]) throws -> FCRNConfiguration {
    var configuration = try FCRNConfiguration(
      HDF5WeightArchive(path: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5"))
    configuration.pixelScale = scale
    configuration.pixelMean = mean
    return configuration
  }

  /// All 256 pixel values can be recovered from the quantized input.
  @Test(
    "quantized input values are the pixel values",
    arguments: [(1, 0, 0), (1 / 255, 0, 0), (1, 128, 128), (0.25, 25, 100)]
      as [(Float, Float, UInt8)])
  func quantizedValuesAreThePixels(scale: Float, mean: Float, zeroPoint: UInt8) throws {
    let means = [mean, mean, mean]
    let quantized = try #require(
      try Self.configuration(scale: scale, mean: means).pixelQuantization)
    #expect(quantized == MapQuantization(scale: scale, zeroPoint: zeroPoint))
    let pixels = (0...255).flatMap { [UInt8($0), 255 - UInt8($0), UInt8($0)] }
    let values = scaledChannels(
      of: Image(height: 1, width: 256, pixels: pixels), addsMirrored: false, scale: scale,
      mean: means, threads: 1)
    #expect(
      values.map { UInt8(($0 * (1 / quantized.scale) + Float(quantized.zeroPoint)).rounded()) }
        == pixels)
  }

  @Test(
    "pixels with fractional or unequal means are not quantized",
    arguments: [
      (1, [123.68, 116.779, 103.939]), (1, [0, 0, 1]), (1, [0.5, 0.5, 0.5]),
      (1, [256, 256, 256]), (1, [-1, -1, -1]), (0, [0, 0, 0]), (-1, [-3, -3, -3]),
    ] as [(Float, [Float])])
  func otherMeansHaveNoQuantization(scale: Float, mean: [Float]) throws {
    #expect(try Self.configuration(scale: scale, mean: mean).pixelQuantization == nil)
  }
}

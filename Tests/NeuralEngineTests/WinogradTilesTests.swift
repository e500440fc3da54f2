import NeuralEngine
import SIMDKernels
import Testing
import _TestSupport

/// The choice of a tile by the measured table.
@Suite(.offPool) struct WinogradTilesTests {
  typealias Layer = WinogradTiles.Layer

  static let entries: [WinogradTiles.Entry] = [
    .init(.avx2, Layer(.convolution, 64, 64, pixels: 4000), tile: 4),
    .init(.avx2, Layer(.convolution, 512, 512, pixels: 80), tile: 2),
    .init(.avx2, Layer(.upConvolution, 64, 64, pixels: 4000), tile: 2),
    .init(.avx512, Layer(.convolution, 64, 64, pixels: 4000), tile: 2),
  ]

  static func tile(_ layer: Layer, _ instructionSet: InstructionSet = .avx2) -> Int {
    WinogradTiles.best(for: layer, on: instructionSet, among: entries)
  }

  @Test func measuredLayersGetTheirTile() {
    for entry in Self.entries {
      #expect(Self.tile(entry.layer, entry.instructionSet) == entry.tile)
    }
  }

  @Test func otherLayersGetTheNearestOnesTile() {
    #expect(Self.tile(Layer(.convolution, 96, 32, pixels: 9000)) == 4)
    #expect(Self.tile(Layer(.convolution, 1024, 400, pixels: 20)) == 2)
    // 8 times the channels each and 50 times fewer pixels lie between the two: fewer pixels are
    // nearer 80.
    #expect(Self.tile(Layer(.convolution, 200, 200, pixels: 400)) == 2)
    #expect(Self.tile(Layer(.convolution, 1, 1, pixels: 1)) == 4)
    #expect(Self.tile(Layer(.convolution, 512, 512, pixels: 0)) == 2)
  }

  @Test func formAndInstructionSetAreNeverMixed() {
    #expect(Self.tile(Layer(.upConvolution, 512, 512, pixels: 80)) == 2)
    #expect(Self.tile(Layer(.upConvolution, 64, 64, pixels: 4000)) == 2)
    #expect(Self.tile(Layer(.convolution, 64, 64, pixels: 4000), .avx512) == 2)
  }

  /// Of two entries equally near the first counts, whatever the order of the rest.
  @Test func firstOfTwoEquallyNearCounts() {
    let near = [
      WinogradTiles.Entry(.avx2, Layer(.convolution, 32, 64, pixels: 100), tile: 2),
      WinogradTiles.Entry(.avx2, Layer(.convolution, 128, 64, pixels: 100), tile: 4),
    ]
    let layer = Layer(.convolution, 64, 64, pixels: 100)
    #expect(WinogradTiles.best(for: layer, on: .avx2, among: near) == 2)
    #expect(WinogradTiles.best(for: layer, on: .avx2, among: near.reversed()) == 4)
  }

  @Test func measuredTableIsSound() {
    for entry in WinogradTiles.measured { #expect(WinogradTiles.sizes.contains(entry.tile)) }
    let keys = WinogradTiles.measured.map { "\($0.instructionSet) \($0.layer)" }
    #expect(Set(keys).count == keys.count)
    // No machine with NEON was measured; it takes the tiles of AVX2.
    for instructionSet in InstructionSet.allCases where instructionSet != .neon {
      for form in WinogradTiles.Form.allCases {
        #expect(
          WinogradTiles.measured.contains {
            $0.instructionSet == instructionSet && $0.layer.form == form
          })
      }
    }
  }

  @Test func onlyPlain3x3ConvolutionsAreTiled() {
    func best(_ kernel: Int, stride: Int, _ outputs: Int) -> ConvolutionAlgorithm {
      .best(
        for: ConvolutionGeometry(
          kernelHeight: kernel, kernelWidth: kernel, stride: stride, inputChannels: 64,
          outputChannels: outputs),
        input: Tensor.Shape(height: 57, width: 76, channels: 64), on: .baseline)
    }
    #expect(best(1, stride: 1, 64) == .pointwise)
    #expect(best(1, stride: 2, 64) == .pointwise)
    #expect(best(7, stride: 2, 64) == .im2col)
    #expect(best(3, stride: 2, 64) == .im2col)
    #expect(best(3, stride: 1, 1) == .tapSum)
    #expect([.winograd(tile: 2), .winograd(tile: 4)].contains(best(3, stride: 1, 64)))
  }
}

import NeuralEngine
import Testing

/// The choice of a Winograd tile.
@Suite struct WinogradTilesTests {
  @Test("maps up to 100 pixels get 2×2 tiles, larger maps 4×4") func smallMapsGetSmallTiles() {
    let geometry = ConvolutionGeometry(
      kernelHeight: 3, kernelWidth: 3, inputChannels: 64, outputChannels: 64)
    for (height, width, tile) in [(8, 10, 2), (10, 10, 2), (1, 101, 4), (16, 20, 4)] {
      let input = Tensor.Shape(height: height, width: width, channels: 64)
      #expect(ConvolutionAlgorithm.best(for: geometry, input: input) == .winograd(tile: tile))
      #expect(ConvolutionAlgorithm.best(forUpConvolution: input) == .winograd(tile: tile))
    }
  }

  @Test("only plain 3×3 convolutions use Winograd tiles") func onlyPlain3x3ConvolutionsAreTiled() {
    func best(_ kernel: Int, stride: Int, _ outputs: Int) -> ConvolutionAlgorithm {
      .best(
        for: ConvolutionGeometry(
          kernelHeight: kernel, kernelWidth: kernel, stride: stride, inputChannels: 64,
          outputChannels: outputs),
        input: Tensor.Shape(height: 57, width: 76, channels: 64))
    }
    #expect(best(1, stride: 1, 64) == .pointwise)
    #expect(best(1, stride: 2, 64) == .pointwise)
    #expect(best(7, stride: 2, 64) == .im2col)
    #expect(best(3, stride: 2, 64) == .im2col)
    #expect(best(3, stride: 1, 1) == .tapSum)
    #expect(best(3, stride: 1, 64) == .winograd(tile: 4))
  }
}

/// The tiles of Winograd's algorithm.
package enum WinogradTiles {
  /// Outputs per axis of the tiles that the C kernels support.
  package static let sizes = [2, 4]

  /// The operation computed in tiles.
  package enum Form: Sendable, Hashable {
    /// A 3×3 convolution of stride 1.
    case convolution
    /// Four kernels of 3×3, 2×3, 3×2 and 2×2 taps that share an input tile and write an interleaved map.
    case upConvolution
  }

  /// Outputs per axis of the tile for a layer of `pixels` inputs, height × width.
  ///
  /// Larger tiles need fewer multiplications but read more transformed weights: 36 instead of 16 matrices for a 3×3
  /// convolution, 121 instead of 49 for an up-convolution. On small maps, weights dominate. Over the layers of FCRN-18 and
  /// FCRN-50, on each instruction set of x86-64, this rule takes 1.005 times as long as the faster tile for each layer
  /// (geometric mean).
  static func size(pixels: Int) -> Int { pixels <= 100 ? 2 : 4 }
}

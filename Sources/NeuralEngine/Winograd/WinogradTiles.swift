package import SIMDKernels

/// The tile of Winograd's algorithm that computes a layer, from a table of measurements.
///
/// Larger tiles need fewer multiplications but read more transformed weights and take more memory.
/// Which effect dominates depends on channels, pixels and the vector width, so `Benchmarks`
/// measures the layers of the published networks. The table is part of the program: on machines
/// with the same instruction set, a layer always gets the same tile, and the result has the same
/// bits.
package enum WinogradTiles {
  /// Outputs per axis of the tiles that the C kernels support.
  package static let sizes = [2, 4]

  /// The operation that is computed in tiles.
  package enum Form: Sendable, Hashable, CaseIterable {
    /// A 3×3 convolution of stride 1.
    case convolution
    /// Four kernels of 3×3, 2×3, 3×2 and 2×2 taps that share an input tile and write an interleaved
    /// map.
    case upConvolution
  }

  /// The properties of a layer that its tile depends on.
  package struct Layer: Sendable, Hashable {
    package let form: Form
    package let inputChannels, outputChannels: Int
    /// Height times width of the layer's input.
    package let pixels: Int

    package init(_ form: Form, _ inputChannels: Int, _ outputChannels: Int, pixels: Int) {
      (self.form, self.pixels) = (form, pixels)
      (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    }

    /// The product of the ratios of channels and pixels, each at least 1; 1 for the same layer.
    func distance(to other: Layer) -> Double {
      func ratio(_ a: Int, _ b: Int) -> Double {
        let (a, b) = (Double(max(a, 1)), Double(max(b, 1)))
        return a > b ? a / b : b / a
      }
      return ratio(inputChannels, other.inputChannels)
        * ratio(outputChannels, other.outputChannels) * ratio(pixels, other.pixels)
    }
  }

  /// The tile of one measured layer.
  package struct Entry: Sendable, Hashable {
    package let instructionSet: InstructionSet
    package let layer: Layer
    package let tile: Int

    package init(_ instructionSet: InstructionSet, _ layer: Layer, tile: Int) {
      (self.instructionSet, self.layer, self.tile) = (instructionSet, layer, tile)
    }
  }

  /// The measured tile of a layer, or that of the most similar measured layer.
  ///
  /// For an instruction set without measurements, those of the others are used; for NEON those of AVX2, whose panels are as wide.
  package static func best(for layer: Layer, on instructionSet: InstructionSet) -> Int {
    best(for: layer, on: instructionSet, among: measured)
  }

  /// The tile of the most similar layer among `entries`; the first of them if several are equally
  /// similar.
  ///
  /// - Precondition: There is an entry for the form.
  package static func best(
    for layer: Layer, on instructionSet: InstructionSet, among entries: [Entry]
  ) -> Int {
    let alike = entries.filter { $0.layer.form == layer.form }
    let own = alike.filter { $0.instructionSet == instructionSet }
    let related = instructionSet == .neon ? alike.filter { $0.instructionSet == .avx2 } : []
    let candidates = [own, related, alike].first { !$0.isEmpty } ?? []
    let nearest = candidates.min { $0.layer.distance(to: layer) < $1.layer.distance(to: layer) }
    guard let nearest else {
      preconditionFailure("no tile was measured for a \(layer.form)")
    }
    return nearest.tile
  }
}

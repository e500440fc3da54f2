package import SIMDKernels

/// Which tile of Winograd's algorithm computes a layer: a table that `Benchmarks` measures and writes.
///
/// Larger tiles multiply less but read more transformed weights, and take more memory for them. Where the
/// one outweighs the other depends on channels, pixels and the processor's vectors, so it is measured, once,
/// for the networks' own layers. The table is part of the program: the same layer gets the same tile, and the
/// same bits, on every machine with the same instruction set.
package enum WinogradTiles {
  /// Outputs along an axis that the kernels are written for.
  package static let sizes = [2, 4]

  /// What tiles are cut for.
  package enum Form: Sendable, Hashable, CaseIterable {
    /// 3×3 of stride 1.
    case convolution
    /// The four kernels of an up-convolution.
    case quartet
  }

  /// What decides about the tile of a layer.
  package struct Layer: Sendable, Hashable {
    package let form: Form
    package let inputChannels, outputChannels: Int
    /// Height times width of the map that the layer reads.
    package let pixels: Int

    package init(_ form: Form, _ inputChannels: Int, _ outputChannels: Int, pixels: Int) {
      (self.form, self.pixels) = (form, pixels)
      (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    }

    /// By how many times channels and pixels differ, multiplied: 1 for the same layer.
    func distance(to other: Layer) -> Double {
      func ratio(_ a: Int, _ b: Int) -> Double {
        let (a, b) = (Double(max(a, 1)), Double(max(b, 1)))
        return a > b ? a / b : b / a
      }
      return ratio(inputChannels, other.inputChannels)
        * ratio(outputChannels, other.outputChannels) * ratio(pixels, other.pixels)
    }
  }

  /// One measured layer.
  package struct Entry: Sendable, Hashable {
    package let instructionSet: InstructionSet
    package let layer: Layer
    package let tile: Int

    package init(_ instructionSet: InstructionSet, _ layer: Layer, tile: Int) {
      (self.instructionSet, self.layer, self.tile) = (instructionSet, layer, tile)
    }
  }

  /// The tile for a layer: as measured, or as measured for the layer most like it; on another instruction
  /// set where this one has not been measured.
  package static func best(for layer: Layer, on instructionSet: InstructionSet) -> Int {
    best(for: layer, on: instructionSet, among: measured)
  }

  /// Of several layers equally alike the first counts, so that the choice is the same everywhere.
  ///
  /// - Precondition: There is an entry for the form.
  package static func best(
    for layer: Layer, on instructionSet: InstructionSet, among entries: [Entry]
  ) -> Int {
    let alike = entries.filter { $0.layer.form == layer.form }
    let own = alike.filter { $0.instructionSet == instructionSet }
    let candidates = own.isEmpty ? alike : own
    let nearest = candidates.min { $0.layer.distance(to: layer) < $1.layer.distance(to: layer) }
    guard let nearest else {
      preconditionFailure("no tile was measured for a \(layer.form)")
    }
    return nearest.tile
  }
}

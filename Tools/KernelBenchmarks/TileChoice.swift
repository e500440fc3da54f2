import NeuralEngine
import SIMDKernels

/// The measured times of one layer, and the tile chosen by them.
struct TileChoice: Sendable, Equatable {
  let instructionSet: InstructionSet
  let layer: WinogradTiles.Layer
  /// Seconds with tiles of 2 and of 4, per number of threads.
  let seconds: [(two: Double, four: Double)]

  /// The largest ratio of times for which tiles of 2 are chosen, since their weights take at most
  /// half the memory.
  static let worthwhileRatio = 1.10

  /// Time with tiles of 2 divided by time with tiles of 4, the geometric mean over the numbers of
  /// threads.
  var ratio: Double {
    let product = seconds.reduce(1) { $0 * $1.two / $1.four }
    switch seconds.count {
    case 1: return product
    case 2: return product.squareRoot()
    default: preconditionFailure("\(seconds.count) numbers of threads, expected 1 or 2")
    }
  }

  var tile: Int { ratio <= Self.worthwhileRatio ? 2 : 4 }

  static func == (a: TileChoice, b: TileChoice) -> Bool {
    a.instructionSet == b.instructionSet && a.layer == b.layer
      && a.seconds.elementsEqual(b.seconds) { $0 == $1 }
  }
}

extension Sequence<TileChoice> {
  /// The Swift source of the table, `Sources/NeuralEngine/Winograd/WinogradTiles+Measured.swift`.
  ///
  /// - Parameters:
  ///   - machine: Name of the processor, for a comment.
  ///   - known: The previous table; its rows for instruction sets that were not measured are kept.
  func source(machine: String, keeping known: [WinogradTiles.Entry] = []) -> String {
    var lines = [
      "/// Written by `Benchmarks`: `swift run -c release benchmark-kernels --write-tiles`; do not edit.",
      "///",
      "/// Tile 2 where it takes at most \(fixed(TileChoice.worthwhileRatio, 2)) of the time of tile 4, with "
        + "weights that are not in any cache.",
      "/// Comments: that ratio, the geometric mean over 1 thread and all. Measured on \(machine).",
      "extension WinogradTiles {",
      "  // swift-format-ignore",
      "  package static let measured: [Entry] = [",
      "    //                     kernels          in    out           height·width",
    ]
    func line(_ entry: WinogradTiles.Entry, _ comment: String) -> String {
      let layer = entry.layer
      return "    .init(" + padded(".\(entry.instructionSet),", 10) + " .init("
        + padded(".\(layer.form),", 16) + padded("\(layer.inputChannels),", -6)
        + padded("\(layer.outputChannels),", -6) + " pixels:"
        + padded("\(layer.pixels)", -6) + "), tile: \(entry.tile)),  // " + comment
    }
    lines += map { choice in
      line(
        .init(choice.instructionSet, choice.layer, tile: choice.tile), fixed(choice.ratio, 2))
    }
    // Instruction sets that this machine lacks were measured elsewhere.
    lines += known.filter { entry in !contains { $0.instructionSet == entry.instructionSet } }
      .map { line($0, "measured elsewhere") }
    return (lines + ["  ]", "}", ""]).joined(separator: "\n")
  }
}

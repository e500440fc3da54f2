import NeuralEngine
import SIMDKernels

/// What was measured of one layer, and what follows for its tile.
struct TileChoice: Sendable, Equatable {
  let instructionSet: InstructionSet
  let layer: WinogradTiles.Layer
  /// For every number of threads: seconds with tiles of 2 and of 4.
  let seconds: [(two: Double, four: Double)]

  /// How much longer tiles of 2 may take: their kernels are half as large or less, and memory is
  /// worth that much time.
  static let worthwhileRatio = 1.10

  /// Time with tiles of 2 ÷ time with tiles of 4, the geometric mean over the numbers of threads.
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
  /// - Parameter known: The table so far; its rows for sets that were not measured now are kept.
  func source(machine: String, keeping known: [WinogradTiles.Entry] = []) -> String {
    var lines = [
      "/// Written by `Benchmarks`: `swift run -c release benchmark-kernels --write-tiles`; do not edit.",
      "///",
      "/// Tile 2 where it takes at most \(fixed(TileChoice.worthwhileRatio, 2)) of the time of tile 4 with "
        + "weights not in any cache.",
      "/// Comments: that ratio, the geometric mean over 1 thread and all. Measured on \(machine).",
      "extension WinogradTiles {",
      "  // swift-format-ignore",
      "  package static let measured: [Entry] = [",
      "    //                     kernels       in    out           height·width",
    ]
    func line(_ entry: WinogradTiles.Entry, _ comment: String) -> String {
      let layer = entry.layer
      return "    .init(" + padded(".\(entry.instructionSet),", 10) + " .init("
        + padded(".\(layer.form),", 13) + padded("\(layer.inputChannels),", -6)
        + padded("\(layer.outputChannels),", -6) + " pixels:"
        + padded("\(layer.pixels)", -6) + "), tile: \(entry.tile)),  // " + comment
    }
    lines += map { choice in
      line(
        .init(choice.instructionSet, choice.layer, tile: choice.tile), fixed(choice.ratio, 2))
    }
    // What this machine cannot run, others have measured.
    lines += known.filter { entry in !contains { $0.instructionSet == entry.instructionSet } }
      .map { line($0, "measured elsewhere") }
    return (lines + ["  ]", "}", ""]).joined(separator: "\n")
  }
}

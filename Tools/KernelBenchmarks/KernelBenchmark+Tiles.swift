import NeuralEngine
import SIMDKernels
import ThreadTeams

extension KernelBenchmark {
  /// The layers of the networks that are computed in tiles, without duplicates.
  var tiledLayers: [NetworkStructure.Layer] {
    var seen: Set<WinogradTiles.Layer> = []
    return networks.flatMap(\.groups).map(\.layer).filter { layer in
      layer.tiled.map { seen.insert($0).inserted } ?? false
    }
  }

  /// Measures both tiles on every layer and instruction set of this machine.
  ///
  /// - Parameters:
  ///   - threads: The larger number of threads; the other is 1.
  ///   - runs: Number of measured runs.
  ///   - machine: Name of the processor, for a comment in the source.
  ///   - progress: Called with one line per layer.
  /// - Returns: Swift source of the table that chooses tiles.
  public func tileSource(
    threads: Int, runs: Int, machine: String, progress: (String) -> Void
  ) -> String {
    let timer = KernelTimer(runs: runs)
    var choices: [TileChoice] = []
    for instructionSet in InstructionSet.supported.reversed() {
      for layer in tiledLayers {
        guard let tiled = layer.tiled else { continue }
        let seconds = Set([1, threads]).sorted().map {
          Self.tileSeconds(layer, instructionSet, threads: $0, timer: timer)
        }
        let choice = TileChoice(instructionSet: instructionSet, layer: tiled, seconds: seconds)
        choices.append(choice)
        let times = seconds.map { "\(fixed($0.two * 1e3, 3)) \(fixed($0.four * 1e3, 3)) ms" }
        progress(
          "\(instructionSet) \(padded(layer.name, 25)) tile 2 and 4: "
            + times.joined(separator: ", ") + ", ratio \(fixed(choice.ratio, 2))\n")
      }
    }
    return choices.source(machine: machine, keeping: WinogradTiles.measured)
  }

  private static func tileSeconds(
    _ layer: NetworkStructure.Layer, _ instructionSet: InstructionSet, threads: Int,
    timer: KernelTimer
  ) -> (two: Double, four: Double) {
    let backend = GEMMBackend.best(for: instructionSet)
    return GEMMBackend.withoutNestedThreads(backend) {
      ThreadTeam.run(threads: threads) { team in
        let cases = [2, 4].map {
          KernelCase(layer, .winograd(tile: $0), backend: backend, on: team)
        }
        let seconds = timer.seconds(of: cases, on: team)
        return (seconds[0], seconds[1])
      }
    }
  }
}

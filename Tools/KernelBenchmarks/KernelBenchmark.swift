import DepthBase
import NeuralEngine

/// Times of the convolution kernels on the layers of networks, next to the machine's limits.
public struct KernelBenchmark: Sendable {
  /// Layers of a network with the same geometry: the first of them, and their number.
  struct Group: Sendable {
    let layer: NetworkStructure.Layer
    var count: Int
  }

  /// A network's file name and its groups.
  let networks: [(name: String, groups: [Group])]

  /// - Parameter structures: Files of layer shapes by name, as `depth weights info --layers` prints
  ///   them.
  /// - Throws: ``StructureError``.
  public init(structures: [(name: String, text: String)]) throws {
    networks = try structures.map { name, text in
      (name, Self.groups(of: try NetworkStructure(text: text)))
    }
  }

  /// Layers that differ in more than their names.
  static func groups(of structure: NetworkStructure) -> [Group] {
    var groups: [Group] = []
    for layer in structure.layers where !KernelCase.algorithms(for: layer).isEmpty {
      let same = groups.firstIndex {
        $0.layer.operation == layer.operation && $0.layer.input == layer.input
          && $0.layer.output == layer.output
          && ($0.layer.residual == nil) == (layer.residual == nil)
      }
      if let same { groups[same].count += 1 } else { groups.append(Group(layer: layer, count: 1)) }
    }
    return groups
  }

  /// Times every algorithm that applies to every layer, with the fastest instruction set.
  ///
  /// - Parameters:
  ///   - threads: Threads to use.
  ///   - runs: Measured runs; the table shows their lower quartile.
  ///   - filter: Part of the name of a layer, kernel or algorithm; everything by default.
  ///   - print: Called with pieces of the table.
  public func printTable(
    threads: Int, runs: Int, filter: String = "", to print: (String) -> Void
  ) {
    precondition(threads > 0 && runs > 0, "\(threads) threads and \(runs) runs, expected positive")
    let backend = GEMMBackend.best
    GEMMBackend.withoutNestedThreads(backend) {
      ThreadTeam.run(threads: threads) { team in
        let timer = KernelTimer(runs: runs)
        let ceilings = Ceilings(backend.instructionSet, timer: timer, on: team)
        print("\(ceilings.description)\n")
        for (name, groups) in networks {
          var table = NetworkTable(name: name, ceilings: ceilings)
          print(table.header)
          for group in groups {
            let cases = KernelCase.algorithms(for: group.layer)
              .filter { Self.matches(filter, group.layer, $0) }
              .map { KernelCase(group.layer, $0, backend: backend, on: team) }
            let seconds = timer.seconds(of: cases, on: team)
            for (kernel, seconds) in zip(cases, seconds) {
              print(table.row(group, kernel, seconds: seconds))
            }
          }
          print(table.total)
        }
      }
    }
  }

  static func matches(
    _ filter: String, _ layer: NetworkStructure.Layer, _ algorithm: ConvolutionAlgorithm
  ) -> Bool {
    filter.isEmpty || layer.name.contains(filter) || algorithm.description.contains(filter)
      || layer.operation.description.contains(filter)
  }
}

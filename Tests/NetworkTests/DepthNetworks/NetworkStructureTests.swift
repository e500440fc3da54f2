import DepthNetworks
import NeuralEngine
import Testing
import WeightsFiles
import _TestSupport

/// The networks' layers, as `depth weights info --layers` prints them.
@Suite struct NetworkStructureTests {
  /// The archive of a network in the package.
  static func archive(_ network: String) throws -> any WeightArchive {
    switch network {
    case "fcrn50": GeneratedWeights()
    default:
      GeneratedWeights.lite2(
        widthDivisor: 1, decoderWidths: [256, 128, 64, 32, 16], height: 384, width: 480)
    }
  }

  static func structure(_ network: String) throws -> NetworkStructure {
    let network = try FCRN(archive(network))
    return network.output.structure(forInput: network.inputShape)
  }

  @Test("printed layers of both networks equal the committed file", arguments: ["fcrn50", "lite2"])
  func printIsTheCommittedOne(network: String) throws {
    let expected = try PackageFile.text("Tests/Golden/Shapes/\(network).txt").split(separator: "\n")
    let found = try Self.structure(network).description.split(separator: "\n")
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
    #expect(found.count == expected.count)
  }

  /// The description lists the compiled layers in order.
  @Test(
    "a structure lists the compiled layers with their shapes",
    arguments: [
      (GeneratedWeights(widthDivisor: 16), 65, 97), (GeneratedWeights(widthDivisor: 16), 32, 33),
      (.lite2(), 32, 96),
      (.lite2(hasGlobalContext: false, hasSkipConnections: false), 65, 97),
    ])
  func structureIsWhatRuns(weights: GeneratedWeights, height: Int, width: Int) throws {
    let network = try FCRN(weights)
    let shape = Tensor.Shape(height: height, width: width, channels: 3)
    let program = try network.output.compiled(forInput: shape, threads: 2)
    var reports: [Program.LayerReport] = []
    _ = try program.run(
      Tensor(shape: shape, elements: [Float](repeating: 1, count: shape.elementCount)),
      in: Program.Memory(program.memoryPlan(forInput: shape, threads: 2))
    ) { reports.append($0) }
    let layers = network.output.structure(forInput: shape).layers
    #expect(layers.map(\.name) == reports.map(\.layer))
    #expect(layers.map(\.input) == reports.map(\.input))
    #expect(layers.map(\.output) == reports.map(\.output))
  }

  /// The engine keeps the file's kernels, but folds batch norm's four values per channel into one
  /// bias.
  @Test(
    "parameters are the file's kernels and one bias per channel",
    arguments: [
      GeneratedWeights(), GeneratedWeights(widthDivisor: 16), .lite2(),
      .lite2(widthDivisor: 1, outputs: 1, hasSkipConnections: false),
    ])
  func parametersAreTheFiles(weights: GeneratedWeights) throws {
    let network = try FCRN(weights)
    let kernels = weights.shapes.filter { $0.key.hasSuffix("/kernel") }.values
    #expect(
      network.output.structure(forInput: network.inputShape).parameters
        == kernels.reduce(0) { $0 + $1.reduce(1, *) + $1[0] })
  }
}

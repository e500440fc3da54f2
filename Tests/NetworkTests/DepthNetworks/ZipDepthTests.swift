import DepthBase
import DepthErrors
import DepthNetworks
import Foundation
import NeuralEngine
import Testing
import _TestSupport

@testable import MonocularDepth
@testable import WeightsFiles

/// ZipDepth, from the file of its authors to its map.
@Suite struct ZipDepthTests {
  private static let (convex, gated) = (
    PublishedWeights.zipDepth(), PublishedWeights.zipDepth(isGated: true, seed: 2)
  )

  private static func network(_ weights: PublishedWeights) throws -> DepthNetwork {
    try DepthNetwork(archive(weights.torchFile()))
  }

  private static func archive(_ bytes: [UInt8]) throws -> any WeightsFile {
    try WeightsSource.archive(bytes: bytes.span, name: "zipdepth.pth", kind: nil)
  }

  private func map(
    _ network: DepthNetwork, _ x: Tensor, backend: GEMMBackend = .best,
    int8: Int8InstructionSet? = nil, threads: Int = 2
  ) throws -> Tensor {
    let program = try network.output.compiled(
      forInput: x.shape, backend: backend, int8: int8, threads: threads)
    let plan = program.memoryPlan(forInput: x.shape, threads: threads)
    return try program.run(x, in: .init(plan)).output
  }

  private static func input(height: Int, width: Int) -> Tensor {
    let stream = CounterStream("photo")
    return Tensor(
      shape: .init(height: height, width: width, channels: 3),
      elements: (0..<height * width * 3).map { Float(stream[$0]) * 0x1p-22 - 2 })
  }

  /// The folded network may differ by 3e-5 of the largest value.
  @Test(
    "ZipDepth equals its unfolded formulas on all instruction sets",
    arguments: [false, true], [(32, 32), (64, 96), (96, 32)])
  func equalsTheFormulas(isGated: Bool, size: (height: Int, width: Int)) throws {
    let weights = isGated ? Self.gated : Self.convex
    let network = try Self.network(weights)
    let x = Self.input(height: size.height, width: size.width)
    let expected = ReferenceZipDepth(weights).output(
      .init(
        height: size.height, width: size.width, channels: 3, elements: x.elements.map(Double.init))
    ).elements
    let top = expected.max() ?? 0
    #expect(top > 0.1)
    for set in InstructionSet.supported {
      let found = try map(network, x, backend: .best(for: set))
      #expect(found.shape == .init(height: size.height, width: size.width, channels: 1))
      expectClose(found.elements, expected, absolute: 3e-5 * top)
      #expect(try map(network, x, backend: .best(for: set), threads: 1) == found)
    }
  }

  /// int8 needs no calibration, since each map's scale is measured while the network runs.
  @Test("ZipDepth in int8 gives equal bits on all instruction sets", arguments: [false, true])
  func integersAgreeEverywhere(isGated: Bool) throws {
    let network = try Self.network(isGated ? Self.gated : Self.convex)
    let x = Self.input(height: 64, width: 96)
    let floats = try map(network, x)
    let found = try map(network, x, int8: .best(for: .current))
    let mean = floats.elements.reduce(0, +) / Float(floats.elements.count)
    let deviation = floats.elements.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = zip(floats.elements, found.elements).reduce(0) {
      $0 + ($1.0 - $1.1) * ($1.0 - $1.1)
    }
    #expect(error > 0 && (error / deviation).squareRoot() < 0.35)
    let small = Self.input(height: 32, width: 64)
    let expected = try map(network, small, int8: .best(for: .current))
    for set in Int8InstructionSet.supported {
      for threads in 1...2 {
        let other = try map(
          network, small, backend: .best(for: set.vectors), int8: set, threads: threads)
        #expect(other == expected, "\(set), \(threads) threads")
      }
    }
  }

  /// Checkpoints have wrapper prefixes and counters. Fused blocks are folded by the authors.
  @Test("training checkpoints and fused blocks of ZipDepth give equal maps")
  func readsWhatTrainingScriptsWrite() throws {
    let expected = try Self.network(Self.convex)
    var wrapped = PublishedWeights(tensors: [:])
    for (name, tensor) in Self.convex.tensors {
      wrapped.tensors["_orig_mod.module.\(name)"] = tensor
    }
    wrapped.tensors["_orig_mod.module.encoder.stem_half.bn.num_batches_tracked"] = .init(
      shape: [1], values: [7])
    let x = Self.input(height: 32, width: 64)
    #expect(try map(Self.network(wrapped), x) == map(expected, x))

    var fused = Self.convex
    let archive = try Self.archive(Self.convex.torchFile())
    for name in fused.tensors.keys where name.contains("stage1.0.branch") {
      fused.tensors[name] = nil
    }
    fused.tensors["encoder.stage1.0.fused_conv.weight"] = .init(
      shape: [48, 48, 3, 3],
      values: try archive.elements(of: "stage1.0/kernel").enumerated().map { index, value in
        // The authors also fold the identity branch.
        value + (index % 9 == 4 && index / 9 / 48 == index / 9 % 48 ? 1 : 0)
      })
    fused.tensors["encoder.stage1.0.fused_conv.bias"] = .init(
      shape: [48], values: try archive.elements(of: "stage1.0/bias"))
    expectClose(
      try map(Self.network(fused), x).elements, try map(expected, x).elements.map(Double.init),
      absolute: 1e-4)
  }

  @Test("ZipDepth refuses a file of other tensors") func refusesOtherTensors() throws {
    func fault(_ change: (inout PublishedWeights) -> Void) -> String {
      var weights = Self.convex
      change(&weights)
      do {
        _ = try Self.network(weights)
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      fault { $0.tensors["decoder.head_half.bias"] = nil }.contains(
        "'decoder.head_half.bias' is missing"))
    #expect(
      fault { $0.tensors["encoder.extra"] = .init(shape: [1], values: [1]) }.contains(
        "'encoder.extra' does not belong to ZipDepth"))
    #expect(
      fault { $0.tensors["std"] = .init(shape: [1, 3, 1, 1], values: [1, 0, 1]) }.contains(
        "'std' is"))
    #expect(
      fault {
        $0.tensors["encoder.stem_half.bn.running_var"] = .init(
          shape: [24], values: [Float](repeating: -1, count: 24))
      }
      .contains("not finite"))
  }

  /// Sides are rounded to multiples of 32, ties to even. The area has a limit.
  @Test(
    "ZipDepth's input keeps a photo's proportions in multiples of 32",
    arguments: [
      (480, 640, 384, 384, 512), (333, 500, 384, 384, 576), (1080, 1920, 384, 384, 672),
      (401, 1000, 384, 384, 960), (480, 640, 192, 192, 256), (480, 640, 1024, 768, 1024),
      (100, 1600, 384, 192, 3520), (600, 600, 1024, 864, 864),
    ])
  func inputsKeepProportions(height: Int, width: Int, side: Int, rows: Int, columns: Int) {
    let rule = InputRule.proportional(
      side: side, cell: ZipDepthConfiguration.cell, most: ZipDepthConfiguration.largestInput)
    #expect(rule.inputSize(height: height, width: width) == (rows, columns))
    #expect(rows * columns <= ZipDepthConfiguration.largestInput)
  }
}

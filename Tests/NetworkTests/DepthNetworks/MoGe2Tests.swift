import DepthBase
import DepthErrors
import DepthNetworks
import Foundation
import NeuralEngine
import Testing
import _TestSupport

@testable import WeightsFiles

/// MoGe-2, from the file of its authors to the depth maps.
@Suite struct MoGe2Tests {
  /// A small network that no published configuration describes.
  struct Case: Sendable, CustomTestStringConvertible {
    var rows, columns: Int
    var aspect: Double
    var taken = [1, 2]
    var neckBlocks = 1
    var hasNormals = true
    var testDescription: String {
      "\(rows)×\(columns), \(taken), \(neckBlocks) blocks, \(hasNormals ? "normals" : "plain")"
    }

    var weights: PublishedWeights {
      .moGe2(taken: taken, neckBlocks: neckBlocks, hasNormals: hasNormals)
    }

    func network(givesNormals: Bool = true) throws -> DepthNetwork {
      let bytes = weights.torchFile()
      let arrays = try #require(try ArrayFile(RandomAccessFile(bytes: bytes.span, name: "m.pt")))
      var layout = MoGe2Layout(
        width: 64, blocks: taken[taken.count - 1], neckBlocks: neckBlocks, takenBlocks: taken)
      if !hasNormals { layout.heads.removeLast() }
      return try DepthNetwork(MoGe2Archive(arrays, layout), givesNormals: givesNormals)
    }

    var input: Tensor {
      let stream = CounterStream("photo")
      return Tensor(
        shape: .init(height: 14 * rows, width: 14 * columns, channels: 3),
        elements: (0..<14 * 14 * rows * columns * 3).map { Float(stream[$0]) * 0x1p-22 - 2 })
    }
  }

  private func output(
    _ network: DepthNetwork, _ x: Tensor, aspect: Double, backend: GEMMBackend = .best,
    int8: Int8InstructionSet? = nil, threads: Int = 2
  ) throws -> Tensor {
    let program = try network.output.compiled(
      forInput: x.shape, backend: backend, int8: int8, threads: threads)
    let plan = program.memoryPlan(forInput: x.shape, threads: threads)
    return try program.run(x, aspect: aspect, in: .init(plan)).output
  }

  /// The engine folds the finest level, unlike the formulas.
  @Test(
    "MoGe-2 equals its authors' formulas on all instruction sets",
    arguments: [
      Case(rows: 2, columns: 3, aspect: 1.6),
      Case(rows: 3, columns: 1, aspect: 0.35, taken: [1, 2, 3], neckBlocks: 2),
      Case(rows: 1, columns: 2, aspect: 2, hasNormals: false),
    ])
  func equalsTheFormulas(test: Case) throws {
    let network = try test.network()
    let x = test.input
    let (heads, scale) = ReferenceMoGe2(
      test.weights, width: 64, takenBlocks: test.taken, neckBlocks: test.neckBlocks
    )(
      .init(
        height: x.shape.height, width: x.shape.width, channels: 3,
        elements: x.elements.map(Double.init)), aspect: test.aspect)
    for set in InstructionSet.supported {
      let found = try output(network, x, aspect: test.aspect, backend: .best(for: set))
      #expect(
        found.shape
          == .init(
            height: 16 * test.rows, width: 16 * test.columns, channels: test.hasNormals ? 8 : 5))
      let channels = found.shape.channels
      var first = 0
      for head in heads {
        let top = head.elements.reduce(0) { max($0, abs($1)) }
        #expect(top > 0.3)
        for channel in 0..<head.channels {
          expectClose(
            (0..<found.shape.area).map { found.elements[$0 * channels + first + channel] },
            (0..<found.shape.area).map { head.elements[$0 * head.channels + channel] },
            absolute: 2e-5 * top)
        }
        first += head.channels
      }
      #expect(abs(Double(found.elements[channels - 1]) - scale) < 1e-5)
      #expect(
        try output(network, x, aspect: test.aspect, backend: .best(for: set), threads: 1) == found)
    }
  }

  /// All heads read the same maps, so each head is independent.
  @Test("the other outputs of MoGe-2 do not depend on the normals head")
  func aHeadThatNobodyAsksForChangesNothing() throws {
    let test = Case(rows: 2, columns: 2, aspect: 1)
    let whole = try output(test.network(), test.input, aspect: 1)
    let part = try output(test.network(givesNormals: false), test.input, aspect: 1)
    #expect(whole.shape.channels == 8 && part.shape.channels == 5)
    for pixel in 0..<part.shape.area {
      let (a, b) = (whole.elements[(8 * pixel)...], part.elements[(5 * pixel)...])
      #expect(a.prefix(4) == b.prefix(4))
      #expect(whole.elements[8 * pixel + 7] == part.elements[5 * pixel + 4])
    }
  }

  /// int8 results are equal on all integer sets if the float set stays. Float sets differ in the
  /// last bits, which rounding to integers may enlarge.
  @Test("MoGe-2 in int8 gives equal bits on all integer sets")
  func integersAgreeEverywhere() throws {
    let test = Case(rows: 2, columns: 3, aspect: 1.5)
    let network = try test.network()
    let floats = try output(network, test.input, aspect: 1.5)
    let expected = try output(network, test.input, aspect: 1.5, int8: .best(for: .current))
    let top = floats.elements.reduce(0) { max($0, abs($1)) }
    let worst = zip(floats.elements, expected.elements).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(worst > 0 && worst < 0.2 * top)
    // Float layers compute ln of the metric scale from integer tokens.
    #expect(abs(floats.elements[7] - expected.elements[7]) < 0.05)
    for set in Int8InstructionSet.supported {
      #expect(try output(network, test.input, aspect: 1.5, int8: set) == expected, "\(set)")
      let own = try [1, 2].map {
        try output(
          network, test.input, aspect: 1.5, backend: .best(for: set.vectors), int8: set, threads: $0
        )
      }
      #expect(own[0] == own[1], "\(set)")
      let difference = zip(floats.elements, own[0].elements).reduce(0) {
        max($0, abs($1.0 - $1.1))
      }
      #expect(difference > 0 && difference < 0.2 * top, "\(set)")
    }
  }
}

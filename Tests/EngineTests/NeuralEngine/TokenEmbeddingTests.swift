import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

@Suite struct TokenEmbeddingTests {
  @Test(
    "token embedding matches its formula on any grid",
    arguments: [(5, 5), (5, 7), (3, 4), (9, 2), (1, 1), (12, 13)])
  func equalsTheFormula(grid: (rows: Int, columns: Int)) throws {
    let (width, side) = (21, 5)
    let (token, learned) = (noise("token", width), noise("positions", 26 * width))
    let embedding = TokenEmbedding(classToken: token, positions: learned, trainedSide: side)
    let patches = Tensor.noise(
      "x", .init(count: 2, height: grid.rows, width: grid.columns, channels: width))
    let found = try run(embedding, patches)
    let positions = ReferenceTransformer.positions(
      .init(
        height: side, width: side, channels: width,
        elements: learned[width...].map(Double.init)),
      height: grid.rows, width: grid.columns, extra: 0.1)
    let first = zip(token, learned).map { Double($0) + Double($1) }
    let expected = (0..<2).flatMap { image in
      first + zip(patches.map(image: image).elements, positions.elements).map { $0 + $1 }
    }
    #expect(found.shape.width == 1 + grid.rows * grid.columns)
    expectClose(found.elements, expected, absolute: 1e-6)
    #expect(try run(embedding, patches, threads: 3) == found)
  }

  @Test("bicubic weights sum to 1 and reproduce samples") func weightsAddUpToOne() {
    for step in 0..<20 {
      let weights = BicubicWeights.of(Double(step) / 20)
      #expect(abs(weights.sum() - 1) < 1e-15)
    }
    #expect(BicubicWeights.of(0) == SIMD4(0, 1, 0, 0))
  }
}

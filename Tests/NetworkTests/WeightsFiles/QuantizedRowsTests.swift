import NeuralEngine
import Testing
import WeightsFiles
import _TestSupport

/// 8-bit integer kernels, as the file stores them.
@Suite struct QuantizedRowsTests {
  /// Compares several ranges of rows of every kernel.
  @Test("integers times factors are the elements of bundled kernels")
  func integersTimesFactorsAreTheElements() throws {
    let archive = try HDF5WeightArchive(path: packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5")
    for (name, shape) in archive.shapes where name.hasSuffix("/kernel") {
      let factors = try #require(try archive.factors(of: name))
      let last = shape[0] - 1
      for rows in [0..<1, last..<shape[0], min(1, last)..<min(4, shape[0])] {
        let quantized = try #require(try archive.integers(of: name, rows: rows))
        let row = shape.dropFirst().reduce(1, *)
        try #require(quantized.count == rows.count * row)
        let values = quantized.enumerated().map { Float($1) * factors[rows.lowerBound + $0 / row] }
        #expect(values == (try archive.elements(of: name, rows: rows)), "\(name) \(rows)")
      }
    }
  }

  @Test("a float kernel has no integers") func kernelsOfFloatsHaveNoIntegers() throws {
    let archive = try HDF5WeightArchive(path: Golden.path("fcrn_narrow16_weights.h5"))
    for name in archive.shapes.keys where name.hasSuffix("/kernel") {
      #expect(try archive.integers(of: name, rows: 0..<1) == nil)
    }
  }
}

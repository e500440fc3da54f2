import DepthImages
import DepthRefinement
import Foundation
import Testing
import _TestSupport

/// A smooth field through known numbers.
@Suite struct CorrectionFieldTests {
  private typealias Sample = CorrectionField.Sample

  private func photo(height: Int, width: Int, _ color: (Int, Int) -> UInt8) -> Image {
    Image(
      height: height, width: width,
      pixels: (0..<height * width).flatMap { (pixel: Int) -> [UInt8] in
        let value = color(pixel / width, pixel % width)
        return [value, value &+ 20, value / 2]
      })
  }

  /// One row of the field over a map of this size, from the field's factors for a map of ones.
  private func fieldRow(
    _ row: Int, of rows: Int, columns: Int, _ field: CorrectionField
  ) -> [Double] {
    var map = [Float](repeating: 1, count: rows * columns)
    field.multiply(&map, height: rows, width: columns, threads: 2)
    return map[row * columns..<(row + 1) * columns].map { log(Double($0)) }
  }

  @Test(
    "the correction field minimizes its energy",
    arguments: [(1, 1), (1, 9), (6, 1), (5, 7), (8, 8)], [0.002, 0.05])
  func isTheMinimum(size: (height: Int, width: Int), sigma: Double) throws {
    let (height, width) = size
    let guide = photo(height: height, width: width) { UInt8(($0 * 37 + $1 * 11) % 200) }
    let depth = (0..<height * width).map { (cell: Int) -> Double in
      cell % 11 == 5 ? Double.nan : 1 + 0.03 * Double(cell * 7 % 5)
    }
    let samples = (0..<6).map { (index: Int) -> Sample in
      let (row, column) = (Double(index * 7 % 10) / 10, Double(index * 3 % 7) / 6.5)
      return Sample(row: row, column: column, value: 0.2 * sin(Double(index)))
    }
    let expected = ReferenceField(samples, depth: depth, guide: guide, sigma: sigma).values
    let found = try CorrectionField(samples, depth: depth, guide: guide, sigma: sigma).values
    let errors = expected.indices.map { abs(found[$0] - expected[$0]) }
    #expect(found.count == height * width && errors.allSatisfy { $0 < 1e-6 })
  }

  @Test("the correction field fades with distance from known numbers")
  func fallsOffWithDistance() throws {
    let guide = photo(height: 40, width: 120) { _, _ in 90 }
    let flat = [Double](repeating: 0.7, count: 40 * 120)
    let samples = (0..<20).map { (index: Int) -> Sample in
      let (row, column) = (Double(index % 5) / 5 + 0.1, Double(index / 5) * 0.02 + 0.02)
      return Sample(row: row, column: column, value: 0.3)
    }
    let field = try CorrectionField(samples, depth: flat, guide: guide, sigma: 0.01)
    let row = fieldRow(20, of: 40, columns: 120, field)
    #expect(abs(row[5] - 0.3) < 0.01 && row[119] > 0 && row[119] < 0.1)
    #expect(zip(row.dropFirst(12), row.dropFirst(13)).allSatisfy { $0 > $1 })
  }

  @Test("the correction field jumps at a step of depth") func jumpsAtEdges() throws {
    let (height, width) = (24, 48)
    let samples = (0..<16).map { (index: Int) -> Sample in
      let isLeft = index % 2 == 0
      return Sample(
        row: Double(index / 2) / 8 + 0.05, column: isLeft ? 0.2 : 0.8, value: isLeft ? 0.2 : -0.2)
    }
    func middle(depthStep: Double, colorStep: UInt8) throws -> (left: Double, right: Double) {
      let guide = photo(height: height, width: width) { $1 < width / 2 ? 60 : 60 + colorStep }
      let depth = (0..<height * width).map { $0 % width < width / 2 ? 0 : depthStep }
      let row = try CorrectionField(samples, depth: depth, guide: guide, sigma: 0.01)
        .values[12 * width..<13 * width]
      let first = row.startIndex + width / 2
      return (row[first - 1], row[first])
    }
    let (even, colored) = try (
      middle(depthStep: 0, colorStep: 0), middle(depthStep: 0, colorStep: 150)
    )
    let (stepped, both) = try (
      middle(depthStep: 0.5, colorStep: 0), middle(depthStep: 0.5, colorStep: 150)
    )
    let jumps = [even, colored, stepped, both].map { $0.left - $0.right }
    #expect(jumps == jumps.sorted())
    #expect(jumps[0] < 0.05 && jumps[1] > 1.3 * jumps[0] && jumps[2] > 0.3)
    #expect(abs(both.left - 0.2) < 0.05 && abs(both.right + 0.2) < 0.05)
  }

  @Test("the correction field keeps its position on a map of another size")
  func interpolatesCentered() throws {
    let guide = photo(height: 12, width: 16) { _, _ in 90 }
    let samples = (0..<48).map { (index: Int) -> Sample in
      let (row, column) = ((Double(index / 8) + 0.5) / 6, (Double(index % 8) + 0.5) / 8)
      return Sample(row: row, column: column, value: 0.1 * column)
    }
    let field = try CorrectionField(
      samples, depth: [Double](repeating: 0, count: 12 * 16), guide: guide, sigma: 0.001)
    for (rows, columns) in [(12, 16), (96, 128), (7, 5), (1, 1)] {
      let row = fieldRow(rows / 2, of: rows, columns: columns, field)
      #expect(row.count == columns)
      for x in 0..<columns {
        let place = (Double(x) + 0.5) / Double(columns)
        guard place > 0.25, place < 0.75 else { continue }
        #expect(abs(row[x] - 0.1 * place) < 0.002)
      }
    }
  }

  @Test(
    "the correction field has enough cells for all numbers",
    arguments: [
      (480, 640, 1500, 120, 160), (480, 640, 2001, 240, 320), (4000, 3000, 10, 160, 120),
      (20, 30, 100_000, 20, 30), (1, 5000, 3, 1, 160),
    ])
  func gridSizes(height: Int, width: Int, samples: Int, rows: Int, columns: Int) {
    let size = CorrectionField.size(photo: (height, width), samples: samples)
    #expect(size == (rows, columns))
  }
}

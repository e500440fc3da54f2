import DepthBase
import DepthImages
import HDF5Files
import Testing
import _TestSupport

/// Bilinear stretching equals the golden rows and the definition.
@Suite struct BilinearRowsTests {
  @Test("bilinear stretching to 480 × 640 gives the golden rows") func goldenRows() throws {
    let file = try Golden.protocol()
    let depth = try file.dataset("pred_128x160").floats()
    let expected = try file.dataset("pred_upsampled_480x640_every_37th_row").floats()
    var rows = BilinearRows(depth, height: 128, width: 160, toHeight: 480, width: 640)
    let whole = rows.all()
    let found = stride(from: 0, to: 480, by: 37).flatMap { whole[$0 * 640..<($0 + 1) * 640] }
    expectClose(found.map(Float.init), expected, absolute: 1e-6, shape: [13, 640])
  }

  static let sizes: [(from: (Int, Int), to: (Int, Int))] = [
    ((1, 1), (1, 1)), ((1, 1), (4, 3)), ((5, 4), (1, 1)), ((1, 9), (1, 20)), ((9, 1), (20, 1)),
    ((2, 2), (33, 35)), ((33, 35), (2, 2)), ((17, 23), (17, 23)), ((17, 23), (40, 23)),
    ((17, 23), (17, 50)), ((128, 160), (97, 211)),
  ]

  @Test(
    "bilinear rows of every size equal the definition in any order",
    arguments: sizes.indices, InstructionSet.supported)
  func everySizeEqualsTheDefinition(index: Int, isa: InstructionSet) {
    let (from, to) = Self.sizes[index]
    let stream = CounterStream("plane")
    let values = (0..<from.0 * from.1).map { Float(stream[$0]) * 0x1p-20 - 3 }
    let expected = referenceBilinear(
      values, height: from.0, width: from.1, toHeight: to.0, width: to.1)
    func stretched(_ isa: InstructionSet) -> BilinearRows {
      BilinearRows(
        values, height: from.0, width: from.1, toHeight: to.0, width: to.1, isa: isa)
    }
    var rows = stretched(isa)
    let whole = rows.all()
    expectClose(whole, expected, absolute: 1e-9, "\(from) to \(to)")
    var plain = stretched(.baseline)
    #expect(whole == plain.all())
    // Rows in reverse order are equal, too.
    var row = [Double](repeating: 0, count: to.1)
    for y in (0..<to.0).reversed() {
      rows.fill(row: y, &row)
      #expect(row[...] == whole[y * to.1..<(y + 1) * to.1])
    }
  }

  @Test("a missing value affects only pixels near the value")
  func missingValueSpreadsToItsNeighbors() {
    func missing(_ values: [Float], to width: Int) -> [Int] {
      var rows = BilinearRows(values, height: 1, width: values.count, toHeight: 1, width: width)
      let all = rows.all()
      return all.indices.filter { !all[$0].isFinite }
    }
    #expect(missing([1, 2, .nan, 4, 5], to: 10) == [3, 4, 5, 6])
    #expect(missing([1, 2, .nan, 4, 5], to: 5) == [2])
    #expect(missing([1, 2, .infinity, 4, 5, 6], to: 2) == [])
    #expect(missing([1, .infinity, 3, 4, 5, 6], to: 2) == [0])
  }
}

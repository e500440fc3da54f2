import DepthBase
import Testing

@Suite struct FilledRowsTests {
  @Test(
    "every row is set once",
    arguments: [(0, 3, 1), (1, 1, 1), (7, 5, 2), (33, 4, 16), (50, 3, 7)], [1, 2, 5])
  func everyRowIsSetOnce(_ size: (height: Int, width: Int, grain: Int), threads: Int) {
    let expected = (0..<size.height * size.width).map { Float($0) }
    for strided in [false, true] {
      let rows: [Float] = filledRows(
        height: size.height, width: size.width, grain: size.grain, strided: strided, padding: 2,
        threads: threads
      ) { rows, out in
        out.forEachRow(rows, width: size.width) { y, row in
          for x in 0..<row.count { row[x] = Float(y * size.width + x) }
        }
      }
      #expect(rows == expected + [0, 0])
    }
  }

  @Test("a cancelled call computes no rows", arguments: [false, true])
  func cancelledCallsLeaveOutTheirRows(strided: Bool) {
    let cancellation = Cancellation()
    cancellation.cancel()
    let rows: [Float] = filledRows(
      height: 9, width: 4, grain: 2, strided: strided, threads: 2, cancellation: cancellation
    ) { _, _ in
      Issue.record("a chunk of a cancelled call was computed")
    }
    #expect(rows.count == 36)
  }

  @Test("one loop fills four arrays", arguments: [1, 3])
  func fourArraysAreFilledTogether(threads: Int) {
    let (arrays, results) = filledRows(
      height: 10, widths: (3, 1, 0, 2), grain: 4, threads: threads
    ) {
      (rows, a: inout MutableSpan<Int32>, b, c, d) in
      a.update(repeating: Int32(rows.lowerBound))
      b.update(repeating: 1)
      d.update(repeating: 2)
      return rows.count + c.count
    }
    let firstRows: [Int32] = (0..<30).map { Int32($0 / 12 * 4) }
    #expect(arrays.0 == firstRows)
    #expect(arrays.1 == [Int32](repeating: 1, count: 10))
    #expect(arrays.2.isEmpty)
    #expect(arrays.3 == [Int32](repeating: 2, count: 20))
    #expect(results == [4, 4, 2])
  }

  @Test("rows are updated in place", arguments: [1, 4]) func rowsAreUpdatedInPlace(threads: Int) {
    var numbers = Array(0..<35)
    updateRows(of: &numbers, width: 5, grain: 2, threads: threads) { rows, out in
      for i in 0..<out.count { out[i] += 100 * rows.lowerBound }
    }
    #expect(numbers == (0..<35).map { $0 + 100 * ($0 / 10 * 2) })
  }

  @Test("results of a parallel map keep their order", arguments: [1, 4])
  func resultsKeepTheirOrder(threads: Int) {
    #expect(parallelMap(20, threads: threads) { "\($0)" } == (0..<20).map { "\($0)" })
  }

  @Test("a part is copied to the given place in a span") func partsAreCopiedWhereTheyBelong() {
    var numbers = [UInt8](repeating: 0, count: 6)
    var span = numbers.mutableSpan
    let three: [UInt8] = [1, 2, 3]
    span.update(from: three.span, at: 2)
    #expect(numbers == [0, 0, 1, 2, 3, 0])
  }

  @Test("a part beyond the end of a span traps") func partsBeyondTheEndTrap() async {
    await #expect(processExitsWith: .failure) {
      var numbers = [UInt8](repeating: 0, count: 6)
      var span = numbers.mutableSpan
      span.withPart(4..<7) { $0[0] = 1 }
    }
    await #expect(processExitsWith: .failure) {
      var numbers = [UInt8](repeating: 0, count: 6)
      updateRows(of: &numbers, width: 4, grain: 1, threads: 1) { _, _ in }
    }
  }
}

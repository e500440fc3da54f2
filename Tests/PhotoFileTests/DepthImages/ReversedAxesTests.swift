import DepthImages
import Testing

@Suite struct ReversedAxesTests {
  @Test(
    "reversed axes reverse the indices of each value",
    arguments: [(1, 1, 1), (3, 1, 5), (1, 33, 31), (3, 32, 64), (2, 65, 7)])
  func everyValueFindsItsPlace(planes: Int, rows: Int, columns: Int) {
    let values = Array(0..<planes * rows * columns)
    let reversed = axesReversed(values, planes: planes, rows: rows, columns: columns)
    for plane in 0..<planes {
      for row in 0..<rows {
        for column in 0..<columns {
          #expect(
            reversed[(column * rows + row) * planes + plane]
              == values[(plane * rows + row) * columns + column])
        }
      }
    }
  }
}

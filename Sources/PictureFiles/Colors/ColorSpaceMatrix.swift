/// A linear map of three color components, by rows.
struct ColorSpaceMatrix: Sendable {
  var rows: [SIMD3<Double>]

  init(_ rows: [SIMD3<Double>]) { self.rows = rows }

  /// - Parameter columns: The images of the three axes.
  init(columns: [SIMD3<Double>]) {
    rows = (0..<3).map { SIMD3(columns[0][$0], columns[1][$0], columns[2][$0]) }
  }

  init(diagonal: SIMD3<Double>) {
    rows = (0..<3).map { row in
      var result = SIMD3<Double>.zero
      result[row] = diagonal[row]
      return result
    }
  }

  static func * (left: Self, right: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      (left.rows[0] * right).sum(), (left.rows[1] * right).sum(), (left.rows[2] * right).sum())
  }

  static func * (left: Self, right: Self) -> Self {
    Self(columns: (0..<3).map { left * right.column($0) })
  }

  private func column(_ index: Int) -> SIMD3<Double> {
    SIMD3(rows[0][index], rows[1][index], rows[2][index])
  }

  /// The inverse, by cofactors; `nil` for a singular map.
  var inverse: Self? {
    func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
    let columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    let determinant = (rows[0] * columns[0]).sum()
    guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
    return Self(columns: columns.map { $0 / determinant })
  }
}

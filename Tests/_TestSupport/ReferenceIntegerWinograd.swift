/// Winograd's F(4 × 4, 3 × 3) with the points 0, 1, −1, 2, −½ and ∞ in integers without overflow.
/// Quantized kernels compute F modulo 2³².
public enum ReferenceIntegerWinograd {
  static let input = [
    [2, 3, -4, -3, 2, 0], [0, 2, 5, 1, -2, 0], [0, 2, 1, -5, 2, 0], [0, 1, 2, -1, -2, 0],
    [0, -2, 1, 2, -1, 0], [0, 2, 3, -4, -3, 2],
  ]
  static let kernel = [
    [15, 0, 0], [5, 5, 5], [5, -5, 5], [1, 2, 4], [4, -2, 1], [0, 0, 15],
  ]
  static let result = [
    [1, 1, 1, -1, 8, 0], [0, 1, -1, -2, -4, 0], [0, 1, 1, -4, 2, 0], [0, 1, -1, -8, -1, 1],
  ]

  /// The 36 values of 6×6 quantized values, row by row.
  public static func transformed(quantized: [Int]) -> [Int] { sandwich(input, quantized) }

  /// The 36 values of 3×3 weights.
  public static func transformed(weights: [Int]) -> [Int] { sandwich(kernel, weights) }

  /// The 4×4 results of 36 sums of products.
  public static func results(sums: [Int]) -> [Int] {
    sandwich(result, sums).map { scaled in
      precondition(scaled % 900 == 0, "\(scaled) is not four times 225 times a sum")
      return scaled / 900
    }
  }

  /// matrix · values · matrixᵀ.
  private static func sandwich(_ matrix: [[Int]], _ values: [Int]) -> [Int] {
    let size = matrix[0].count
    return matrix.flatMap { row in
      matrix.map { column in
        (0..<size).reduce(0) { sum, i in
          sum + row[i] * (0..<size).reduce(0) { $0 + column[$1] * values[i * size + $1] }
        }
      }
    }
  }
}

/// The points of a one-dimensional Winograd transform F(m, r): m outputs of an r-tap filter from
/// m + r − 1 products, by evaluation at m + r − 2 points and at infinity (Toom–Cook).
///
/// The C kernels contain the matrices Bᵀ and Aᵀ, multiplied out. Only G, which transforms the
/// weights once, is computed here.
struct WinogradPoints {
  /// The finite points; infinity is always the last point.
  let finite: [Double]
  let taps: Int

  /// The points of the C kernels' transforms.
  init(tile: Int, taps: Int) {
    precondition(taps == 2 || taps == 3, "\(taps) taps, expected 2 or 3")
    self.taps = taps
    switch tile {
    case 2: finite = taps == 3 ? [0, 1, -1] : [0, 1]
    case 4: finite = taps == 3 ? [0, 0.75, -0.75, 1.5, -1.5] : [0, 0.75, -0.75, 1.5]
    default: preconditionFailure("tile \(tile), expected 2 or 4")
    }
  }

  /// Products per tile along this axis.
  var count: Int { finite.count + 1 }

  /// Matrix G, `count × taps`: row p is (1, p, p²) / Π (p − q) over the other finite points q.
  var kernelMatrix: [Double] {
    finite.flatMap { point in
      let scale = finite.reduce(1) { $1 == point ? $0 : $0 * (point - $1) }
      return (0..<taps).map { power in (0..<power).reduce(1) { value, _ in value * point } / scale }
    } + (0..<taps).map { $0 == taps - 1 ? 1 : 0 }
  }
}

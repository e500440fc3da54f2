import CDepthSIMD
import SystemEssentials

extension ck_aperture_row {
  /// Creates a row of weights between two positions. Each pixel's weight is its covered share times `weight`.
  init(from start: Double, to end: Double, weight: Double) {
    let (first, last) = ((start + 0.5).rounded(.down), (end + 0.5).rounded(.down))
    self.init()
    (left, right) = (Int32(first), Int32(last))
    if first == last {
      let share = Float((end - start) * weight)
      (rise, rise_next, fall, fall_next) = (share, 0, 0, -share)
    } else {
      let (head, tail) = (first + 0.5 - start, end - last + 0.5)
      (rise, rise_next) = (Float(head * weight), Float((1 - head) * weight))
      (fall, fall_next) = (Float((tail - 1) * weight), Float(-tail * weight))
    }
  }

  /// Creates a row from the weights of the middle pixel and of its two neighbors.
  init(middle: Double, side: Double) {
    self.init()
    (left, right) = (-1, 1)
    (rise, rise_next) = (Float(side), Float(middle - side))
    (fall, fall_next) = (Float(side - middle), Float(-side))
  }
}

/// The aperture's rows for every size of a circle of confusion.
struct ApertureRows: Sendable {
  /// Rows above and below the middle, by the level's magnitude.
  let reach: [Int32]
  /// The index in ``rows`` of the middle row of every signed level, from the most negative.
  let middle: [Int32]
  let rows: [ck_aperture_row]
  let largest: Int
  /// Largest distance of a pixel from the middle over all sizes, in rows and columns.
  let extent: Int

  /// The largest radius that blurs only adjacent pixels, in pixels.
  private static let smallest = 1.0
  /// Sample lines per row of pixels.
  private static let lines = 8

  /// - Parameters:
  ///   - largest: The largest magnitude of a level.
  ///   - step: Pixels of radius per level.
  ///   - blades: Sides of the aperture; 0 for a disc.
  ///   - rotation: Degrees counterclockwise.
  init(largest: Int, step: Double, blades: Int, rotation: Double) {
    var reach: [Int32] = []
    var spans: [ck_aperture_row] = []
    var (front, back): ([Int32], [Int32]) = ([], [])
    let corners = Self.corners(blades, rotation: rotation)
    for level in 0...largest {
      let radius = Double(level) * step
      // Rays from points in front of the focus have not crossed at the sensor, so the aperture's image is
      // upside down.
      let rows = Self.rows(radius: radius, corners: corners)
      reach.append(Int32(rows.count / 2))
      back.append(Int32(spans.count + rows.count / 2))
      spans += rows
      if !blades.isMultiple(of: 2) {
        let turned = Self.rows(radius: radius, corners: corners.map { -$0 })
        front.append(Int32(spans.count + turned.count / 2))
        spans += turned
      }
    }
    if front.isEmpty { front = back }
    self.reach = reach
    self.rows = spans
    self.largest = largest
    extent = spans.reduce(1) { max($0, max(Int(-$1.left), Int($1.right)) + 1) }
    middle = back.dropFirst().reversed() + front
  }

  /// Corners of the polygon of area π relative to its center; empty for the disc of radius 1.
  private static func corners(_ blades: Int, rotation: Double) -> [SIMD2<Double>] {
    guard blades > 0 else { return [] }
    // The polygon has the disc's area, and transmits as much light at the same f-number.
    let sector = 2 * Double.pi / Double(blades)
    let radius = (2 * .pi / (Double(blades) * sin(sector))).squareRoot()
    let turn: Double = rotation * .pi / 180
    return (0..<blades).map { (corner: Int) -> SIMD2<Double> in
      let angle: Double = 2 * .pi * Double(corner) / Double(blades) + turn + .pi / 2
      return SIMD2(radius * cos(angle), -radius * sin(angle))
    }
  }

  /// The rows of one size, with weights that sum to 1.
  private static func rows(radius: Double, corners: [SIMD2<Double>]) -> [ck_aperture_row] {
    if radius < smallest {
      // Five pixels have the second moments of a disc, radius² / 4 along each axis.
      let side = radius * radius / 8
      guard side > 0 else { return [ck_aperture_row(from: -0.5, to: 0.5, weight: 1)] }
      let end = ck_aperture_row(from: -0.5, to: 0.5, weight: side)
      return [end, ck_aperture_row(middle: 1 - 4 * side, side: side), end]
    }
    // Area sampling adds the variance of a pixel's square, 1/12. The photo's own pixels add as much.
    let size = (radius * radius - 1.0 / 3).squareRoot()
    var ends: [(start: Double, end: Double, share: Double)] = []
    let extent = corners.isEmpty ? 1 : corners.map { abs($0.y) }.max() ?? 1
    let reach = Int((size * extent + 0.5).rounded(.down))
    for row in -reach...reach {
      var (start, end, count) = (0.0, 0.0, 0.0)
      for line in 0..<lines {
        let y = (Double(row) - 0.5 + (Double(line) + 0.5) / Double(lines)) / size
        guard let cut = cut(at: y, corners) else { continue }
        start += cut.start * size
        end += cut.end * size
        count += 1
      }
      ends.append(
        count == 0 ? (0, 0, 0) : (start / count, end / count, count / Double(lines)))
    }
    let area = ends.reduce(0) { $0 + ($1.end - $1.start) * $1.share }
    return ends.map { ck_aperture_row(from: $0.start, to: $0.end, weight: $0.share / area) }
  }

  /// The ends of a row's intersection with the aperture of size 1.
  private static func cut(
    at y: Double, _ corners: [SIMD2<Double>]
  ) -> (start: Double, end: Double)? {
    guard !corners.isEmpty else {
      guard abs(y) < 1 else { return nil }
      let half = (1 - y * y).squareRoot()
      return (-half, half)
    }
    var (start, end) = (Double.infinity, -Double.infinity)
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1))
    where (a.y - y) * (b.y - y) <= 0 && a.y != b.y {
      let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
      (start, end) = (min(start, x), max(end, x))
    }
    return start < end ? (start, end) : nil
  }
}

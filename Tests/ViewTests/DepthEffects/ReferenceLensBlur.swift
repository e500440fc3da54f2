import DepthImages
import Foundation

@testable import DepthEffects

/// The lens blur that ``LensScatter`` documents, in 64 bits and without running sums.
struct ReferenceLensBlur {
  let photo: Image
  let map: DefocusMap
  let layers: DefocusLayers

  private struct Point {
    var y, x, level: Int
    var light: [Double]
  }

  /// The weight of the pixel at `(down, across)` in a disc of this radius.
  static func weight(down: Int, across: Int, radius: Double) -> Double {
    if radius < 1 {
      let side = radius * radius / 8
      return switch (abs(down), abs(across)) {
      case (0, 0): 1 - 4 * side
      case (0, 1), (1, 0): side
      default: 0
      }
    }
    let size = (radius * radius - 1.0 / 3).squareRoot()
    let reach = Int(size + 0.5)
    func half(_ row: Int) -> (mean: Double, share: Double) {
      let lines = (0..<8).map { line -> Double? in
        let y = Double(row) - 0.5 + (Double(line) + 0.5) / 8
        return abs(y) < size ? (size * size - y * y).squareRoot() : nil
      }.compactMap(\.self)
      return lines.isEmpty
        ? (0, 0) : (lines.reduce(0, +) / Double(lines.count), Double(lines.count) / 8)
    }
    guard abs(down) <= reach else { return 0 }
    let area = (-reach...reach).reduce(0.0) { $0 + 2 * half($1).mean * half($1).share }
    let (mean, share) = half(down)
    let covered = min(Double(across) + 0.5, mean) - max(Double(across) - 0.5, -mean)
    return max(covered, 0) * share / area
  }

  func pixels() -> [Double] {
    let hidden = HiddenLayer(of: photo, map, threads: 1)
    var points: [Point] = []
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        let at = y * photo.width + x
        let light = photo.pixels[at * 3..<at * 3 + 3].map(MaskEffectsTests.decoded)
        points.append(Point(y: y, x: x, level: Int(map.levels[at]), light: light))
      }
      for index in hidden.rowStart[y]..<hidden.rowStart[y + 1] {
        let light = (0..<3).map { Double(hidden.light[index][$0]) }
        points.append(
          Point(
            y: y, x: Int(hidden.columns[index]), level: Int(hidden.levels[index]), light: light))
      }
    }
    let discs = (0...map.largest).map { level -> [[Double]] in
      let reach = Int(Double(level) * map.step) + 2
      return (-reach...reach).map { down in
        (-reach...reach).map {
          Self.weight(down: down, across: $0, radius: Double(level) * map.step)
        }
      }
    }
    var result: [Double] = []
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        var sums = [[Double]](repeating: [0, 0, 0, 0], count: layers.count)
        for point in points {
          let disc = discs[abs(point.level)]
          let (row, column) = (y - point.y + disc.count / 2, x - point.x + disc.count / 2)
          guard disc.indices.contains(row), disc.indices.contains(column) else { continue }
          let weight = disc[row][column]
          guard weight > 0 else { continue }
          let layer = Int(layers.layer[point.level + map.largest])
          for channel in 0..<3 { sums[layer][channel] += weight * point.light[channel] }
          sums[layer][3] += weight
        }
        var found = [0.0, 0, 0, 0]
        for sum in sums.reversed() where sum[3] > 1e-4 {
          let share = min(1, max(1 - found[3], 0) / sum[3])
          for channel in 0..<4 { found[channel] += share * sum[channel] }
        }
        result += (0..<3).map { MaskEffectsTests.encoded(min(found[$0] / found[3], 1)) }
      }
    }
    return result
  }
}

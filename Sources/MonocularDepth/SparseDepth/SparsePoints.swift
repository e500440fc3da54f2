import DepthErrors
import DepthImages

/// Known distances at points of a map: the pixels of a sparse map at which both maps have a value.
struct SparsePoints {
  /// The positions of the points as shares of the photo's height and width.
  private(set) var rows: [Double] = []
  private(set) var columns: [Double] = []
  /// The known distances.
  private(set) var metres: [Double] = []
  /// The map's own numbers at the points.
  private(set) var predicted: [Double] = []

  /// Maximum number of points, evenly spread.
  private static let most = 100_000

  /// - Parameters:
  ///   - sparse: A map of any size in metres or disparity, which covers the whole photo.
  ///   - map: The photo's map, of any size.
  /// - Throws: `DepthError`: code `unknownUnit` if `sparse` is not in metres or disparity; code `noDepth` if fewer than two
  ///   pixels have a value in both maps.
  init(_ sparse: DepthMap, in map: DepthMap) throws {
    try sparse.unit.requireMetric(for: "sparse depth")
    let known = try sparse.inMetres()
    let pixels = known.values.indices.filter {
      DepthCalibration.distances.contains(Double(known.values[$0]))
    }
    let count = min(pixels.count, Self.most)
    for pixel in (0..<count).map({ pixels[$0 * pixels.count / count] }) {
      let (y, x) = pixel.quotientAndRemainder(dividingBy: known.width)
      guard let value = map.interpolated(y, of: known.height, x, of: known.width) else { continue }
      rows.append((Double(y) + 0.5) / Double(known.height))
      columns.append((Double(x) + 0.5) / Double(known.width))
      metres.append(Double(known.values[pixel]))
      predicted.append(value)
    }
    guard metres.count > 1 else { throw DepthError.noSparsePoints(found: metres.count) }
  }
}

extension DepthMap {
  /// The bilinear mean of the values around the center of a photo's pixel, with repeated edges; `nil` if values without depth
  /// have more than half of the weight.
  ///
  /// - Parameters:
  ///   - row: A row of a photo with `rows` rows.
  ///   - column: A column of a photo with `columns` columns.
  func interpolated(_ row: Int, of rows: Int, _ column: Int, of columns: Int) -> Double? {
    let y = (Double(row) + 0.5) / Double(rows) * Double(height) - 0.5
    let x = (Double(column) + 0.5) / Double(columns) * Double(width) - 0.5
    let (top, left) = (y.rounded(.down), x.rounded(.down))
    var (sum, weight) = (0.0, 0.0)
    for (row, rowShare) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] {
      for (column, columnShare) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] {
        let (row, column) = (min(max(row, 0), height - 1), min(max(column, 0), width - 1))
        let value = values[row * width + column]
        guard hasValue(value) else { continue }
        sum += rowShare * columnShare * Double(value)
        weight += rowShare * columnShare
      }
    }
    return weight >= 0.5 ? sum / weight : nil
  }
}

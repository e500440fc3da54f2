import DepthBase
package import DepthImages
import SystemEssentials

/// The combination of several maps of one photo, with the disagreement of the maps.
///
/// The joint depth is the geometric mean, `exp` of the mean logarithm, in which errors by a factor and by its reciprocal
/// cancel. The mean of a pixel is over the maps with a value at the pixel. Without such a map, the pixel has no value.
///
/// Logarithms are added as integers in units of 2⁻⁵⁰, without rounding. The result therefore does not depend on the order of
/// the maps, and the mean of copies of one map is that map.
package struct MapEnsemble {
  /// The joint map, in metres.
  package let depth: DepthMap
  /// The disagreement of the maps apart from their scales. After each map's mean is subtracted, this is the standard deviation
  /// of the maps' logarithms at a pixel, averaged over all pixels with a value in every map. 0 is agreement; .05 is about 5 %
  /// of the depth. `nil` for one map, or if there is no such pixel.
  package let spread: Double?
  /// The joint map of expected errors; see ``DepthEstimate/expectedError``. `nil` if no network predicts its error.
  package let error: ErrorMap?

  /// Steps per unit of a logarithm. 104 (from the smallest float) times this number, times 64 maps, stays below 2⁶³.
  static let steps = 0x1p50
  /// The logarithm of a pixel without a value.
  static let missing = Int64.min

  /// - Parameters:
  ///   - maps: The maps, grouped by network.
  ///   - errors: The expected errors of the maps of networks that predict them.
  ///   - mapsPerNetwork: Number of maps of each network.
  ///   - threads: Number of threads, which does not affect the result.
  /// - Precondition: 1 to 64 maps of one size, in metres.
  package init(
    _ maps: [DepthMap], errors: [ErrorMap] = [], mapsPerNetwork: Int = 1, threads: Int = 1
  ) {
    let (height, width) = (maps[0].height, maps[0].width)
    precondition(
      maps.count <= 64
        && maps.allSatisfy { $0.height == height && $0.width == width && $0.unit == .metres },
      "\(maps.count) maps, expected up to 64 of \(width)×\(height) in metres")
    guard maps.count > 1 else {
      (depth, spread, error) = (maps[0], nil, errors.first)
      return
    }
    let logarithms: [[Int64]] = maps.map { map in
      filledRows(height: height, width: width, grain: 16, threads: threads) { rows, out in
        let values = map.values.span.extracting(
          rows.lowerBound * width..<rows.upperBound * width)
        for i in 0..<values.count {
          out[i] =
            map.hasValue(values[i])
            ? Int64((log(Double(values[i])) * Self.steps).rounded()) : Self.missing
        }
      }
    }
    // Maps are added one after another, so that each pass accesses memory in order.
    var sums = [Int64](repeating: 0, count: height * width)
    var counts = [Int](repeating: 0, count: height * width)
    for map in logarithms {
      for pixel in map.indices where map[pixel] != Self.missing {
        sums[pixel] += map[pixel]
        counts[pixel] += 1
      }
    }
    let (totals, known) = (sums, counts)
    depth = DepthMap(
      height: height, width: width, unit: .metres,
      values: filledRows(height: height, width: width, grain: 16, threads: threads) { rows, out in
        let first = rows.lowerBound * width
        for i in 0..<out.count {
          let (sum, count) = (totals[first + i], known[first + i])
          out[i] = count > 0 ? Float(exp(Double(sum) / Double(count) / Self.steps)) : 0
        }
      })
    spread = Self.spread(
      of: logarithms, sums: sums, pixels: counts.indices.filter { counts[$0] == maps.count })
    error =
      errors.isEmpty
      ? nil : Self.error(errors, logarithms: logarithms, mapsPerNetwork: mapsPerNetwork)
  }

  /// - Parameters:
  ///   - sums: Sums over all maps, pixel by pixel.
  ///   - pixels: Pixels with a value in every map.
  private static func spread(of logarithms: [[Int64]], sums: [Int64], pixels: [Int]) -> Double? {
    guard !pixels.isEmpty else { return nil }
    let (maps, count) = (Double(logarithms.count), Double(pixels.count))
    let levels = logarithms.map { map in pixels.reduce(0.0) { $0 + Double(map[$1]) } / count }
    let level = levels.reduce(0, +) / maps
    var squares = [Double](repeating: 0, count: sums.count)
    for (map, own) in zip(logarithms, levels) {
      for pixel in pixels {
        let difference = (Double(map[pixel]) - own) - (Double(sums[pixel]) / maps - level)
        squares[pixel] += difference * difference
      }
    }
    return pixels.reduce(0.0) { $0 + (squares[$1] / maps).squareRoot() } / count / steps
  }
}

extension MapEnsemble {
  /// The share of the networks' disagreement that is added to their predicted errors.
  ///
  /// The predicted errors already contain most of the disagreement. On held-out frames, ¼ ranks the pixels of a photo better
  /// than ⅛, and ranks photos nearly as well; expected errors are 5 % too large (`Tools/training/RECORD.md`).
  static let disagreement = 0.25

  /// The mean of the predicted errors, plus ``disagreement`` times the mean distance of the networks' ln depths from their
  /// mean.
  ///
  /// The numbers of one pixel are added in ascending order, so the result does not depend on the order of the networks.
  ///
  /// - Parameters:
  ///   - errors: The expected errors of the maps whose networks predict them; at least one.
  ///   - logarithms: Each map's ln depths, in ``steps``.
  static func error(
    _ errors: [ErrorMap], logarithms: [[Int64]], mapsPerNetwork: Int
  ) -> ErrorMap {
    let firsts = Array(stride(from: 0, to: logarithms.count, by: mapsPerNetwork))
    var own = [Double](repeating: 0, count: errors.count)
    var levels = [Double](repeating: 0, count: firsts.count)
    var values = [Float](repeating: 0, count: errors[0].values.count)
    for pixel in values.indices {
      for (index, map) in errors.enumerated() { own[index] = Double(map.values[pixel]) }
      var count = 0
      for first in firsts {
        var (sum, known) = (Int64(0), 0)
        for map in first..<first + mapsPerNetwork where logarithms[map][pixel] != missing {
          sum += logarithms[map][pixel]
          known += 1
        }
        guard known > 0 else { continue }
        levels[count] = Double(sum) / Double(known) / steps
        count += 1
      }
      // Sums of two numbers do not depend on the order.
      if own.count > 2 { own.sort() }
      if count > 2 { levels[..<count].sort() }
      values[pixel] = Float(
        own.reduce(0, +) / Double(own.count) + disagreement * distance(levels[..<count]))
    }
    return ErrorMap(height: errors[0].height, width: errors[0].width, values: values)
  }

  /// The mean distance of some numbers from their mean.
  private static func distance(_ values: ArraySlice<Double>) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + abs($1 - mean) } / Double(values.count)
  }
}

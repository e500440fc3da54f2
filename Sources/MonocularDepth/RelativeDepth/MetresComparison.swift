import DepthBase
package import DepthImages
import SystemEssentials

/// A comparison of a map in presumed metres with the network's map of the same photo, on a coarse
/// grid.
package struct MetresComparison: Sendable, Equatable {
  /// Spearman's rank correlation of the two maps, −1…1.
  package let agreement: Double
  /// The median of the given map divided by that of the network's map.
  package let ratio: Double

  private static let leastCells = 100

  /// - Returns: `nil` if fewer than 100 cells have a value in both maps.
  /// - Precondition: Both maps are in metres.
  package init?(_ given: DepthMap, to metric: DepthMap) {
    precondition(
      given.unit == .metres && metric.unit == .metres,
      "maps in \(given.unit) and \(metric.unit), expected metres")
    let grids = [given, metric].map { map in
      MapGrid(map.values, height: map.height, width: map.width) {
        map.hasValue($0) ? log(Double($0)) : .nan
      }.means
    }
    let cells = zip(grids[0], grids[1]).filter { !$0.0.isNaN && !$0.1.isNaN }
    guard cells.count >= Self.leastCells else { return nil }
    let (own, network) = (cells.map(\.0), cells.map(\.1))
    let weights = [Double](repeating: 1, count: cells.count)
    agreement = own.rankCorrelation(with: network)
    ratio = exp(own.quantile(0.5, weights: weights) - network.quantile(0.5, weights: weights))
  }

  /// Whether the maps roughly agree about near and far, that is, the rank correlation is at least
  /// −.3.
  package var ranksAlike: Bool { agreement >= -0.3 }

  /// Whether the medians differ by at most a factor of 3.
  package var isOfOneScale: Bool { (1 / 3.0...3).contains(ratio) }
}

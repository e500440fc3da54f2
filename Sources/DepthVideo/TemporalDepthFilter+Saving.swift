import DepthImages
import SystemEssentials

extension TemporalDepthFilter {
  /// The filter's state, for a later run.
  struct Saved: Sendable, Hashable, Codable {
    var height, width: Int
    var unit: SavedUnit
    /// See ``SteadyScale/saved``.
    var scale: [UInt32]
    /// Bit patterns of the running map's logarithms and of the openness.
    var logDepth, openness: [UInt32]
    var noise: UInt32?
    var photo: Data

    /// Whether the counts match the size, as in every undamaged file.
    var isConsistent: Bool {
      let (pixels, overflows) = height.multipliedReportingOverflow(by: width)
      return !overflows && height > 0 && pixels > 0 && logDepth.count == pixels
        && openness.count == pixels && photo.count == 3 * logDepth.count
    }
  }

  /// `nil` before the first frame.
  var saved: Saved? {
    running.map {
      Saved(
        height: $0.height, width: $0.width, unit: SavedUnit($0.unit), scale: $0.scale.saved,
        logDepth: $0.logDepth.map(\.bitPattern), openness: $0.openness.map(\.bitPattern),
        noise: $0.noise?.bitPattern, photo: Data($0.photo))
    }
  }

  /// Restores a saved state.
  ///
  /// - Precondition: ``Saved/isConsistent``.
  mutating func restore(_ saved: Saved?) {
    running = saved.map {
      Running(
        height: $0.height, width: $0.width, unit: $0.unit.unit, scale: SteadyScale(saved: $0.scale),
        logDepth: $0.logDepth.map { Float(bitPattern: $0) }, photo: Array($0.photo),
        openness: $0.openness.map { Float(bitPattern: $0) },
        noise: $0.noise.map { Float(bitPattern: $0) })
    }
  }
}

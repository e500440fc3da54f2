/// The occlusion order of circles of confusion: one layer per range of radii, the nearest last.
///
/// Each layer's range is 1.5 times as large as the previous layer's range. Layers are fine near the focus,
/// where a disc beside a sharp edge is visible.
struct DefocusLayers: Sendable {
  /// The layer of every signed level, from the most negative.
  let layer: [UInt8]
  let count: Int

  init(largest: Int, step: Double) {
    var bounds = [0.5]
    while let last = bounds.last, last < Double(largest) * step { bounds.append(last * 1.5) }
    layer = (-largest...largest).map { level in
      let radius = Double(level) * step
      let steps = bounds.count { $0 <= abs(radius) }
      return UInt8(bounds.count + (radius < 0 ? -steps : steps))
    }
    count = 2 * bounds.count + 1
  }
}

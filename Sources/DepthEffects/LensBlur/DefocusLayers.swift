/// The order in which circles of confusion hide each other: a layer for each range of radii, the nearest
/// last.
///
/// The layers grow by half from one to the next, and are fine near the focus, where a layer's disc next to
/// a sharp edge shows.
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

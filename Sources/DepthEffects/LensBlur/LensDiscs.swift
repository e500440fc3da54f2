import CDepthSIMD

/// The circles of confusion of a lens: a disc for each level of defocus, and the order in which discs hide each other.
struct LensDiscs: Sendable {
  let layers: Int
  /// The largest magnitude of a level.
  let largest: Int
  /// Rows and columns from the middle to the farthest pixel of any disc.
  let extent: Int
  /// Rows above and below the middle, by magnitude of level.
  let reach: [Int32]
  /// The discs' rows at each distance from the middle, −extent…extent, by level from the most negative: a row of light is
  /// added to another at one distance.
  let rows: [ck_aperture_row]

  init(_ aperture: ApertureRows, _ layers: DefocusLayers) {
    (largest, extent, reach) = (aperture.largest, aperture.extent, aperture.reach)
    self.layers = layers.count
    var rows: [ck_aperture_row] = []
    rows.reserveCapacity((2 * extent + 1) * (2 * largest + 1))
    for distance in -extent...extent {
      for level in -largest...largest {
        var row = ck_aperture_row()
        row.layer = -1
        if Int(reach[abs(level)]) >= abs(distance) {
          row = aperture.rows[Int(aperture.middle[level + largest]) + distance]
          row.layer = Int32(layers.layer[level + largest])
        }
        rows.append(row)
      }
    }
    self.rows = rows
  }

  /// The rows at one distance.
  func rows(at distance: Int) -> Range<Int> {
    let first = (distance + extent) * (2 * largest + 1)
    return first..<first + 2 * largest + 1
  }
}

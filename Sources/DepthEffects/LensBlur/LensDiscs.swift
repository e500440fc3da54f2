import CDepthSIMD

/// The circles of confusion of a lens: one disc per level of defocus, and their occlusion order.
struct LensDiscs: Sendable {
  let layers: Int
  /// The largest magnitude of a level.
  let largest: Int
  /// Largest distance of a pixel from the middle over all discs, in rows and columns.
  let extent: Int
  /// Rows above and below the middle, by the level's magnitude.
  let reach: [Int32]
  /// The discs' rows at each distance from the middle, −extent…extent, by level from the most negative. Adding one row of
  /// light to another row uses the disc rows at one distance.
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

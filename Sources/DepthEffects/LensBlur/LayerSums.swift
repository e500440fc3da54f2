import CDepthSIMD

/// The light of one row of a tile, layer by layer, as steps of running sums.
@safe final class LayerSums {
  let width: Int
  let layers: Int
  /// Number of columns beyond each end whose discs reach the row.
  let extent: Int
  /// The storage of the sums, all 0 between rows.
  let memory: ck_lens_sums
  /// Scratch for the light of the row, four floats per pixel.
  let light: UnsafeMutablePointer<Float>

  init(width: Int, discs: LensDiscs) {
    (self.width, layers, extent) = (width, discs.layers, discs.extent)
    // A disc beyond an end extends by the same distance outwards.
    let pitch = width + 4 * extent + 2
    let steps = UnsafeMutablePointer<Float>.allocate(capacity: 8 * layers * pitch)
    unsafe steps.initialize(repeating: 0, count: 8 * layers * pitch)
    let ranges = UnsafeMutablePointer<ck_lens_range>.allocate(capacity: layers)
    unsafe ranges.initialize(repeating: ck_lens_range(first: .max, end: .min), count: layers)
    unsafe memory = ck_lens_sums(
      width: width, before: 2 * extent, pitch: pitch, falls: layers * pitch, steps: steps,
      ranges: ranges)
    unsafe light = .allocate(capacity: 4 * width)
  }

  deinit {
    unsafe memory.steps.deallocate()
    unsafe memory.ranges.deallocate()
    unsafe light.deallocate()
  }
}

import CDepthSIMD

/// The light that falls on one row of a tile, layer by layer, as steps of running sums.
///
/// For each layer there are the row and two steps for what ends beyond it: red, green, blue and coverage.
@safe final class LayerSums {
  let width: Int
  let layers: Int
  /// The memory of the sums, all 0 between rows.
  let memory: ck_lens_sums
  /// Room for the light of the row, four floats for each pixel.
  let light: UnsafeMutablePointer<Float>

  init(width: Int, layers: Int) {
    (self.width, self.layers) = (width, layers)
    let steps = UnsafeMutablePointer<Float>.allocate(capacity: 4 * layers * (width + 2))
    unsafe steps.initialize(repeating: 0, count: 4 * layers * (width + 2))
    let ranges = UnsafeMutablePointer<ck_lens_range>.allocate(capacity: layers)
    unsafe ranges.initialize(repeating: ck_lens_range(first: .max, end: 0), count: layers)
    unsafe memory = ck_lens_sums(width: width, steps: steps, ranges: ranges)
    unsafe light = .allocate(capacity: 4 * width)
  }

  deinit {
    unsafe memory.steps.deallocate()
    unsafe memory.ranges.deallocate()
    unsafe light.deallocate()
  }
}

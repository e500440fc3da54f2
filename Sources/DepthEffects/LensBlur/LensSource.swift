import CDepthSIMD
import DepthBase
import DepthImages

/// The pixels whose discs can reach a tile, in linear light.
struct LensSource {
  private let scatter: LensScatter
  private let tile, region: Region
  /// Four floats for each pixel of the region and for one additional pixel: red, green, blue and 1.
  private let light: [Float]
  /// Runs of one defocus level, row by row; the index of each row's first run, followed by the number of
  /// runs.
  private let runs: [ck_lens_run]
  private let runStart: [Int]
  /// The largest reach in each row.
  private let rowReach: [Int32]
  /// The largest reach of all rows, in rows.
  let largestReach: Int32

  init(_ scatter: LensScatter, around tile: Region) {
    (self.scatter, self.tile) = (scatter, tile)
    let (photo, map, kernels) = (scatter.photo, scatter.map, scatter.kernels)
    let reach = scatter.discs.reach
    let region = tile.grown(by: scatter.discs.extent, height: photo.height, width: photo.width)
    let columns = region.columns.count
    var runs: [ck_lens_run] = []
    var (runStart, rowReach) = ([0], [Int32]())
    for y in region.rows {
      let row = y * map.width + region.columns.lowerBound
      kernels.appendRuns(of: map.levels.span.extracting(row..<row + columns), to: &runs)
      var largest: Int32 = 0
      for run in runs[runStart[runStart.count - 1]...] {
        largest = max(largest, reach[abs(Int(run.level))])
      }
      rowReach.append(largest)
      runStart.append(runs.count)
    }
    let largest = rowReach.max() ?? 0
    light =
      largest == 0
      ? []
      : filledArray(count: (region.rows.count * columns + 1) * 4) { light in
        let linear = SRGB.linear
        let end = region.rows.count * columns * 4
        light.withPart(0..<end) { light in
          light.forEachRow(region.rows, width: columns * 4) { y, light in
            let row = (y * photo.width + region.columns.lowerBound) * 3
            kernels.light(
              linear, photo.pixels.span.extracting(row..<row + columns * 3), into: &light)
          }
        }
        light.withPart(end..<end + 4) { $0.update(repeating: 0) }
      }
    (self.region, self.runs, self.runStart) = (region, runs, runStart)
    (self.rowReach, largestReach) = (rowReach, largest)
  }

  /// Adds the light that reaches row `y` of the photo to the sums.
  func scatter(onto y: Int, _ sums: LayerSums) {
    let (kernels, discs) = (scatter.kernels, scatter.discs)
    let (extent, columns) = (discs.extent, region.columns.count)
    let shift = region.columns.lowerBound - tile.columns.lowerBound
    let first = max(region.rows.lowerBound, y - extent)
    for from in first..<min(region.rows.upperBound, y + extent + 1) {
      let row = from - region.rows.lowerBound
      if Int(rowReach[row]) >= abs(y - from) {
        kernels.scatter(
          runs.span.extracting(runStart[row]..<runStart[row + 1]), distance: y - from,
          shift: shift, light.span.extracting(row * columns * 4..<((row + 1) * columns + 1) * 4),
          discs, onto: sums)
      }
      let hidden = scatter.hidden.points(row: from, columns: region.columns)
      guard !hidden.isEmpty else { continue }
      kernels.scatter(
        hidden, of: scatter.hidden, distance: y - from, shift: -tile.columns.lowerBound, discs,
        onto: sums)
    }
  }
}

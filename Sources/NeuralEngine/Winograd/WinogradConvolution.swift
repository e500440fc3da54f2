import DepthBase

/// A 3×3 convolution of stride 1, or an up-convolution, by Winograd's algorithm.
///
/// > Source: A. Lavin, S. Gray. “Fast Algorithms for Convolutional Neural Networks.” CVPR 2016.
/// > [arXiv:1509.09308](https://arxiv.org/abs/1509.09308).
struct WinogradConvolution: Sendable {
  let form: WinogradTiles.Form
  var border = ConvolutionGeometry.Border.zeros
  /// The first row and column of an up-convolution's two-tap kernels in the tile.
  var twoTapOffset = 0
  let weights: WinogradWeights
  let bounds: ChannelBounds

  private func schedule(for input: Tensor.Shape) -> WinogradSchedule {
    let (rows, columns) = tileGrid(of: input)
    return WinogradSchedule(tiles: input.count * rows * columns, weights: weights)
  }

  func tileGrid(of input: Tensor.Shape) -> (rows: Int, columns: Int) {
    (
      (input.height + weights.tile - 1) / weights.tile,
      (input.width + weights.tile - 1) / weights.tile
    )
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    schedule(for: input).scratchCount(threads: threads)
  }

  func run(
    _ input: FeatureMap, residual: FeatureMap?, output: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    let schedule = schedule(for: input.shape)
    let run = unsafe Run(
      self, input, output, x: workspace.base + input.offset, y: workspace.base + output.offset,
      epilogue: bounds.epilogue(residual: residual, in: workspace))
    nonisolated(unsafe) let memory = unsafe workspace.base + scratch
    if schedule.isShared {
      let products = schedule.inputFloats
      for index in 0..<schedule.blocks {
        let tiles = schedule.tiles(ofBlock: index)
        unsafe runShared(run, schedule, tiles: tiles, transformed: memory, on: team) { worker in
          unsafe memory + products + worker * schedule.productFloats
        }
      }
    } else {
      let size = schedule.inputFloats + schedule.productFloats
      team.forEach(schedule.blocks) { worker, index in
        let block = unsafe Block(
          tiles: schedule.tiles(ofBlock: index), transformed: memory + worker * size,
          strides: schedule.inputStrides)
        unsafe run.transformInput(of: block, tiles: block.tiles)
        for panel in 0..<weights.panels {
          for chunk in unsafe schedule.chunks(of: block.tiles) {
            unsafe run.multiplyAndTransform(
              block, chunk, panels: panel..<panel + 1,
              products: block.transformed + schedule.inputFloats)
          }
        }
      }
    }
  }

  /// Tiles per task if the team transforms a shared block.
  private static let tilesPerTask = 4

  private func runShared(
    _ run: Run, _ schedule: WinogradSchedule, tiles: Range<Int>,
    transformed: UnsafeMutablePointer<Float>, on team: ThreadTeam,
    products: @Sendable (_ worker: Int) -> UnsafeMutablePointer<Float>
  ) {
    let block = unsafe Block(
      tiles: tiles, transformed: transformed, strides: schedule.inputStrides)
    let tasks = (tiles.count + Self.tilesPerTask - 1) / Self.tilesPerTask
    team.forEach(tasks) { _, task in
      let first = tiles.lowerBound + task * Self.tilesPerTask
      unsafe run.transformInput(
        of: block, tiles: first..<min(first + Self.tilesPerTask, tiles.upperBound))
    }
    // All chunks of a group of panels run in succession, so that the group's weights are read from
    // memory once.
    let chunks = schedule.chunks(of: tiles)
    let groups = (weights.panels + schedule.panelsPerGroup - 1) / schedule.panelsPerGroup
    team.forEach(groups * chunks.count) { worker, task in
      let (group, chunk) = task.quotientAndRemainder(dividingBy: chunks.count)
      let first = group * schedule.panelsPerGroup
      unsafe run.multiplyAndTransform(
        block, chunks[chunk],
        panels: first..<min(first + schedule.panelsPerGroup, weights.panels),
        products: products(worker))
    }
  }
}

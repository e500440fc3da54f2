import CKernels
import Tensors

/// A 3×3 convolution of stride 1, or an up-convolution's quartet, by Winograd's algorithm.
struct WinogradConvolution: Sendable {
  enum Form: Sendable, Hashable {
    case convolution
    /// Four kernels of 3×3, 2×3, 3×2 and 2×2 taps that share one input tile and write an interleaved
    /// map; the offset says where the two-tap kernels start inside the tile.
    case quartet(twoTapOffset: Int)
  }

  let form: Form
  let weights: WinogradWeights
  let inputChannels, outputChannels: Int
  let bounds: ChannelBounds

  private var products: Products { weights.matrices[0].products }
  private var kernelIndex: Int { weights.tile == 2 ? 0 : 1 }

  private func schedule(for input: Tensor.Shape) -> WinogradSchedule {
    let rows = (input.height + weights.tile - 1) / weights.tile
    let columns = (input.width + weights.tile - 1) / weights.tile
    return WinogradSchedule(
      tiles: input.count * rows * columns, positions: weights.matrices.count,
      inputChannels: inputChannels, outputChannels: outputChannels)
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    schedule(for: input).scratchCount(threads: threads)
  }

  /// Transforms of one block: the geometry that the C kernels want.
  private struct Block {
    let tiles: Range<Int>
    var input, output: ck_tiles
    let transformed, multiplied: UnsafeMutablePointer<Float>
  }

  private func block(
    _ tiles: Range<Int>, _ input: FeatureMap, _ output: FeatureMap,
    transformed: UnsafeMutablePointer<Float>, multiplied: UnsafeMutablePointer<Float>
  ) -> Block {
    let shape = input.shape
    var offset = 0
    if case .quartet(let twoTapOffset) = form { offset = twoTapOffset }
    func geometry(channels: Int, pixelStride: Int) -> ck_tiles {
      ck_tiles(
        height: shape.height, width: shape.width, channels: channels,
        tile_rows: (shape.height + weights.tile - 1) / weights.tile,
        tile_columns: (shape.width + weights.tile - 1) / weights.tile, pixel_stride: pixelStride,
        position_stride: tiles.count * channels, tile_stride: channels, two_tap_offset: offset)
    }
    return Block(
      tiles: tiles,
      input: geometry(channels: inputChannels, pixelStride: input.pixelStride),
      output: geometry(channels: outputChannels, pixelStride: output.pixelStride),
      transformed: transformed, multiplied: multiplied)
  }

  func run(
    _ input: FeatureMap, residual: FeatureMap?, output: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    let schedule = schedule(for: input.shape)
    nonisolated(unsafe) let memory = workspace.base + scratch
    nonisolated(unsafe) let epilogue = bounds.epilogue(residual: residual, in: workspace)
    nonisolated(unsafe) let x = UnsafePointer(workspace.base + input.offset)
    nonisolated(unsafe) let y = workspace.base + output.offset
    if schedule.isShared {
      for index in 0..<schedule.blocks {
        nonisolated(unsafe) let block = block(
          schedule.tiles(ofBlock: index), input, output, transformed: memory,
          multiplied: memory + schedule.inputFloats)
        runShared(block, x: x, y: y, epilogue: epilogue, on: team)
      }
    } else {
      let size = schedule.inputFloats + schedule.productFloats
      team.forEach(schedule.blocks) { worker, index in
        let block = block(
          schedule.tiles(ofBlock: index), input, output, transformed: memory + worker * size,
          multiplied: memory + worker * size + schedule.inputFloats)
        transformInput(block, tiles: block.tiles, x: x)
        for position in weights.matrices.indices {
          multiply(block, position: position, panels: 0..<weights.matrices[0].panels)
        }
        transformOutput(block, tiles: block.tiles, y: y, epilogue: epilogue)
      }
    }
  }

  /// Tiles that a worker transforms at a time in a shared block.
  private static let tilesPerTask = 4

  private func runShared(
    _ block: Block, x: UnsafePointer<Float>, y: UnsafeMutablePointer<Float>,
    epilogue: ck_epilogue, on team: ThreadTeam
  ) {
    nonisolated(unsafe) let (block, x, y, epilogue) = (block, x, y, epilogue)
    let tasks = (block.tiles.count + Self.tilesPerTask - 1) / Self.tilesPerTask
    let tiles: @Sendable (Int) -> Range<Int> = { task in
      let first = block.tiles.lowerBound + task * Self.tilesPerTask
      return first..<min(first + Self.tilesPerTask, block.tiles.upperBound)
    }
    team.forEach(tasks) { _, task in transformInput(block, tiles: tiles(task), x: x) }
    let panels = weights.matrices[0].panels
    let halves = panels > 1 ? 2 : 1
    team.forEach(weights.matrices.count * halves) { _, task in
      let half = task % halves
      multiply(
        block, position: task / halves,
        panels: half * panels / halves..<(half + 1) * panels / halves)
    }
    team.forEach(tasks) { _, task in
      transformOutput(block, tiles: tiles(task), y: y, epilogue: epilogue)
    }
  }

  private func transformInput(_ block: Block, tiles: Range<Int>, x: UnsafePointer<Float>) {
    var geometry = block.input
    let out = block.transformed + (tiles.lowerBound - block.tiles.lowerBound) * inputChannels
    let kernels = products.kernels.pointee
    let kernel:
      @convention(c) (
        UnsafePointer<ck_tiles>, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>
      ) -> Void
    switch form {
    case .convolution:
      kernel = kernelIndex == 0 ? kernels.winograd_input.0 : kernels.winograd_input.1
    case .quartet: kernel = kernelIndex == 0 ? kernels.quartet_input.0 : kernels.quartet_input.1
    }
    kernel(&geometry, tiles.lowerBound, tiles.upperBound, x, out)
  }

  private func multiply(_ block: Block, position: Int, panels: Range<Int>) {
    let rows = block.tiles.count
    weights.matrices[position].multiply(
      ProductOperands(
        rows: rows, a: block.transformed + position * rows * inputChannels, aStride: inputChannels,
        c: block.multiplied + position * rows * outputChannels, cStride: outputChannels),
      panels: panels)
  }

  private func transformOutput(
    _ block: Block, tiles: Range<Int>, y: UnsafeMutablePointer<Float>, epilogue: ck_epilogue
  ) {
    var (geometry, epilogue) = (block.output, epilogue)
    let from = block.multiplied + (tiles.lowerBound - block.tiles.lowerBound) * outputChannels
    let kernels = products.kernels.pointee
    let kernel:
      @convention(c) (
        UnsafePointer<ck_tiles>, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>,
        UnsafePointer<ck_epilogue>
      ) -> Void
    switch form {
    case .convolution:
      kernel = kernelIndex == 0 ? kernels.winograd_output.0 : kernels.winograd_output.1
    case .quartet: kernel = kernelIndex == 0 ? kernels.quartet_output.0 : kernels.quartet_output.1
    }
    kernel(&geometry, tiles.lowerBound, tiles.upperBound, from, y, &epilogue)
  }
}

import CDepthSIMD

extension WinogradConvolution {
  /// A group of tiles that pass all stages together, and their transformed inputs, positions ×
  /// tiles × input channels.
  @unsafe struct Block: Sendable {
    let tiles: Range<Int>
    nonisolated(unsafe) let transformed: UnsafeMutablePointer<Float>
    let strides: WinogradSchedule.Strides
  }

  /// The feature maps and kernels of one run. Workers read `x` and write disjoint parts of `y`.
  @unsafe struct Run: Sendable {
    typealias InputTransform =
      @convention(c) (
        UnsafePointer<ck_tiles>, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>
      ) -> Void
    typealias OutputTransform =
      @convention(c) (
        UnsafePointer<ck_tiles>, Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>,
        UnsafePointer<ck_epilogue>
      ) -> Void

    let weights: WinogradWeights
    nonisolated(unsafe) let x: UnsafePointer<Float>
    nonisolated(unsafe) let y: UnsafeMutablePointer<Float>
    nonisolated(unsafe) let epilogue: ck_epilogue
    // Two pointers replace the kernel table, which would be copied with this value.
    let inputTransform: InputTransform
    let outputTransform: OutputTransform
    /// The geometry of the maps. Each block sets the strides.
    let input, output: ck_tiles

    init(
      _ convolution: WinogradConvolution, _ input: FeatureMap, _ output: FeatureMap,
      x: UnsafePointer<Float>, y: UnsafeMutablePointer<Float>, epilogue: ck_epilogue
    ) {
      unsafe weights = convolution.weights
      unsafe (self.x, self.y, self.epilogue) = (x, y, epilogue)
      let kernels = unsafe weights.backend.kernels
      let isSmall = unsafe weights.tile == 2
      switch convolution.form {
      case .convolution:
        let (input, output) = unsafe (
          kernels.pointee.network.winograd_input, kernels.pointee.network.winograd_output
        )
        unsafe (inputTransform, outputTransform) =
          isSmall ? (input.0, output.0) : (input.1, output.1)
      case .upConvolution:
        let (input, output) = unsafe (
          kernels.pointee.network.up_convolution_input,
          kernels.pointee.network.up_convolution_output
        )
        unsafe (inputTransform, outputTransform) =
          isSmall ? (input.0, output.0) : (input.1, output.1)
      }
      let shape = input.shape
      let grid = convolution.tileGrid(of: shape)
      func geometry(_ pixelStride: Int) -> ck_tiles {
        ck_tiles(
          height: shape.height, width: shape.width, channels: 0, tile_rows: grid.rows,
          tile_columns: grid.columns, pixel_stride: pixelStride, position_stride: 0,
          tile_stride: 0, two_tap_offset: convolution.twoTapOffset,
          phase_stride: convolution.weights.outputChannels,
          repeats_border: convolution.border == .repeated)
      }
      unsafe self.input = geometry(input.pixelStride)
      unsafe self.output = geometry(output.pixelStride)
    }

    /// Transforms the inputs of some of a block's tiles.
    func transformInput(of block: Block, tiles: Range<Int>) {
      let channels = unsafe weights.inputChannels
      var geometry = unsafe input
      geometry.channels = channels
      geometry.tile_stride = unsafe block.strides.tile
      geometry.position_stride = unsafe block.strides.position
      let out =
        unsafe block.transformed + (tiles.lowerBound - block.tiles.lowerBound) * block.strides.tile
      unsafe inputTransform(&geometry, tiles.lowerBound, tiles.upperBound, x, out)
    }

    /// Multiplies some of a block's tiles by a group of panels at all positions, and transforms the
    /// products back.
    func multiplyAndTransform(
      _ block: Block, _ tiles: Range<Int>, panels: Range<Int>,
      products: UnsafeMutablePointer<Float>
    ) {
      let rows = tiles.count
      let strides = unsafe block.strides
      let first =
        unsafe block.transformed + (tiles.lowerBound - block.tiles.lowerBound) * strides.tile
      let productStrides = unsafe WinogradSchedule.Strides(
        tiles: rows, channels: panels.count * weights.panelWidth)
      var matrix = unsafe weights.matrix(panel: panels.lowerBound)
      for position in unsafe 0..<weights.positions {
        let a = unsafe first + position * strides.position
        for panel in panels {
          unsafe matrix.move(
            toOffset: weights.offset(ofPanel: panel, position: position),
            columns: weights.channels(ofPanel: panel).count)
          let isLast = panel == panels.upperBound - 1
          let hasNext = unsafe !isLast || position + 1 < weights.positions
          let next = isLast ? (panels.lowerBound, position + 1) : (panel + 1, position)
          unsafe matrix.multiply(
            GEMMOperands(
              rows: rows, a: a, aStride: strides.tile,
              c: products + position * productStrides.position
                + (panel - panels.lowerBound) * weights.panelWidth,
              cStride: productStrides.tile,
              nextMatrix: hasNext
                ? weights.start(ofPanel: next.0, position: next.1) : nil,
              nextRows: hasNext && isLast ? UnsafePointer(a + strides.position) : nil),
            panels: 0..<matrix.panels)
        }
      }
      let channels =
        unsafe weights.channels(ofPanel: panels.lowerBound)
        .lowerBound..<weights.channels(
          ofPanel: panels.upperBound - 1
        ).upperBound
      var (geometry, epilogue) = unsafe (output, epilogue)
      geometry.channels = channels.count
      geometry.tile_stride = productStrides.tile
      geometry.position_stride = productStrides.position
      unsafe epilogue.bias = epilogue.bias.map { unsafe $0 + channels.lowerBound }
      unsafe epilogue.lower_bound = epilogue.lower_bound.map { unsafe $0 + channels.lowerBound }
      unsafe epilogue.residual = epilogue.residual.map { unsafe $0 + channels.lowerBound }
      unsafe outputTransform(
        &geometry, tiles.lowerBound, tiles.upperBound, products,
        y + channels.lowerBound, &epilogue)
    }
  }
}

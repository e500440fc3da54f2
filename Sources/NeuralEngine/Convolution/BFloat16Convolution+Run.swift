import CDepthSIMD
import DepthBase

extension BFloat16Convolution {
  /// Pixels that tasks of a pointwise convolution divide: two blocks of tiles.
  private static let pixelUnit = 32

  /// Computes one result.
  ///
  /// - Parameters:
  ///   - input: The map to read, `n × h × w × inputChannels`.
  ///   - residual: A map of the output's shape that is added before the activation.
  ///   - output: The map to write; it may be `residual` itself.
  ///   - scratch: Offset of at least ``scratchCount(for:)`` floats that nothing else uses.
  func run(
    _ input: FeatureMap, residual: FeatureMap?, output: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    let rounded = roundedMap(of: input.shape)
    rounded.round(input, into: scratch, by: instructionSet, in: workspace, on: team)
    let shape = output.shape
    // Tasks of a pointwise convolution have units of its one line instead of lines.
    let isPointwise = isPointwise
    let width = isPointwise ? shape.rows : shape.width
    let tasks = KernelTask.tasks(
      of: [(kernel.bytes, kernel.panels)], images: isPointwise ? 1 : shape.count,
      lines: isPointwise ? (width + Self.pixelUnit - 1) / Self.pixelUnit : shape.height,
      wanted: 16)
    // The runs of values that an output reads, as distances in bytes from its own place: a row of taps where pixels have no gaps, else
    // single taps.
    let offsets = kernel.place.offsets(
      lineStride: rounded.lineStride, pixelStride: rounded.pixelStride, byRows: rounded.isDense)
    let runTaps = rounded.isDense ? kernel.place.width : 1
    let pairs = (runTaps * geometry.inputChannels + 1) / 2
    let stride = isPointwise ? 1 : geometry.stride
    let outputChannels = geometry.outputChannels
    nonisolated(unsafe) let x =
      unsafe UnsafePointer(workspace.base + scratch).withMemoryRebound(to: UInt8.self, capacity: 1)
    {
      unsafe $0 + rounded.start
    }
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    nonisolated(unsafe) let epilogue = unsafe bounds.epilogue(residual: residual, in: workspace)
    team.forEach(tasks.count) { _, index in
      let task = tasks[index]
      let column = task.panels.lowerBound * kernel.panelWidth
      let lines = isPointwise ? 0..<1 : task.lines
      let pixels =
        isPointwise
        ? task.lines.lowerBound
          * Self.pixelUnit..<min(task.lines.upperBound * Self.pixelUnit, width)
        : 0..<width
      let (line, pixel) = (lines.lowerBound, pixels.lowerBound)
      let first = (task.image * shape.height + line) * shape.width + pixel
      var part = unsafe epilogue
      unsafe part.bias = part.bias.map { unsafe $0 + column }
      unsafe part.lower_bound = part.lower_bound.map { unsafe $0 + column }
      unsafe part.residual = part.residual.map { unsafe $0 + first * part.residual_stride + column }
      unsafe offsets.withUnsafeBufferPointer { offsets in
        var arguments = unsafe ck_bfloat16_convolution(
          lines: lines.count, pixels: pixels.count,
          columns: min(task.panels.upperBound * kernel.panelWidth, outputChannels) - column,
          segments: offsets.count, pairs: pairs,
          x: x + task.image * rounded.imageStride + line * stride * rounded.lineStride
            + pixel * rounded.pixelStride,
          x_pixel_stride: stride * rounded.pixelStride, x_line_stride: stride * rounded.lineStride,
          offsets: offsets.baseAddress!,
          weights: (UnsafeRawPointer(kernel.weights.base)
            + task.panels.lowerBound * kernel.panelBytes).assumingMemoryBound(to: UInt16.self),
          y: y + first * output.pixelStride + column, y_pixel_stride: output.pixelStride,
          y_line_stride: shape.width * output.pixelStride, epilogue: part,
          residual_line_stride: shape.width * part.residual_stride)
        unsafe instructionSet.kernels.pointee.convolution(&arguments)
      }
    }
  }
}

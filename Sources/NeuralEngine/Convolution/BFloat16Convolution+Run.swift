import CDepthSIMD
import SIMDKernels
import ThreadTeams

extension BFloat16Convolution {
  /// Weights up to this many bytes stay in the second-level cache while a task goes through its lines.
  private static let privateWeights = 256 << 10
  /// Minimum number of tasks, so that threads of unequal speed finish together.
  private static let wantedTasks = 16
  /// Pixels of a line that tasks divide: two blocks of tiles.
  private static let pixelUnit = 32

  /// A part of one kernel's outputs.
  private struct Task: Sendable {
    var kernel, image: Int
    var lines, pixels, panels: Range<Int>
  }

  /// - Parameter extent: Images, and lines and pixels of output of each kernel in an image.
  private func tasks(_ extent: (images: Int, lines: Int, pixels: Int)) -> [Task] {
    kernels.indices.flatMap { index -> [Task] in
      let kernel = kernels[index]
      // Neighbouring panels stay together: the kernel fetches the next one while it works on a panel.
      let share = kernels.count * extent.images
      let panelBlocks =
        kernel.bytes > Self.privateWeights
        ? min(kernel.panels, max((Self.wantedTasks + share - 1) / share, 1)) : 1
      let wanted = max(Self.wantedTasks / (panelBlocks * share), 1)
      let units = (extent.pixels + Self.pixelUnit - 1) / Self.pixelUnit
      let lineBlocks = isPointwise ? 1 : min(wanted, extent.lines)
      let pixelBlocks = isPointwise ? min(wanted, units) : 1
      return (0..<extent.images * panelBlocks * lineBlocks * pixelBlocks).map { number in
        let (rest, panel) = number.quotientAndRemainder(dividingBy: panelBlocks)
        let (image, place) = rest.quotientAndRemainder(dividingBy: lineBlocks * pixelBlocks)
        let (line, pixel) = place.quotientAndRemainder(dividingBy: pixelBlocks)
        let end = min((pixel + 1) * units / pixelBlocks * Self.pixelUnit, extent.pixels)
        return Task(
          kernel: index, image: image,
          lines: line * extent.lines / lineBlocks..<(line + 1) * extent.lines / lineBlocks,
          pixels: pixel * units / pixelBlocks * Self.pixelUnit..<end,
          panels: panel * kernel.panels / panelBlocks..<(panel + 1) * kernel.panels / panelBlocks)
      }
    }
  }

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
    let upScale = isUpConvolution ? 2 : 1
    let shape = output.shape
    let tasks = self.tasks(
      isPointwise
        ? (1, 1, shape.rows) : (shape.count, shape.height / upScale, shape.width / upScale))
    let runs = kernels.map { self.runs(of: $0.place, in: rounded) }
    let stride = isPointwise ? 1 : geometry?.stride ?? 1
    nonisolated(unsafe) let x =
      unsafe UnsafePointer(workspace.base + scratch).withMemoryRebound(to: UInt8.self, capacity: 1)
    {
      unsafe $0 + rounded.start
    }
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    nonisolated(unsafe) let epilogue = unsafe bounds.epilogue(residual: residual, in: workspace)
    team.forEach(tasks.count) { _, index in
      let task = tasks[index]
      let (kernel, run) = (kernels[task.kernel], runs[task.kernel])
      let column = task.panels.lowerBound * kernel.panelWidth
      let (line, pixel) = (task.lines.lowerBound, task.pixels.lowerBound)
      let row = task.image * shape.height + line * upScale + kernel.place.firstRow
      let first = row * shape.width + pixel * upScale + kernel.place.firstColumn
      var part = unsafe epilogue
      unsafe part.bias = part.bias.map { unsafe $0 + task.kernel * outputChannels + column }
      unsafe part.lower_bound = part.lower_bound.map { unsafe $0 + column }
      unsafe part.residual = part.residual.map { unsafe $0 + first * part.residual_stride + column }
      unsafe run.offsets.withUnsafeBufferPointer { offsets in
        var arguments = unsafe ck_bfloat16_convolution(
          lines: task.lines.count, pixels: task.pixels.count,
          columns: min(task.panels.upperBound * kernel.panelWidth, outputChannels) - column,
          segments: offsets.count, pairs: run.pairs,
          x: x + task.image * rounded.imageStride + line * stride * rounded.lineStride
            + pixel * rounded.pixelStride,
          x_pixel_stride: stride * rounded.pixelStride, x_line_stride: stride * rounded.lineStride,
          offsets: offsets.baseAddress!,
          weights: (UnsafeRawPointer(kernel.weights.base)
            + task.panels.lowerBound * kernel.panelBytes).assumingMemoryBound(to: UInt16.self),
          y: y + first * output.pixelStride + column, y_pixel_stride: upScale * output.pixelStride,
          y_line_stride: upScale * shape.width * output.pixelStride, epilogue: part,
          residual_line_stride: shape.width * part.residual_stride)
        unsafe instructionSet.kernels.pointee.convolution(&arguments)
      }
    }
  }

  /// The runs of values that an output reads, as distances in bytes from its own place: a row of taps where pixels have no gaps,
  /// else single taps.
  private func runs(
    of place: BFloat16Kernel.Place, in map: RoundedMap
  ) -> (offsets: [Int], pairs: Int) {
    let offsets = (0..<place.height).flatMap { row in
      (0..<(map.isDense ? 1 : place.width)).map { column in
        (row - place.top) * map.lineStride + (column - place.left) * map.pixelStride
      }
    }
    return (offsets, ((map.isDense ? place.width : 1) * inputChannels + 1) / 2)
  }
}

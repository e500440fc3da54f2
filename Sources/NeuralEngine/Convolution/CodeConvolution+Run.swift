import CDepthSIMD
import SIMDKernels
package import ThreadTeams

extension CodeConvolution {
  /// Where a result goes.
  package enum Destination: Sendable {
    case codes(CodeMap)
    case floats(FeatureMap)

    var shape: Tensor.Shape {
      switch self {
      case .codes(let map): map.shape
      case .floats(let map): map.shape
      }
    }
  }

  /// Weights up to this many bytes stay in the second-level cache while a task goes through its lines.
  private static let privateWeights = 256 << 10
  /// Minimum number of tasks, so that threads of unequal speed finish together.
  private static let wantedTasks = 16

  /// A part of one kernel's outputs.
  private struct Task: Sendable {
    var kernel, image: Int
    var lines, panels: Range<Int>
  }

  /// - Parameter lines: Lines of output of each kernel.
  private func tasks(images: Int, lines: Int) -> [Task] {
    kernels.indices.flatMap { index -> [Task] in
      let kernel = kernels[index]
      // Neighbouring panels stay together: the kernel fetches the next one while it works on a panel.
      let share = kernels.count * images
      let panelBlocks =
        kernel.bytes > Self.privateWeights
        ? min(kernel.panels, max((Self.wantedTasks + share - 1) / share, 1)) : 1
      let wanted = Self.wantedTasks / (panelBlocks * share)
      let lineBlocks = min(max(wanted, 1), lines)
      return (0..<images).flatMap { image in
        (0..<panelBlocks).flatMap { panel in
          (0..<lineBlocks).map { line in
            Task(
              kernel: index, image: image,
              lines: line * lines / lineBlocks..<(line + 1) * lines / lineBlocks,
              panels: panel * kernel.panels / panelBlocks..<(panel + 1) * kernel.panels
                / panelBlocks)
          }
        }
      }
    }
  }

  /// Computes one result.
  ///
  /// - Parameters:
  ///   - input: The codes to read, `n × h × w × inputChannels`, their border filled with the zero point and as
  ///     wide as the padding.
  ///   - residual: Codes of the output's shape that are added before the activation.
  ///   - output: The map to write, border included; it may be `residual` itself.
  /// - Precondition: The shapes fit together, and the kind of map to what the convolution was made for.
  package func run(
    _ input: CodeMap, adding residual: CodeMap? = nil, into output: Destination,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    precondition(
      input.border >= geometry?.largestPadding ?? 1,
      "a border of \(input.border) for \(geometry.map(\.description) ?? "an up-convolution")")
    precondition(
      residual.map { $0.shape == output.shape } ?? true, "the residual has another shape")
    if case .codes(let map) = output, let codes = self.output {
      workspace.fillBorder(of: map, with: codes.map(\.zeroPoint))
    }
    let upScale = isUpConvolution ? 2 : 1
    let (lines, pixels) = (output.shape.height / upScale, output.shape.width / upScale)
    let tasks = self.tasks(images: output.shape.count, lines: lines)
    let runs = kernels.map { self.runs(of: $0, in: input) }
    nonisolated(unsafe) let base = unsafe UnsafeMutableRawPointer(workspace.base)
    team.forEach(tasks.count) { _, index in
      let task = tasks[index]
      let (kernel, run) = (kernels[task.kernel], runs[task.kernel])
      let stride = geometry?.stride ?? 1
      let x =
        unsafe UnsafeRawPointer(base) + input.start + task.image * input.imageStride
        + task.lines.lowerBound * stride * input.lineStride
      let width = kernel.panelBytes / (run.count * run.quads * 4)
      let column = task.panels.lowerBound * width
      let row = task.lines.lowerBound * upScale + kernel.firstRow
      let (y, pixelStride, lineStride, isFloats): (UnsafeMutableRawPointer, Int, Int, Bool)
      switch output {
      case .codes(let map):
        unsafe y =
          base + map.start + task.image * map.imageStride + row * map.lineStride
          + kernel.firstColumn * map.pixelStride + column
        (pixelStride, lineStride, isFloats) = (map.pixelStride, map.lineStride, false)
      case .floats(let map):
        let pixel = (task.image * map.shape.height + row) * map.shape.width + kernel.firstColumn
        unsafe y = base + 4 * (map.offset + pixel * map.pixelStride + column)
        (pixelStride, lineStride, isFloats) = (
          map.pixelStride, map.shape.width * map.pixelStride, true
        )
      }
      unsafe run.offsets.withUnsafeBufferPointer { offsets in
        var epilogue = unsafe ck_code_epilogue(
          multiplier: UnsafePointer(kernel.multiplier.base + column),
          offset: UnsafePointer(kernel.offset.base + column),
          lower_bound: UnsafePointer(lowerBound.base + column), residual: nil,
          residual_pixel_stride: 0, residual_line_stride: 0, residual_step: residualStep)
        if let residual {
          let start =
            residual.start + task.image * residual.imageStride
            + task.lines.lowerBound * residual.lineStride + column
          unsafe epilogue.residual = (UnsafeRawPointer(base) + start)
            .assumingMemoryBound(to: UInt8.self)
          unsafe epilogue.residual_pixel_stride = residual.pixelStride
          unsafe epilogue.residual_line_stride = residual.lineStride
        }
        var arguments = unsafe ck_code_convolution(
          lines: task.lines.count, pixels: pixels,
          columns: min(task.panels.upperBound * width, outputChannels) - column,
          segments: run.count, quads: run.quads, x: x.assumingMemoryBound(to: UInt8.self),
          x_pixel_stride: stride * input.pixelStride, x_line_stride: stride * input.lineStride,
          offsets: offsets.baseAddress!,
          weights: (UnsafeRawPointer(kernel.weights.base)
            + task.panels.lowerBound * kernel.panelBytes).assumingMemoryBound(to: Int8.self),
          initial: UnsafeRawPointer(kernel.initial.base + column)
            .assumingMemoryBound(to: Int32.self),
          y: y, y_pixel_stride: upScale * pixelStride, y_line_stride: upScale * lineStride,
          writes_floats: isFloats, epilogue: epilogue)
        unsafe instructionSet.kernels.pointee.convolution(&arguments)
      }
    }
  }

  /// The runs of codes that an output reads, as distances from its own place: a row of taps where pixels lie without
  /// gaps, else single taps.
  private func runs(
    of kernel: CodeKernel, in input: CodeMap
  ) -> (offsets: [Int], count: Int, quads: Int) {
    let quads = (inputChannels + 3) / 4
    let isDense = input.pixelStride == 4 * quads
    let offsets = (0..<kernel.height).flatMap { row in
      (0..<(isDense ? 1 : kernel.width)).map { column in
        (row - kernel.top) * input.lineStride + (column - kernel.left) * input.pixelStride
      }
    }
    return (offsets, offsets.count, isDense ? kernel.width * quads : quads)
  }
}

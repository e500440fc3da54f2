import CDepthSIMD
import DepthBase

extension QuantizedConvolution: PreparedOperation {
  var addsSecond: Bool { true }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (
      geometry?.description ?? "up \(inputChannels)→\(outputChannels)",
      usesWinograd(for: input) ? "int8, winograd 4" : "int8"
    )
  }

  /// Computes one result with its border, from quantized values whose border is as wide as the padding. The second map is
  /// added before the activation, and the result may overwrite that map.
  func run(_ run: LayerRun) {
    self.run(
      run.inputMap.asQuantized, adding: run.secondMap?.asQuantized, into: run.outputMap,
      scratch: run.scratch, in: run.workspace, on: run.team)
  }

  /// Computes ``run(_:)`` with explicit maps.
  ///
  /// - Parameter measured: Factors that replace stored scales; see ``MeasuredConvolution``.
  func run(
    _ input: QuantizedMap, adding residual: QuantizedMap? = nil, measured: Measured? = nil,
    into output: PlannedMap, scratch: Int, in workspace: Workspace, on team: ThreadTeam
  ) {
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    precondition(
      input.border >= geometry?.largestPadding ?? 1,
      "a border of \(input.border) for \(geometry.map(\.description) ?? "an up-convolution")")
    precondition(
      residual.map { $0.shape == output.shape } ?? true, "the residual has another shape")
    if case .quantized(let map) = output, let quantization = self.output {
      workspace.fillBorder(of: map, with: quantization.map(\.zeroPoint))
    }
    if usesWinograd(for: input.shape) {
      return withCalls(input, residual: residual, measured: measured, output, in: workspace) {
        runWinograd($0, input.shape, scratch: scratch, in: workspace, on: team)
      }
    }
    let lines = output.shape.height / (isUpConvolution ? 2 : 1)
    // An up-convolution takes longer than other layers, and its kernels have different sizes.
    let tasks = KernelTask.tasks(
      of: kernels.map { ($0.bytes, $0.panels) }, images: output.shape.count, lines: lines,
      wanted: isUpConvolution ? 32 : 16)
    let perform = unsafe instructionSet.kernels.pointee.convolution
    withCalls(input, residual: residual, measured: measured, output, in: workspace) { calls in
      nonisolated(unsafe) let calls = calls
      team.forEach(tasks.count) { _, index in
        var arguments = unsafe calls[tasks[index].kernel].arguments(for: tasks[index])
        unsafe perform(&arguments)
      }
    }
  }

  /// The factors of a map with a measured scale, one per output channel, and an optional float residual.
  @safe struct Measured {
    let multiplier: UnsafePointer<Float>
    let added: FeatureMap?
  }

  /// Calls `body` with the C call of each kernel.
  func withCalls(
    _ input: QuantizedMap, residual: QuantizedMap?, measured: Measured? = nil,
    _ output: PlannedMap, in workspace: Workspace,
    _ body: (_ calls: [Call]) -> Void
  ) {
    let pixels = output.shape.width / (isUpConvolution ? 2 : 1)
    let runs = kernels.map { self.runs(of: $0, in: input) }
    let offsets = runs.flatMap(\.offsets)
    nonisolated(unsafe) let base = unsafe UnsafeMutableRawPointer(workspace.base)
    unsafe offsets.withUnsafeBufferPointer { offsets in
      guard let first = offsets.baseAddress else { return }
      // These are plain values: workers that copied kernels would contend for the reference counts of the kernels' storage.
      var calls: [Call] = []
      var before = 0
      for (kernel, run) in zip(kernels, runs) {
        unsafe calls.append(
          call(
            of: kernel, input, residual: residual, output, pixels: pixels,
            runs: (first + before, run.count, run.quads), base: base))
        if let measured { calls[calls.count - 1].measure(measured, in: workspace) }
        before += run.count
      }
      body(calls)
    }
    withExtendedLifetime(self) {}
  }

  /// One kernel's convolution for all images, and the strides that select a part of the convolution.
  @safe struct Call {
    var whole: ck_int8_convolution
    var imageBytes, panelBytes, panelWidth: Int
    /// Elements from image to image of the result, and bytes per element.
    var resultImage, elementBytes: Int
    var residualImageBytes: Int

    /// Sets measured factors for the single image of a convolution.
    fileprivate mutating func measure(_ measured: Measured, in workspace: Workspace) {
      unsafe whole.epilogue.multiplier = measured.multiplier
      guard let added = measured.added else { return }
      unsafe whole.epilogue.added = UnsafePointer(workspace.base + added.offset)
      unsafe whole.epilogue.added_pixel_stride = added.pixelStride
      unsafe whole.epilogue.added_line_stride = added.shape.width * added.pixelStride
    }

    /// The convolution of some lines and panels of one image.
    func arguments(for task: KernelTask) -> ck_int8_convolution {
      var part = unsafe whole
      let (line, column) = (task.lines.lowerBound, task.panels.lowerBound * panelWidth)
      unsafe part.lines = task.lines.count
      unsafe part.columns = min(task.panels.upperBound * panelWidth, part.columns) - column
      unsafe part.x += task.image * imageBytes + line * part.x_line_stride
      unsafe part.weights += task.panels.lowerBound * panelBytes
      unsafe part.initial += column
      unsafe part.y +=
        elementBytes * (task.image * resultImage + line * part.y_line_stride + column)
      unsafe part.epilogue.multiplier += column
      unsafe part.epilogue.offset += column
      unsafe part.epilogue.lower_bound += column
      if let residual = unsafe part.epilogue.residual {
        unsafe part.epilogue.residual =
          residual + task.image * residualImageBytes + line * part.epilogue.residual_line_stride
          + column
      }
      if let added = unsafe part.epilogue.added {
        unsafe part.epilogue.added = added + line * part.epilogue.added_line_stride + column
      }
      return unsafe part
    }
  }

  /// - Parameter runs: See ``runs(of:in:)``.
  private func call(
    of kernel: QuantizedKernel, _ input: QuantizedMap, residual: QuantizedMap?,
    _ output: PlannedMap,
    pixels: Int, runs: (offsets: UnsafePointer<Int>, count: Int, quads: Int),
    base: UnsafeMutableRawPointer
  ) -> Call {
    let (stride, upScale, place) = (geometry?.stride ?? 1, isUpConvolution ? 2 : 1, kernel.place)
    let (y, pixelStride, lineStride, image, isFloats): (Int, Int, Int, Int, Bool)
    switch output {
    case .quantized(let map):
      y = map.start + place.firstRow * map.lineStride + place.firstColumn * map.pixelStride
      (pixelStride, lineStride, isFloats) = (map.pixelStride, map.lineStride, false)
      image = map.imageStride
    case .floats(let map):
      let pixel = place.firstRow * map.shape.width + place.firstColumn
      y = 4 * (map.offset + pixel * map.pixelStride)
      (pixelStride, lineStride, isFloats) = (
        map.pixelStride, map.shape.width * map.pixelStride, true
      )
      image = map.shape.area * map.pixelStride
    }
    let added = unsafe residual.map {
      unsafe UnsafeRawPointer(base + $0.start).assumingMemoryBound(to: UInt8.self)
    }
    let whole = unsafe ck_int8_convolution(
      lines: 0, pixels: pixels, columns: outputChannels, segments: runs.count, quads: runs.quads,
      x: UnsafeRawPointer(base + input.start).assumingMemoryBound(to: UInt8.self),
      x_pixel_stride: stride * input.pixelStride, x_line_stride: stride * input.lineStride,
      offsets: runs.offsets,
      weights: UnsafeRawPointer(kernel.weights.base).assumingMemoryBound(to: Int8.self),
      initial: UnsafeRawPointer(kernel.requantization.initial.base).assumingMemoryBound(
        to: Int32.self),
      y: base + y, y_pixel_stride: upScale * pixelStride, y_line_stride: upScale * lineStride,
      writes_floats: isFloats,
      epilogue: .init(
        multiplier: UnsafePointer(kernel.requantization.multiplier.base),
        offset: UnsafePointer(kernel.requantization.offset.base),
        lower_bound: UnsafePointer(lowerBound.base),
        residual: added, residual_pixel_stride: residual?.pixelStride ?? 0,
        residual_line_stride: residual?.lineStride ?? 0, residual_scale: residualScale, added: nil,
        added_pixel_stride: 0, added_line_stride: 0,
        upper_bound: upperBound, quantization_factor: floatQuantization.map { 1 / $0.scale } ?? 0,
        quantization_offset: floatQuantization.map { Float($0.zeroPoint) } ?? 0,
        lower_is_zero: lowerIsZero),
      tokens: ck_token_epilogue())
    return unsafe Call(
      whole: whole, imageBytes: input.imageStride, panelBytes: kernel.panelBytes,
      panelWidth: kernel.panelBytes / (runs.count * runs.quads * 4), resultImage: image,
      elementBytes: isFloats ? 4 : 1, residualImageBytes: residual?.imageStride ?? 0)
  }

  /// The runs of quantized values that an output reads, as distances from the output's own position. A run is a row of taps
  /// if pixels have no gaps, and otherwise a single tap.
  private func runs(
    of kernel: QuantizedKernel, in input: QuantizedMap
  ) -> (offsets: [Int], count: Int, quads: Int) {
    precondition(
      !kernel.readsRows || input.pixelStride == inputChannels,
      "pixels \(input.pixelStride) bytes apart for rows of \(inputChannels) channels")
    let quads = (inputChannels + 3) / 4
    let isDense = kernel.readsRows || input.pixelStride == 4 * quads
    let offsets = kernel.place.offsets(
      lineStride: input.lineStride, pixelStride: input.pixelStride, byRows: isDense)
    let width = kernel.place.width
    let rowQuads = kernel.readsRows ? (width * inputChannels + 3) / 4 : width * quads
    return (offsets, offsets.count, isDense ? rowQuads : quads)
  }
}

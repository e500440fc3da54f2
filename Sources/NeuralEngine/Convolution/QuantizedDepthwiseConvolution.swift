import CDepthSIMD
import DepthBase

/// A depthwise convolution of 3×3 or 5×5 taps on quantized maps, with exact sums; see ``QuantizedConvolution``.
struct QuantizedDepthwiseConvolution: PreparedOperation {
  let geometry: DepthwiseGeometry
  let instructionSet: Int8InstructionSet
  /// Rows × parts × ``weightStride`` × 4 weights, in the kernel's reading order.
  private let weights: AlignedBuffer
  /// Dwords from part to part.
  private let weightStride: Int
  private let requantization: Requantization
  private let lowerBound: AlignedBuffer
  private let upperBound: Float
  /// `nil` for a float result.
  private let output: MapQuantization?

  /// Returns whether a quantized kernel exists for the layer's size and stride.
  static func canCompute(_ geometry: DepthwiseGeometry) -> Bool {
    [3, 5].contains(geometry.kernelSize) && [1, 2].contains(geometry.stride)
  }

  /// - Parameters:
  ///   - kernels: Reads the kernels of some channels, k × k weights each.
  ///   - bias: One value per channel.
  ///   - activation: Any but ``Activation/exp``.
  ///   - maps: The maps' quantization, without a residual.
  ///   - packing: Packs the kernels, and throws the errors of `kernels`.
  /// - Precondition: ``canCompute(_:)``.
  init(
    _ geometry: DepthwiseGeometry, kernels: @escaping QuantizedRows, bias: [Float],
    activation: Activation, maps: MapQuantizations, instructionSet: Int8InstructionSet,
    packing: inout DeferredPacking
  ) {
    precondition(
      Self.canCompute(geometry), "a depthwise convolution \(geometry) on a quantized map")
    precondition(activation != .exp, "a quantized convolution has no exponential function")
    (self.geometry, self.instructionSet, output) = (geometry, instructionSet, maps.output?.first)
    let channels = geometry.channels
    upperBound = QuantizedConvolution.upperBound(maps.output?.first, activation)
    lowerBound = QuantizedConvolution.lowerBound(
      maps.output, channels: channels,
      reluChannels: 0..<(activation.isNonnegative ? channels : 0))
    weightStride = Workspace.aligned(channels)
    let requantization = Requantization(channels: weightStride)
    let weights = packing.buffer(
      count: geometry.kernelSize * Self.parts(of: geometry) * weightStride)
    (self.requantization, self.weights) = (requantization, weights)
    let stride = weightStride
    packing.add(1) { _ in
      let (read, scales) = try kernels(0..<channels)
      let taps = geometry.taps
      for channel in 0..<channels {
        requantization.set(
          channel, sum: read[channel * taps..<(channel + 1) * taps].reduce(0) { $0 + Int($1) },
          scale: scales[channel], bias: bias[channel], input: maps.input,
          output: maps.output?[channel],
          residual: nil)
      }
      Self.pack(read, geometry, stride: stride, into: weights)
    }
  }

  /// Dwords of a row of the kernel.
  private static func parts(of geometry: DepthwiseGeometry) -> Int {
    geometry.kernelSize == 5 ? 2 : 1
  }

  /// Packs the last four columns of each kernel row as four bytes; 3×3 kernels have a 0 before their columns. For
  /// 5×5, the first column follows, where the kernel finds it among the columns of the previous output.
  private static func pack(
    _ values: [Int8], _ geometry: DepthwiseGeometry, stride: Int, into buffer: AlignedBuffer
  ) {
    let (size, taps, parts) = (geometry.kernelSize, geometry.taps, parts(of: geometry))
    let packed = unsafe UnsafeMutableRawPointer(buffer.base)
      .bindMemory(to: Int8.self, capacity: 4 * buffer.count)
    unsafe packed.update(repeating: 0, count: 4 * buffer.count)
    for channel in 0..<geometry.channels {
      for row in 0..<size {
        for column in 0..<size {
          let isFirst = column == size - 5
          let byte = isFirst ? geometry.stride - 1 : column + 4 - size
          let part = row * parts + (isFirst ? 1 : 0)
          unsafe packed[4 * (part * stride + channel) + byte] =
            values[channel * taps + row * size + column]
        }
      }
    }
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (geometry.description, "int8")
  }

  var weightBytes: Int { weights.count * 4 }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { geometry.outputShape(for: input) }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    geometry.multiplyAdds(for: outputShape(for: input))
  }

  /// Minimum number of tasks, so that threads of unequal speed finish together.
  private static let wantedTasks = 16

  /// Computes one result with its border, from quantized values whose border is as wide as the padding.
  func run(_ run: LayerRun) {
    let (input, output, workspace) = (run.inputMap.asQuantized, run.outputMap, run.workspace)
    let result = output.shape
    precondition(
      result == outputShape(for: input.shape),
      "y is \(result), expected \(outputShape(for: input.shape))")
    precondition(input.border >= geometry.padding, "a border of \(input.border) for \(geometry)")
    if case .quantized(let map) = output, let output = self.output {
      workspace.fillBorder(
        of: map, with: [UInt8](repeating: output.zeroPoint, count: geometry.channels))
    }
    let offsets = (0..<geometry.kernelSize).map {
      ($0 - geometry.padding) * input.lineStride - geometry.padding * input.pixelStride
    }
    let blocks = min(Self.wantedTasks, result.height)
    unsafe offsets.withUnsafeBufferPointer { offsets in
      guard let first = offsets.baseAddress else { return }
      nonisolated(unsafe) let whole = unsafe call(input, output, offsets: first, in: workspace)
      // Elements from image to image.
      let imageElements =
        switch output {
        case .quantized(let map): map.imageStride
        case .floats(let map): map.shape.area * map.pixelStride
        }
      let perform = unsafe instructionSet.kernels.pointee.depthwise
      run.team.forEach(result.count * blocks) { _, index in
        let (image, block) = index.quotientAndRemainder(dividingBy: blocks)
        let lines = block * result.height / blocks..<(block + 1) * result.height / blocks
        var part = unsafe whole
        unsafe part.call.lines = lines.count
        unsafe part.call.x +=
          image * input.imageStride + lines.lowerBound * part.call.x_line_stride
        let element = unsafe image * imageElements + lines.lowerBound * part.call.y_line_stride
        unsafe part.call.y += part.call.writes_floats ? 4 * element : element
        unsafe perform(&part)
      }
    }
    withExtendedLifetime(self) {}
  }

  /// The convolution of all lines of the first image.
  private func call(
    _ input: QuantizedMap, _ output: PlannedMap, offsets: UnsafePointer<Int>,
    in workspace: Workspace
  ) -> ck_int8_depthwise {
    let base = unsafe UnsafeMutableRawPointer(workspace.base)
    let (start, pixelStride, lineStride, isFloats): (Int, Int, Int, Bool) =
      switch output {
      case .quantized(let map): (map.start, map.pixelStride, map.lineStride, false)
      case .floats(let map):
        (4 * map.offset, map.pixelStride, map.shape.width * map.pixelStride, true)
      }
    let convolution = unsafe ck_int8_convolution(
      lines: output.shape.height, pixels: output.shape.width, columns: geometry.channels,
      segments: geometry.kernelSize, quads: 0,
      x: UnsafeRawPointer(base + input.start).assumingMemoryBound(to: UInt8.self),
      x_pixel_stride: input.pixelStride, x_line_stride: geometry.stride * input.lineStride,
      offsets: offsets,
      weights: UnsafeRawPointer(weights.base).assumingMemoryBound(to: Int8.self),
      initial: UnsafeRawPointer(requantization.initial.base).assumingMemoryBound(to: Int32.self),
      y: base + start, y_pixel_stride: pixelStride, y_line_stride: lineStride,
      writes_floats: isFloats,
      epilogue: .init(
        multiplier: UnsafePointer(requantization.multiplier.base),
        offset: UnsafePointer(requantization.offset.base),
        lower_bound: UnsafePointer(lowerBound.base),
        residual: nil, residual_pixel_stride: 0, residual_line_stride: 0, residual_scale: 0,
        added: nil, added_pixel_stride: 0, added_line_stride: 0,
        upper_bound: upperBound, quantization_factor: 0, quantization_offset: 0,
        lower_is_zero: false),
      tokens: ck_token_epilogue())
    return unsafe ck_int8_depthwise(
      call: convolution, stride: geometry.stride, weight_stride: weightStride)
  }
}

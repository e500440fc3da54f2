import CDepthSIMD
import DepthBase

extension QuantizedConvolution {
  /// Computes one float result in strips of lines. Each strip is used while in the cache, and then overwritten.
  ///
  /// - Parameters:
  ///   - residual: Quantized values to add, with the result's shape.
  ///   - strips: One map per thread, as wide as the result and as high as a strip.
  ///   - scratch: Offset of at least ``scratchCount(for:strips:)`` otherwise unused floats.
  ///   - use: Receives a strip with its image and lines. The strip may be lower than the map.
  /// - Precondition: The convolution is not an up-convolution and writes floats.
  func runInStrips(
    _ input: QuantizedMap, adding residual: QuantizedMap?, strips: FeatureMap, scratch: Int,
    in workspace: Workspace, on team: ThreadTeam,
    use: @Sendable (_ strip: FeatureMap, _ image: Int, _ lines: Range<Int>) -> Void
  ) {
    let shape = outputShape(for: input.shape)
    precondition(
      !isUpConvolution && strips.shape.width == shape.width
        && strips.shape.channels == shape.channels && strips.shape.count >= team.threads,
      "strips of \(strips.shape) for \(shape) and \(team.threads) threads")
    let height = strips.shape.height
    let stripsPerImage = (shape.height + height - 1) / height
    let panels = 0..<kernels[0].panels
    let perform = unsafe instructionSet.kernels.pointee.convolution
    let scratchPerStrip = scratchCount(for: strip(of: input.shape, height: height), threads: 1)
    nonisolated(unsafe) let base = unsafe workspace.base
    withCalls(input, residual: residual, .floats(strips.image(0)), in: workspace) { calls in
      nonisolated(unsafe) let call = calls[0]
      team.forEach(shape.count * stripsPerImage) { worker, index in
        let (image, number) = index.quotientAndRemainder(dividingBy: stripsPerImage)
        let lines = number * height..<min((number + 1) * height, shape.height)
        var strip = strips.image(worker)
        strip.shape.height = lines.count
        if scratchPerStrip > 0 {
          unsafe runWinograd(
            call, input.shape, image: image, lines: lines, into: strip,
            scratch: scratch + worker * scratchPerStrip, in: workspace)
        } else {
          var arguments = unsafe call.arguments(
            for: KernelTask(kernel: 0, image: image, lines: lines, panels: panels))
          unsafe arguments.y = UnsafeMutableRawPointer(base + strip.offset)
          unsafe perform(&arguments)
        }
        use(strip, image, lines)
      }
    }
  }

  /// Floats of scratch for a run in strips, one map per thread.
  func scratchCount(for input: Tensor.Shape, strips: Tensor.Shape) -> Int {
    strips.count * scratchCount(for: strip(of: input, height: strips.height), threads: 1)
  }

  /// The shape of the input of a strip.
  private func strip(of input: Tensor.Shape, height: Int) -> Tensor.Shape {
    Tensor.Shape(height: height, width: input.width, channels: input.channels)
  }
}

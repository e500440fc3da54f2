import CDepthSIMD
package import DepthBase

/// Quantizes a map of floats: quantized = round(x / scale + zeroPoint), ties to even, in 0 … 255.
package struct Quantization: Sendable {
  let quantization: MapQuantization
  let instructionSet: Int8InstructionSet

  package init(_ quantization: MapQuantization, instructionSet: Int8InstructionSet) {
    (self.quantization, self.instructionSet) = (quantization, instructionSet)
  }

  /// Computes one result, border included.
  ///
  /// - Precondition: Both maps have one shape.
  package func run(
    _ input: FeatureMap, into output: QuantizedMap, in workspace: Workspace, on team: ThreadTeam
  ) {
    let shape = input.shape
    precondition(output.shape == shape, "y is \(output.shape), expected \(shape)")
    workspace.fillBorder(
      of: output, with: [UInt8](repeating: quantization.zeroPoint, count: shape.channels))
    nonisolated(unsafe) let base = unsafe workspace.base
    let reciprocal = 1 / quantization.scale
    team.forEach(shape.count * shape.height) { _, line in
      let (image, row) = line.quotientAndRemainder(dividingBy: shape.height)
      var x = unsafe UnsafePointer(base + input.offset + line * shape.width * input.pixelStride)
      var y = unsafe UnsafeMutableRawPointer(base)
        .advanced(by: output.start + image * output.imageStride + row * output.lineStride)
        .assumingMemoryBound(to: UInt8.self)
      let quantize = unsafe instructionSet.kernels.pointee.quantize
      let (count, zeroPoint) = (shape.width * shape.channels, Float(quantization.zeroPoint))
      if input.pixelStride == shape.channels, output.pixelStride == shape.channels {
        unsafe quantize(count, x, reciprocal, zeroPoint, y)
      } else {
        for _ in 0..<shape.width {
          unsafe quantize(shape.channels, x, reciprocal, zeroPoint, y)
          unsafe (x, y) = (x + input.pixelStride, y + output.pixelStride)
        }
      }
    }
  }
}

extension Quantization: PreparedOperation {
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("", "to int8")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func run(_ run: LayerRun) {
    self.run(run.input, into: run.outputMap.asQuantized, in: run.workspace, on: run.team)
  }
}

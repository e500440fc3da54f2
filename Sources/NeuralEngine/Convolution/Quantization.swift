import CDepthSIMD
import DepthBase

/// Quantizes a map of floats: quantized = round(x / scale + zeroPoint), ties to even, in 0 … 255.
struct Quantization: PreparedOperation {
  let quantization: MapQuantization
  let instructionSet: Int8InstructionSet

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("", "to int8")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func run(_ run: LayerRun) {
    let (input, output, shape) = (run.input, run.outputMap.asQuantized, run.input.shape)
    precondition(output.shape == shape, "y is \(output.shape), expected \(shape)")
    run.workspace.fillBorder(
      of: output, with: [UInt8](repeating: quantization.zeroPoint, count: shape.channels))
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let reciprocal = 1 / quantization.scale
    run.team.forEach(shape.count * shape.height) { _, line in
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

import CDepthSIMD
import DepthBase

/// ``MaxPooling`` on a quantized map.
///
/// Quantization is monotonic, so the quantized maximum equals the maximum of the quantized values.
struct QuantizedMaxPooling: PreparedOperation {
  let quantization: MapQuantization
  let instructionSet: Int8InstructionSet

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("3×3 /2", "int8")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { MaxPooling().outputShape(for: input) }

  func run(_ run: LayerRun) {
    let (input, output) = (run.inputMap.asQuantized, run.outputMap.asQuantized)
    let shape = input.shape
    precondition(output.shape == outputShape(for: shape), "y is \(output.shape)")
    run.workspace.fillBorder(
      of: output, with: [UInt8](repeating: quantization.zeroPoint, count: shape.channels))
    nonisolated(unsafe) let base = unsafe UnsafeMutableRawPointer(run.workspace.base)
    let rows = output.shape.height
    let perform = unsafe instructionSet.kernels.pointee.max_pool
    run.team.forEach(shape.count * rows) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: rows)
      let x = unsafe UnsafeRawPointer(base + input.start + image * input.imageStride)
      let y = unsafe base + output.start + image * output.imageStride
      var arguments = unsafe ck_int8_max_pool(
        height: shape.height, width: shape.width, channels: shape.channels,
        x: x.assumingMemoryBound(to: UInt8.self), x_pixel_stride: input.pixelStride,
        x_line_stride: input.lineStride, top: shape.height % 2, left: shape.width % 2,
        out_width: output.shape.width, first: row, last: row + 1,
        y: y.assumingMemoryBound(to: UInt8.self), y_pixel_stride: output.pixelStride,
        y_line_stride: output.lineStride)
      unsafe perform(&arguments)
    }
  }
}

import CDepthSIMD
import DepthBase

/// 3×3 maximum pooling with stride 2 and TensorFlow's SAME padding: ⌈n / 2⌉ outputs per axis.
///
/// An even extent is padded only after its end, and an odd extent on both sides. Padding is never
/// the maximum.
struct MaxPooling: Operation, PreparedOperation {
  var kind: String { "max3×3/2" }
  var selectsValues: Bool { true }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("3×3 /2", "max")
  }

  /// `n × ⌈h / 2⌉ × ⌈w / 2⌉ × c`.
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    Tensor.Shape(
      count: input.count, height: (input.height + 1) / 2, width: (input.width + 1) / 2,
      channels: input.channels)
  }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    source.isNonnegative(channels)
  }

  func prepared(
    _ maps: MapQuantizations, instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) -> any PreparedOperation {
    QuantizedMaxPooling(quantization: maps.input, instructionSet: instructionSet)
  }

  func run(_ run: LayerRun) {
    let (input, output, shape) = (run.input, run.output, run.input.shape)
    precondition(output.shape == outputShape(for: shape), "y is \(output.shape)")
    nonisolated(unsafe) let x = unsafe UnsafePointer(run.workspace.base + input.offset)
    nonisolated(unsafe) let y = unsafe run.workspace.base + output.offset
    let rows = output.shape.height
    run.team.forEach(shape.count * rows) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: rows)
      unsafe run.backend.kernels.pointee.network.max_pool(
        shape.height, shape.width, shape.channels, input.pixelStride,
        shape.height % 2, shape.width % 2, output.shape.width, output.pixelStride, row, row + 1,
        x + image * shape.area * input.pixelStride,
        y + image * output.shape.area * output.pixelStride)
    }
  }
}

import CDepthSIMD
package import DepthBase

/// 3×3 maximum pooling of stride 2 with TensorFlow's SAME padding: ⌈n / 2⌉ outputs per axis.
///
/// An even extent is padded after its end only, an odd one on both sides. Padding is never the
/// maximum.
package struct MaxPooling: Sendable {
  let backend: GEMMBackend

  package init(backend: GEMMBackend) {
    self.backend = backend
  }

  /// `n × ⌈h / 2⌉ × ⌈w / 2⌉ × c`.
  package static func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    Tensor.Shape(
      count: input.count, height: (input.height + 1) / 2, width: (input.width + 1) / 2,
      channels: input.channels)
  }

  /// Computes one result.
  ///
  /// - Precondition: `output` has the shape ``outputShape(for:)``.
  package func run(
    _ input: FeatureMap, into output: FeatureMap, in workspace: Workspace, on team: ThreadTeam
  ) {
    let shape = input.shape
    precondition(output.shape == Self.outputShape(for: shape), "y is \(output.shape)")
    nonisolated(unsafe) let x = unsafe UnsafePointer(workspace.base + input.offset)
    nonisolated(unsafe) let y = unsafe workspace.base + output.offset
    let rows = output.shape.height
    team.forEach(shape.count * rows) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: rows)
      unsafe backend.kernels.pointee.network.max_pool(
        shape.height, shape.width, shape.channels, input.pixelStride,
        shape.height % 2, shape.width % 2, output.shape.width, output.pixelStride, row, row + 1,
        x + image * shape.area * input.pixelStride,
        y + image * output.shape.area * output.pixelStride)
    }
  }
}

extension MaxPooling: PreparedOperation {
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("3×3 /2", "max")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { Self.outputShape(for: input) }

  func run(_ run: LayerRun) {
    self.run(run.input, into: run.output, in: run.workspace, on: run.team)
  }
}

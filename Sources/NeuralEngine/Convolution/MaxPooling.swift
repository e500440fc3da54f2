import CDepthSIMD
package import ThreadTeams

/// 3×3 maximum pooling of stride 2 with TensorFlow's SAME padding: `ceil(n / 2)` outputs an axis; an
/// even axis is padded after its end only, an odd one on both sides. Padding never wins.
package struct MaxPooling: Sendable {
  let products: Products

  package init(products: Products) {
    self.products = products
  }

  package static func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    Tensor.Shape(
      count: input.count, height: (input.height + 1) / 2, width: (input.width + 1) / 2,
      channels: input.channels)
  }

  package func run(
    _ input: FeatureMap, into output: FeatureMap, in workspace: Workspace, on team: ThreadTeam
  ) {
    let shape = input.shape
    precondition(output.shape == Self.outputShape(for: shape), "y is \(output.shape)")
    nonisolated(unsafe) let x = UnsafePointer(workspace.base + input.offset)
    nonisolated(unsafe) let y = workspace.base + output.offset
    let rows = output.shape.height
    team.forEach(shape.count * rows) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: rows)
      products.kernels.pointee.network.max_pool(
        shape.height, shape.width, shape.channels, input.pixelStride,
        shape.height % 2, shape.width % 2, output.shape.width, output.pixelStride, row, row + 1,
        x + image * shape.area * input.pixelStride,
        y + image * output.shape.area * output.pixelStride)
    }
  }
}

import DepthBase

/// The coordinates of a map's pixels on the view plane of the photo.
///
/// u increases along the columns and v along the rows; both are 0 at the center. The unit is half the photo's diagonal.
///
/// > Source: R. Wang et al. “MoGe-2.” NeurIPS 2025. [arXiv:2507.02546](https://arxiv.org/abs/2507.02546), and the authors' code.
package struct ViewPlane: Sendable {
  /// u of each column and v of each row.
  package let columns, rows: [Float]

  /// - Parameter aspect: Width / height of the photo, not of the map.
  package init(height: Int, width: Int, aspect: Double) {
    let diagonal = (1 + aspect * aspect).squareRoot()
    func centers(_ count: Int, _ extent: Double) -> [Float] {
      (0..<count).map { Float((Double(2 * $0 + 1) / Double(count) - 1) * extent / diagonal) }
    }
    (columns, rows) = (centers(width, aspect), centers(height, 1))
  }
}

/// A 1×1 convolution of u and v, W · (u, v) + bias, that does not store u and v as maps. Only the input's size is read.
struct ViewPlaneProjection: Operation, PreparedOperation {
  /// The weights of u, the weights of v and the biases, one of each per output channel.
  let u, v, bias: [Float]

  var kind: String { "view plane" }
  var otherParameters: Int { 3 * bias.count }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("1×1 2→\(bias.count)", "view plane")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input.with(channels: bias.count) }

  func run(_ run: LayerRun) {
    let output = run.output
    let (shape, channels) = (output.shape, bias.count)
    let plane = ViewPlane(height: shape.height, width: shape.width, aspect: run.aspect)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    run.team.forEach(shape.count * shape.height) { _, row in
      let height = plane.rows[row % shape.height]
      let offsets = (0..<channels).map { v[$0] * height + bias[$0] }
      let line = unsafe base + output.offset + row * shape.width * output.pixelStride
      for (column, across) in plane.columns.enumerated() {
        let pixel = unsafe line + column * output.pixelStride
        for c in 0..<channels { unsafe pixel[c] = u[c] * across + offsets[c] }
      }
    }
  }
}

/// The last step of a dense decoder with a linear finest level. The four phases of each output become 2 × 2 pixels, to which W
/// · (u, v) + bias is added. The second input, one number per image, becomes the last channel.
///
/// The inputs are `n × h × w × 4·c`, with channel `phase · c + output`, and `n × 1 × 1 × 1`. The output is
/// `n × 2h × 2w × (o + 1)` with o ≤ c outputs.
struct PhaseShuffle: Operation, PreparedOperation {
  /// Outputs of a phase in the input.
  let stored: Int
  /// The weights of u, the weights of v and the biases, one of each per written output.
  let u, v, bias: [Float]

  var kind: String { "phases" }
  var otherParameters: Int { 3 * bias.count }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("\(4 * stored)→\(bias.count + 1)", "phases")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: 4 * stored)
    return Tensor.Shape(
      count: input.count, height: 2 * input.height, width: 2 * input.width,
      channels: bias.count + 1)
  }

  func run(_ run: LayerRun) {
    let (input, output, scalar) = (run.input, run.output, run.requiredSecond)
    let (shape, outputs) = (output.shape, bias.count)
    let plane = ViewPlane(height: shape.height, width: shape.width, aspect: run.aspect)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    run.team.forEach(shape.count * shape.height) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: shape.height)
      let number = unsafe base[scalar.image(image).offset]
      let height = plane.rows[row]
      let offsets = (0..<outputs).map { v[$0] * height + bias[$0] }
      let x =
        unsafe base + input.offset
        + (image * input.shape.height + row / 2) * input.shape.width * input.pixelStride
      let y = unsafe base + output.offset + index * shape.width * output.pixelStride
      for (column, across) in plane.columns.enumerated() {
        let phase = unsafe x + column / 2 * input.pixelStride + (row % 2 * 2 + column % 2) * stored
        let pixel = unsafe y + column * output.pixelStride
        for o in 0..<outputs { unsafe pixel[o] = phase[o] + (u[o] * across + offsets[o]) }
        unsafe pixel[outputs] = number
      }
    }
  }
}

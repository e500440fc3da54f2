import DepthBase

/// The first token, as a map of one pixel.
///
/// Input `n × 1 × tokens × width`, output `n × 1 × 1 × width`.
struct ClassToken: Operation, PreparedOperation {
  var kind: String { "class token" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("token", "copy")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    Tensor.Shape(count: input.count, height: 1, width: 1, channels: input.channels)
  }

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    for image in 0..<input.shape.count {
      unsafe (run.workspace.base + output.image(image).offset).update(
        from: run.workspace.base + input.image(image).offset, count: input.shape.channels)
    }
  }
}

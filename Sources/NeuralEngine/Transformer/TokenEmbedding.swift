import DepthBase

/// The tokens of a Vision Transformer: a class token, then one token per patch. A position vector is added to each token.
///
/// The input is `n × rows × columns × width`, the output `n × 1 × (1 + rows · columns) × width`. Position vectors are
/// learned for one square grid and resampled for other grids.
///
/// > Source: A. Dosovitskiy et al. “An Image Is Worth 16x16 Words.” ICLR 2021.
/// > [arXiv:2010.11929](https://arxiv.org/abs/2010.11929), equation 1.
struct TokenEmbedding: Operation, PreparedOperation {
  let width: Int
  /// Rows and columns of the learned positions.
  let trainedSide: Int
  /// The class token plus its position.
  private let classToken: [Float]
  /// `trainedSide × trainedSide × width`.
  private let positions: [Float]

  /// - Parameters:
  ///   - classToken: `width` values.
  ///   - positions: `1 + trainedSide²` vectors, the class token's first.
  init(classToken: [Float], positions: [Float], trainedSide: Int) {
    width = classToken.count
    precondition(
      positions.count == (1 + trainedSide * trainedSide) * classToken.count,
      "\(positions.count) values of positions, expected \(1 + trainedSide * trainedSide) vectors")
    self.trainedSide = trainedSide
    self.classToken = zip(classToken, positions).map { $0 + $1 }
    self.positions = Array(positions[classToken.count...])
  }

  var kind: String { "tokens" }
  var otherParameters: Int { classToken.count * 2 + positions.count }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("tokens \(width)", "bicubic")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    Tensor.Shape(count: input.count, height: 1, width: 1 + input.area, channels: width)
  }

  /// Floats of scratch for the positions that are resampled along the columns.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    input.height * trainedSide * width
  }

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    let (height, columns) = (input.shape.height, input.shape.width)
    precondition(input.shape.channels == width, "x is \(input.shape), expected \(width) channels")
    nonisolated(unsafe) let base = unsafe run.workspace.base
    nonisolated(unsafe) let between = unsafe base + run.scratch
    let isTrained = height == trainedSide && columns == trainedSide
    let down = PositionTaps.all(from: trainedSide, to: height)
    let across = PositionTaps.all(from: trainedSide, to: columns)
    if !isTrained {
      run.team.forEach(height) { _, y in
        unsafe positions.withUnsafeBufferPointer { positions in
          guard let learned = positions.baseAddress else { return }
          let line = trainedSide * width
          unsafe down[y].sum(line, into: between + y * line) { unsafe learned + $0 * line }
        }
      }
    }
    run.team.forEach(input.shape.count * height) { _, index in
      let (image, y) = index.quotientAndRemainder(dividingBy: height)
      let first =
        unsafe base + output.offset + image * output.shape.area * output.pixelStride
      if y == 0 { for c in 0..<width { unsafe first[c] = classToken[c] } }
      for x in 0..<columns {
        let token = unsafe first + (1 + y * columns + x) * output.pixelStride
        if isTrained {
          for c in 0..<width { unsafe token[c] = positions[(y * columns + x) * width + c] }
        } else {
          unsafe across[x].sum(width, into: token) {
            unsafe UnsafePointer(between) + (y * trainedSide + $0) * width
          }
        }
        let patch =
          unsafe base + input.offset
          + ((image * height + y) * columns + x) * input.pixelStride
        for c in 0..<width { unsafe token[c] += patch[c] }
      }
    }
  }
}

extension PositionTaps {
  /// The weighted sum of four rows of `count` floats.
  @unsafe fileprivate func sum(
    _ count: Int, into out: UnsafeMutablePointer<Float>,
    of row: (_ index: Int) -> UnsafePointer<Float>
  ) {
    let (a, b, c, d) = unsafe (row(indices[0]), row(indices[1]), row(indices[2]), row(indices[3]))
    for i in 0..<count {
      unsafe out[i] = weights[0] * a[i] + weights[1] * b[i] + weights[2] * c[i] + weights[3] * d[i]
    }
  }
}

import CDepthSIMD
import DepthBase

/// Doubles a map of one channel by convex combinations of its pixels, followed by a ReLU. Each pixel of a 2 × 2 block combines
/// the 3 × 3 pixels around the block's source pixel.
///
/// The inputs are 36 scores per pixel, and the map. Channel 4n + 2·row + column is the score of neighbor n for one pixel of
/// the block. A softmax over n computes the shares. Border pixels are repeated.
///
/// > Source: Z. Teed, J. Deng. “RAFT: Recurrent All-Pairs Field Transforms for Optical Flow.” ECCV 2020.
/// > [arXiv:2003.12039](https://arxiv.org/abs/2003.12039), section 3.3.
struct ConvexUpsampling: Operation, PreparedOperation {
  /// Scores per pixel.
  static let scores = 36

  var kind: String { "convex×2" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("×2", "convex")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: Self.scores)
    return Tensor.Shape(
      count: input.count, height: 2 * input.height, width: 2 * input.width, channels: 1)
  }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool { true }

  /// Floats of scratch: one line of shares per thread.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    threads * Workspace.aligned(input.width * Self.scores)
  }

  func run(_ run: LayerRun) {
    let (input, map, output) = (run.input, run.requiredSecond, run.output)
    let shape = input.shape
    precondition(
      output.shape == outputShape(for: shape) && map.shape == shape.with(channels: 1),
      "y is \(output.shape), the map \(map.shape)")
    let (height, width, scores) = (shape.height, shape.width, Self.scores)
    let lineCount = Workspace.aligned(width * scores)
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let exponential = unsafe run.backend.kernels.pointee.network.exponential
    run.team.forEach(shape.count * height) { worker, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: height)
      let shares = unsafe base + run.scratch + worker * lineCount
      let z = unsafe UnsafeRawPointer(base + input.offset + index * width * input.pixelStride)
      for column in 0..<width {
        let pixel = unsafe z + column * 4 * input.pixelStride
        var top = unsafe pixel.loadUnaligned(as: SIMD4<Float>.self)
        for n in 1..<9 {
          let score = unsafe pixel.loadUnaligned(fromByteOffset: 16 * n, as: SIMD4<Float>.self)
          top.replace(with: score, where: score .> top)
        }
        for n in 0..<9 {
          let score = unsafe pixel.loadUnaligned(fromByteOffset: 16 * n, as: SIMD4<Float>.self)
          unsafe UnsafeMutableRawPointer(shares + column * scores).storeBytes(
            of: score - top, toByteOffset: 16 * n, as: SIMD4<Float>.self)
        }
      }
      unsafe exponential(width * scores, shares, shares)
      let first = unsafe base + map.offset + image * height * width
      let rows = unsafe (-1...1).map { unsafe first + min(max(row + $0, 0), height - 1) * width }
      let upper = unsafe base + output.offset + (image * height + row) * 4 * width
      for column in 0..<width {
        let pixel = unsafe UnsafeRawPointer(shares + column * scores)
        var (sum, total) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for n in 0..<9 {
          let share = unsafe pixel.loadUnaligned(fromByteOffset: 16 * n, as: SIMD4<Float>.self)
          let neighbour = min(max(column + n % 3 - 1, 0), width - 1)
          unsafe sum += share * rows[n / 3][neighbour]
          total += share
        }
        var result = sum / total
        result.replace(with: 0, where: result .< 0)
        unsafe (upper[2 * column], upper[2 * column + 1]) = (result[0], result[1])
        unsafe (upper[2 * (width + column)], upper[2 * (width + column) + 1]) = (
          result[2], result[3]
        )
      }
    }
  }
}

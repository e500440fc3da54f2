import CDepthSIMD
import DepthBase

/// The positions of a resized map's pixels in its source.
package enum SamplingGrid: String, Sendable {
  /// The corners of both maps are aligned (`align_corners`).
  case corners
  /// The borders of both maps are aligned, half a pixel from the pixel centers.
  case centers
  /// Like ``centers``, but each pixel copies the nearest pixel.
  case nearest
}

/// Bilinear interpolation.
///
/// With one input, the result has twice or half the input's size. With two inputs, the second input is resized to the first
/// input's size, and both are added. This is the sum of a decoder's level and the coarser levels.
struct BilinearResize: Operation, PreparedOperation {
  enum Size: String, Sendable {
    case doubled = "×2"
    /// Half the size, which must be whole. With ``SamplingGrid/centers`` each pixel is the mean of 2 × 2 pixels.
    case halved = "÷2"
    /// The size of the first input, to which the result is added.
    case first = "to size, add"
  }

  let size: Size
  var grid = SamplingGrid.corners

  var kind: String { "resize" }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (size.rawValue, grid == .nearest ? "nearest" : "bilinear")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    var shape = input
    switch size {
    case .first: break
    case .doubled: (shape.height, shape.width) = (2 * input.height, 2 * input.width)
    case .halved: (shape.height, shape.width) = (input.height / 2, input.width / 2)
    }
    return shape
  }

  func run(_ run: LayerRun) {
    let source = size == .first ? run.requiredSecond : run.input
    let added = size == .first ? run.input : nil
    let output = run.output.shape
    precondition(
      source.shape.channels == output.channels && source.shape.count == output.count,
      "x is \(source.shape), expected the channels of \(output)")
    let resizing = BilinearTable(
      from: source.shape, height: output.height, width: output.width, grid: grid)
    run.team.forEach(output.count * output.height) { _, index in
      let (image, y) = index.quotientAndRemainder(dividingBy: output.height)
      resizing.run(
        row: y, of: source.image(image), adding: added.map { ($0.image(image), row: y) },
        into: run.output.image(image), row: y, in: run.workspace, run.backend)
    }
  }
}

/// The taps of a bilinear interpolation.
struct BilinearTable: Sendable {
  private let top, bottom, left, right: [Int32]
  private let shares, rowShares: [Float]

  init(from source: Tensor.Shape, height: Int, width: Int, grid: SamplingGrid = .corners) {
    (top, bottom, rowShares) = Self.axis(from: source.height, to: height, grid)
    (left, right, shares) = Self.axis(from: source.width, to: width, grid)
  }

  private static func axis(
    from: Int, to: Int, _ grid: SamplingGrid
  ) -> ([Int32], [Int32], [Float]) {
    func position(_ index: Int) -> Double {
      let center = (Double(index) + 0.5) * Double(from) / Double(to)
      return switch grid {
      case .corners: to > 1 ? Double(index) * (Double(from - 1) / Double(to - 1)) : 0
      case .centers: max(center - 0.5, 0)
      case .nearest: center.rounded(.down)
      }
    }
    var (first, second, share): ([Int32], [Int32], [Float]) = ([], [], [])
    for index in 0..<to {
      let position = position(index)
      let whole = min(Int(position), from - 1)
      first.append(Int32(whole))
      second.append(Int32(min(whole + 1, from - 1)))
      share.append(whole + 1 < from ? Float(position - Double(whole)) : 0)
    }
    return (first, second, share)
  }

  /// Computes row `row` of the resized map of one image.
  ///
  /// - Parameters:
  ///   - added: A map to add, with its row.
  ///   - destination: The row of `output` that is written.
  func run(
    row: Int, of source: FeatureMap, adding added: (map: FeatureMap, row: Int)?,
    into output: FeatureMap, row destination: Int, in workspace: Workspace, _ backend: GEMMBackend
  ) {
    let base = unsafe workspace.base
    let line = source.shape.width * source.pixelStride
    unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        unsafe shares.withUnsafeBufferPointer { shares in
          guard let l = left.baseAddress, let r = right.baseAddress, let s = shares.baseAddress
          else { return }
          var arguments = unsafe ck_resized_row(
            width: left.count, channels: source.shape.channels, left: l, right: r, shares: s,
            share: rowShares[row], top: base + source.offset + Int(top[row]) * line,
            bottom: base + source.offset + Int(bottom[row]) * line,
            source_stride: source.pixelStride, added_stride: added?.map.pixelStride ?? 0,
            y_stride: output.pixelStride,
            added: added.map {
              unsafe UnsafePointer(
                base + $0.map.offset + $0.row * left.count * $0.map.pixelStride)
            },
            y: base + output.offset + destination * left.count * output.pixelStride)
          unsafe backend.kernels.pointee.network.resize_row(&arguments)
        }
      }
    }
  }
}

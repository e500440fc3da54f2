package import DepthImages
import PictureFiles

/// A picture with one row per frame: the photo, the truth, the prediction and the prediction's error, from left to
/// right.
///
/// Truth and prediction have the same colors: `turbo` over 1/metres, from the truth's nearest point (red) to
/// its farthest point (blue). Pixels without truth are gray. The error |y − ŷ| / y is black at 0, and pale
/// from one half.
package enum ContactSheet {
  /// Height of one frame, in pixels. The width follows from the frame's proportions, within limits.
  static let tileHeight = 240
  private static let widest = 4 * tileHeight

  /// Draws the frames, with the predictions of the evaluation table's first row.
  ///
  /// - Throws: `DepthError` for a frame that cannot be read or predicted.
  package static func image(
    of frames: [Evaluation.Frame], in dataset: any EvaluationDataset, by evaluator: Evaluator
  ) throws -> Image {
    precondition(!frames.isEmpty, "no frames, expected at least one")
    return stacked(
      try frames.map { frame in
        let content = try dataset.frame(frame.index)
        let map = try evaluator.prediction(of: evaluator.rows[0], on: content)
        return strip(content, map.unit == .disparity ? try map.inMetres() : map)
      })
  }

  /// The four pictures of a frame side by side. Maps keep whole pixels, without interpolated colors.
  static func strip(_ frame: EvaluationFrame, _ prediction: DepthMap) -> Image {
    let truth = frame.truth
    var rows = BilinearRows(
      prediction.values, height: prediction.height, width: prediction.width,
      toHeight: truth.height, width: truth.width)
    let prediction = rows.all()
    let width = min(max(tileHeight * truth.width / truth.height, 1), widest)
    let colors = DepthColors(truth)
    let photo = resizedLanczos(frame.photo, height: tileHeight, width: width, threads: 1)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(tileHeight * width * 12)
    for row in 0..<tileHeight {
      let start = (2 * row + 1) * truth.height / (2 * tileHeight) * truth.width
      let places = (0..<width).map { start + (2 * $0 + 1) * truth.width / (2 * width) }
      pixels += photo.pixels[row * width * 3..<(row + 1) * width * 3]
      for i in places { pixels += colors.color(Double(truth.values[i])) }
      for i in places { pixels += colors.color(prediction[i]) }
      for i in places { pixels += colors.errorColor(prediction[i], Double(truth.values[i])) }
    }
    return Image(height: tileHeight, width: width * 4, pixels: pixels)
  }

  /// Pictures stacked vertically, padded with gray to the widest.
  static func stacked(_ strips: [Image]) -> Image {
    let width = strips.map(\.width).max() ?? 1
    var pixels: [UInt8] = []
    for strip in strips {
      let fill = [UInt8](repeating: 128, count: (width - strip.width) * 3)
      for row in 0..<strip.height {
        pixels += strip.pixels[row * strip.width * 3..<(row + 1) * strip.width * 3]
        pixels += fill
      }
    }
    return Image(
      height: strips.map(\.height).reduce(0, +), width: width, pixels: pixels)
  }
}

/// The colors of one frame's maps.
private struct DepthColors {
  private let nearest, farthest: Double
  private let depthColors = ColorMap.turbo.colors
  private let errorColors = ColorMap.inferno.colors
  private let gray: [UInt8] = [128, 128, 128]

  init(_ truth: DepthMap) {
    let range = truth.range() ?? (1, 2)
    (nearest, farthest) = (Double(range.low), Double(range.high))
  }

  func color(_ depth: Double) -> ArraySlice<UInt8> {
    guard depth > 0, depth.isFinite else { return gray[...] }
    let span = 1 / nearest - 1 / farthest
    return level(span > 0 ? (1 / depth - 1 / farthest) / span : 0.5, of: depthColors)
  }

  func errorColor(_ depth: Double, _ truth: Double) -> ArraySlice<UInt8> {
    guard truth > 0, truth.isFinite, depth.isFinite else { return gray[...] }
    return level(abs(depth - truth) / truth * 2, of: errorColors)
  }

  private func level(_ share: Double, of colors: [UInt8]) -> ArraySlice<UInt8> {
    let level = Int(min(max(share, 0), 1) * 255 + 0.5)
    return colors[level * 3..<level * 3 + 3]
  }
}

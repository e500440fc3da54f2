import ImageCoding
import Kernels
package import Tensors

/// One picture of several frames: a row each, from left to right the photo, the truth, the prediction,
/// and where the prediction is wrong.
///
/// Truth and prediction share their colours: `turbo` over 1/metres from the truth's nearest point (red)
/// to its farthest (blue); pixels without truth are grey. The error |y − ŷ| / y is black at 0 and pale at
/// one half and beyond.
package enum ContactSheet {
  /// Height of one frame, pixels; the width follows from its proportions.
  static let tileHeight = 240
  private static let gray: [UInt8] = [128, 128, 128]

  /// Draws the frames of an evaluation's first row.
  ///
  /// - Throws: What reading a frame or predicting it throws.
  package static func image(
    of frames: [Evaluation.Frame], in dataset: any EvaluationDataset, by evaluator: Evaluator
  ) throws -> Image {
    precondition(!frames.isEmpty, "no frames, expected at least one")
    return stacked(
      try frames.map { frame in
        let content = try dataset.frame(frame.index)
        return strip(content, try evaluator.prediction(of: evaluator.rows[0], on: content))
      })
  }

  /// The four pictures of a frame side by side.
  static func strip(_ frame: EvaluationFrame, _ prediction: [Float]) -> Image {
    let truth = frame.truth
    let range = truth.range ?? (1, 2)
    let colors = ColorMap.turbo.colors
    func color(_ depth: Float) -> ArraySlice<UInt8> {
      guard truth.isValid(depth) else { return gray[...] }
      let span = 1 / range.low - 1 / range.high
      let share = span > 0 ? (1 / depth - 1 / range.high) / span : 0.5
      let level = Int(min(max(share, 0), 1) * 255 + 0.5)
      return colors[level * 3..<level * 3 + 3]
    }
    let errors = ColorMap.inferno.colors
    func errorColor(_ i: Int) -> ArraySlice<UInt8> {
      let y = truth.values[i]
      guard truth.isValid(y), prediction[i].isFinite else { return gray[...] }
      let level = Int(min(abs(prediction[i] - y) / y * 2, 1) * 255 + 0.5)
      return errors[level * 3..<level * 3 + 3]
    }
    func picture(_ color: (Int) -> ArraySlice<UInt8>) -> Image {
      var pixels: [UInt8] = []
      pixels.reserveCapacity(truth.values.count * 3)
      for i in truth.values.indices { pixels += color(i) }
      return Image(height: truth.height, width: truth.width, pixels: pixels)
    }
    let width = max(tileHeight * truth.width / truth.height, 1)
    let tiles = [
      frame.photo, picture { color(truth.values[$0]) }, picture { color(prediction[$0]) },
      picture(errorColor),
    ].map { resizedLanczos($0, height: tileHeight, width: width, threads: 1) }
    var pixels: [UInt8] = []
    for row in 0..<tileHeight {
      for tile in tiles { pixels += tile.pixels[row * width * 3..<(row + 1) * width * 3] }
    }
    return Image(height: tileHeight, width: width * tiles.count, pixels: pixels)
  }

  /// Pictures one below the other, filled up with grey to the widest.
  static func stacked(_ strips: [Image]) -> Image {
    let width = strips.map(\.width).max() ?? 1
    var pixels: [UInt8] = []
    for strip in strips {
      let fill = [UInt8](repeating: gray[0], count: (width - strip.width) * 3)
      for row in 0..<strip.height {
        pixels += strip.pixels[row * strip.width * 3..<(row + 1) * strip.width * 3]
        pixels += fill
      }
    }
    return Image(
      height: strips.map(\.height).reduce(0, +), width: width, pixels: pixels)
  }
}

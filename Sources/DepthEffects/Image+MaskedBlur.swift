import DepthBase
import DepthErrors
public import DepthImages
import SystemEssentials

extension Image {
  /// The photo, sharp at one depth and blurred elsewhere. The mask mixes the sharp and the blurred photo, as in the
  /// effect "change the focal length" of O. L. Brown's tutorial.
  ///
  /// The whole photo is blurred by one Gaussian in linear light. Sharp objects therefore bleed into the blurred
  /// background, and blurred objects keep sharp outlines. `lensBlur(depth:focus:lens:threads:)` avoids both faults.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo, of any size.
  ///   - focus: The depth that stays sharp. If no point is at this depth, the whole photo is blurred.
  ///   - shape: The mask; see `FocusMask`.
  ///   - radius: The amount of blur as a fraction of the photo's width, 0…0.1. The Gaussian's standard deviation is
  ///     half of the radius, so the variance equals that of a disc with this radius.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Throws: `DepthError` in the cases of `focusMask(depth:focus:shape:threads:)`, and for a radius out of range.
  public func maskedBlur(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask = FocusMask(),
    radius: Double = Lens.defaultRadius,
    threads: Int? = nil
  ) throws -> Image {
    try maskedBlur(
      depth: depth, focus: focus, shape: shape, radius: radius, held: nil,
      threads: ThreadCount.checked(threads))
  }

  /// - Parameter held: The film's smoothed span, instead of the map's own range and focus.
  package func maskedBlur(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask, radius: Double, held: DepthSpan?,
    threads: Int
  ) throws -> Image {
    try radius.checked(in: Lens.radii, "the blur's radius", "0 to 0.1 of the width")
    let mask = try focusMask(
      depth: depth, focus: focus, shape: shape, held: held, isLens: true, threads: threads)
    let blur = GaussianLight(of: self, sigma: radius * Double(width) / 2, threads: threads)
    let result = unsafe filledThroughPointer(count: pixels.count) {
      (out: UnsafeMutablePointer<UInt8>) in
      // Each chunk writes its own rows.
      nonisolated(unsafe) let out = unsafe out
      parallelFor(height, grain: 8, threads: threads) { rows in
        for y in rows { unsafe blur.mix(self, mask.values, row: y, into: out + y * width * 3) }
      }
    }
    return Image(height: height, width: width, pixels: result, metadata: metadata)
  }
}

/// A photo in linear light, blurred along its rows, with the weights for its columns.
private struct GaussianLight: Sendable {
  let height, width: Int
  /// The weights from the center outwards. All weights of the window sum to 1.
  let weights: [Float]
  private let rows: [SIMD4<Float>]

  init(of photo: Image, sigma: Double, threads: Int) {
    (height, width) = (photo.height, photo.width)
    let reach = Int((3 * sigma).rounded(.up))
    let shares = (0...reach).map { $0 == 0 ? 1 : exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = 2 * shares.reduce(0, +) - 1
    let weights = shares.map { Float($0 / sum) }
    self.weights = weights
    let width = width
    rows = unsafe filledThroughPointer(count: height * width) {
      (out: UnsafeMutablePointer<SIMD4<Float>>) in
      // Each chunk writes its own rows.
      nonisolated(unsafe) let out = unsafe out
      parallelFor(photo.height, grain: 8, threads: threads) { chunk in
        var line = [SIMD4<Float>](repeating: .zero, count: width + 2 * reach)
        for y in chunk {
          for x in 0..<line.count {
            let at = (y * width + min(max(x - reach, 0), width - 1)) * 3
            line[x] = SIMD4(
              SRGB.linear[Int(photo.pixels[at])], SRGB.linear[Int(photo.pixels[at + 1])],
              SRGB.linear[Int(photo.pixels[at + 2])], 0)
          }
          unsafe line.withUnsafeBufferPointer { line in
            for x in 0..<width {
              var light = unsafe line[x + reach] * weights[0]
              for k in 1..<reach + 1 {
                unsafe light += (line[x + reach - k] + line[x + reach + k]) * weights[k]
              }
              unsafe out[y * width + x] = light
            }
          }
        }
      }
    }
  }

  /// Mixes a row of the sharp photo and of the blurred photo by the mask.
  func mix(
    _ photo: Image, _ mask: [Float], row y: Int, into out: UnsafeMutablePointer<UInt8>
  ) {
    var sums = [SIMD4<Float>](repeating: .zero, count: width)
    for k in -(weights.count - 1)...weights.count - 1 {
      let from = min(max(y + k, 0), height - 1) * width
      let weight = weights[abs(k)]
      for x in 0..<width { sums[x] += rows[from + x] * weight }
    }
    for x in 0..<width {
      let share = mask[y * width + x]
      for channel in 0..<3 {
        let byte = photo.pixels[(y * width + x) * 3 + channel]
        guard share < 1 else {
          unsafe out[x * 3 + channel] = byte
          continue
        }
        let light = sums[x][channel] + (SRGB.linear[Int(byte)] - sums[x][channel]) * share
        unsafe out[x * 3 + channel] = SRGB.coded[Int(min(max(light, 0), 1) * SRGB.steps + 0.5)]
      }
    }
  }
}

/// An attribute that the engine reads and a published file does not have; its layout gives it.
enum PublishedAttribute {
  case text(String)
  case integers([Int])
  case numbers([Double])

  /// Those of every network of photos in 0 … 1 with channels normalized.
  ///
  /// - Parameters:
  ///   - form: The container's name in reports.
  ///   - mean: The mean of each channel, red first, which is subtracted.
  ///   - deviation: The standard deviation of each channel, the divisor after that.
  static func common(
    architecture: String, form: String, mean: [Double], deviation: [Double]
  ) -> [String: PublishedAttribute] {
    [
      "architecture": .text(architecture), "format_name": .text("fcrn-hdf5"),
      "format_version": .integers([2]), "content": .text("weights"), "kernel_layout": .text("OIHW"),
      "channel_order": .text("RGB"), "source_format": .text(form),
      // Network input = (pixel / 255 − mean) / deviation = pixel · scale − mean′.
      "pixel_scale": .numbers(deviation.map { Double(Float(1 / (255 * $0))) }),
      "pixel_mean": .numbers(zip(mean, deviation).map { Double(Float($0 / $1)) }),
    ]
  }
}

/// An attribute that the engine requires and published files lack. The layout determines the value.
enum PublishedAttribute {
  case text(String)
  case integers([Int])
  case numbers([Double])

  /// The common attributes of networks for photos in 0 … 1 with normalized channels.
  ///
  /// - Parameters:
  ///   - form: The container's name in reports.
  ///   - mean: The mean to subtract from each channel, red first.
  ///   - deviation: The standard deviation by which each channel is then divided.
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

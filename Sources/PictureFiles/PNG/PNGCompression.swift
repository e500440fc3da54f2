/// The speed and size of a PNG file's compression.
///
/// The sizes and times below were measured on refined depth maps of 12 megapixels, relative to `default`.
///
/// ```swift
/// try depth.write(to: url, compression: .fast)
/// ```
public enum PNGCompression: String, Sendable, CaseIterable {
  /// The shortest search for repetitions in depth maps, and only runs of equal bytes in color pictures. 1.45 times the size in
  /// half the time.
  case fast
  /// A short search for repetitions in depth maps. Color pictures are searched only if they compress well, such as drawings and
  /// depth views.
  case `default`
  /// The longest search for repetitions: 0.83 times the size in forty times the time.
  case small

  /// The search for repetitions in a strip of `count` bytes; `nil` for runs alone.
  ///
  /// In a photo's noise, a search takes twenty times as long as runs alone and finds nothing. In depth maps, high bytes repeat,
  /// and a short search finds the repetitions despite noise.
  ///
  /// - Parameter runs: Length of the strip after compression by runs alone; ignored for gray samples.
  func search(_ layout: PNGWriter.Layout, count: Int, runs: Int) -> Deflate.Search? {
    switch (self, layout) {
    case (.fast, .gray16), (.fast, .gray8): .level(1)
    case (.fast, .rgb8), (.fast, .rgba8), (.fast, .rgba16): nil
    case (.default, .gray16): .brief
    case (.default, .gray8): .level(6)
    case (.default, .rgb8), (.default, .rgba8), (.default, .rgba16):
      runs < count / 16 ? .level(6) : nil
    case (.small, .gray16), (.small, .gray8): .level(9)
    case (.small, .rgb8), (.small, .rgba8), (.small, .rgba16):
      runs < count / 2 ? .level(9) : nil
    }
  }
}

import FrameStreams

/// The relevant properties of an ffmpeg sample format.
///
/// > Source: ffmpeg's `pixdesc.c`.
struct SampleFormat: Sendable, Hashable {
  /// RGB, or the chroma sampling. A sampling without a case counts as the next finer sampling.
  enum Colors: Sendable, Hashable {
    case rgb, gray, quarter, half, full, strip
  }

  let colors: Colors
  /// Bits per sample, at most 16; 16 for floating point.
  let bits: Int
  let hasAlpha: Bool

  /// - Parameter name: ffmpeg's name, such as `yuva444p10le`.
  init(_ name: String) {
    let isSwappable = name.hasSuffix("le") || name.hasSuffix("be")
    let stem = isSwappable ? name.dropLast(2) : name[...]
    colors = Self.colors(of: stem)
    bits = min(Self.bits(of: stem, colors), 16)
    let withAlpha = ["argb", "abgr", "rgba", "bgra", "gbra", "yuva", "vuya", "ayuv", "uyva"]
    hasAlpha =
      stem == "pal8" || colors == .gray && stem.hasPrefix("ya")
      || withAlpha.contains { stem.hasPrefix($0) }
  }

  private static func colors(of stem: Substring) -> Colors {
    let (gray, rgb) = (
      ["gray", "ya", "mono"],
      ["gbr", "rgb", "bgr", "0rg", "0bg", "arg", "abg", "pal", "x2r", "x2b", "bay", "xyz"]
    )
    if gray.contains(where: stem.hasPrefix) { return .gray }
    if rgb.contains(where: stem.hasPrefix) { return .rgb }
    // Packed and semiplanar formats: P010, NV16, Y210.
    let marks: [(Colors, [String])] = [
      (.strip, ["411"]), (.half, ["422", "nv16", "nv20", "p21", "y21"]),
      (.quarter, ["420", "v410", "nv12", "nv21", "p01"]),
    ]
    return marks.first { $0.1.contains(where: stem.contains) }?.0 ?? .full
  }

  private static func bits(of stem: Substring, _ colors: Colors) -> Int {
    func number(_ text: Substring) -> Int { Int(text.prefix { $0.isNumber }) ?? 8 }
    // The number at the end: gray10, x2rgb10, rgba64.
    let last = Int(String(stem.reversed().prefix { $0.isNumber }.reversed())) ?? 8
    if stem.contains("f16") || stem.contains("f32") { return 16 }
    let packed: [Substring: Int] = [
      "nv20": 10, "v30x": 10, "xv30": 10, "xv36": 12, "xv48": 16, "ayuv64": 16,
      "monow": 1, "monob": 1,
    ]
    if let bits = packed[stem] { return bits }
    if colors == .gray || ["x2", "xyz", "bayer"].contains(where: stem.hasPrefix) { return last }
    // Y210, P010: the last two digits.
    if ["p0", "p2", "p4", "y2"].contains(where: stem.hasPrefix) { return last % 100 }
    if stem.hasPrefix("yuv") || stem.hasPrefix("gbr"), let place = stem.lastIndex(of: "p") {
      return number(stem[stem.index(after: place)...])
    }
    // Bits per pixel: rgb48, bgra64.
    return colors == .rgb && [48, 64, 96, 128].contains(last) ? 16 : 8
  }

  /// The chroma sampling in which frames are read; RGB frames are converted to `rgb`.
  func chroma(ofRGB rgb: Y4MHeader.Chroma) -> Y4MHeader.Chroma {
    switch colors {
    case .rgb: rgb
    case .gray: .none
    case .quarter: .quarter
    case .half: .half
    case .full: .full
    case .strip: .strip
    }
  }

  /// ffmpeg's name of the format for a chroma sampling and bits.
  static func name(_ chroma: Y4MHeader.Chroma, bits: Int) -> String {
    let deep = bits > 8 ? "\(bits)le" : ""
    return switch chroma {
    case .none: "gray" + deep
    case .quarter: "yuv420p" + deep
    case .half: "yuv422p" + deep
    case .full: "yuv444p" + deep
    case .strip: "yuv411p"
    case .fullWithAlpha: "yuva444p"
    }
  }
}

import CDepthPages

/// The page's files, which are inside the program.
enum PageFile {
  /// The template: a line that is a mark alone, `{{style}}`, becomes what the mark says.
  static var page: String { unsafe text(cdp_page) }
  static var style: String { unsafe text(cdp_style) }
  /// All scripts as one.
  static var script: String { unsafe "'use strict';\n" + text(cdp_script) }
  /// Rendered rooms by their file names, JPEG.
  static var photos: [String: [UInt8]] {
    unsafe [
      "example.jpg": bytes(cdp_example), "armchair.jpg": bytes(cdp_armchair),
      "doorway.jpg": bytes(cdp_doorway),
    ]
  }

  private static func text(_ file: cdp_file) -> String {
    unsafe String(decoding: bytes(file), as: UTF8.self)
  }

  private static func bytes(_ file: cdp_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

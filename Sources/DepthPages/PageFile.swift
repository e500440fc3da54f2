import CDepthPages

/// The page's files, which are inside the program.
enum PageFile {
  /// The template: a line that is a mark alone, `{{style}}`, becomes what the mark says.
  static var page: String { unsafe text(cdp_page) }
  static var style: String { unsafe text(cdp_style) }
  /// A rendered room, JPEG.
  static var example: [UInt8] { unsafe bytes(cdp_example) }

  static var script: String {
    let parts = unsafe [
      cdp_depth, cdp_view, cdp_ruler, cdp_cloud, cdp_server, cdp_app,
    ]
    return unsafe "'use strict';\n" + parts.map { unsafe text($0) }.joined(separator: "\n")
  }

  private static func text(_ file: cdp_file) -> String {
    unsafe String(decoding: bytes(file), as: UTF8.self)
  }

  private static func bytes(_ file: cdp_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

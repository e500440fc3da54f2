import CDepthPages

/// The page's files, embedded in the program.
enum PageFile {
  /// The template. A part replaces each line that contains only the part's name, such as `{{style}}`.
  static var page: String { unsafe text(cdp_page) }
  static var style: String { unsafe text(cdp_style) }
  /// All scripts, joined.
  static var script: String { unsafe text(cdp_script) }
  /// JPEG of a rendered room with this file name; `nil` for other names.
  static func photo(named name: String) -> [UInt8]? {
    switch name {
    case "example.jpg": unsafe bytes(cdp_example)
    case "armchair.jpg": unsafe bytes(cdp_armchair)
    case "doorway.jpg": unsafe bytes(cdp_doorway)
    default: nil
    }
  }

  /// The OpenAPI 3.1 description of `depth serve`.
  static var openAPI: [UInt8] { unsafe bytes(cdp_openapi) }

  private static func text(_ file: cdp_file) -> String {
    unsafe String(decoding: bytes(file), as: UTF8.self)
  }

  private static func bytes(_ file: cdp_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

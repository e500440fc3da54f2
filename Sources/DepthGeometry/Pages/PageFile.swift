import CDepthPages

/// The page's files, which are inside the program.
enum PageFile {
  /// The template: a line that is a mark alone, `{{style}}`, is replaced by what the mark names.
  static var page: String { unsafe text(cdp_page) }
  static var style: String { unsafe text(cdp_style) }
  /// All scripts as one.
  static var script: String { unsafe text(cdp_script) }
  /// A rendered room by its file name, JPEG; `nil` for other names.
  static func photo(named name: String) -> [UInt8]? {
    switch name {
    case "example.jpg": unsafe bytes(cdp_example)
    case "armchair.jpg": unsafe bytes(cdp_armchair)
    case "doorway.jpg": unsafe bytes(cdp_doorway)
    default: nil
    }
  }

  /// The description of `depth serve`, OpenAPI 3.1.
  static var openAPI: [UInt8] { unsafe bytes(cdp_openapi) }

  private static func text(_ file: cdp_file) -> String {
    unsafe String(decoding: bytes(file), as: UTF8.self)
  }

  private static func bytes(_ file: cdp_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

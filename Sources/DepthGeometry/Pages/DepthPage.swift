import PictureFiles
import SystemEssentials

/// The page that shows a photo with its depth, as one HTML text with all styles and scripts.
///
/// `depth serve` serves this page with pictures from the server.
/// ``html(photo:depth:camera:name:quality:threads:)`` embeds photo and depth in the page.
package enum DepthPage {
  /// A photo for trying the page, or a photo of its tour. All are rendered rooms, 640 × 480, JPEG.
  ///
  /// - Parameter name: `example.jpg`, `armchair.jpg` or `doorway.jpg`; the result is `nil` for other names.
  package static func photo(named name: String) -> [UInt8]? { PageFile.photo(named: name) }

  /// The OpenAPI 3.1 description of the page's server, in JSON.
  ///
  /// - Parameter base: The path prefix of all addresses, such as `/depth`; empty for none.
  package static func openAPI(under base: String = "") -> [UInt8] {
    guard !base.isEmpty else { return PageFile.openAPI }
    return Array(
      String(decoding: PageFile.openAPI, as: UTF8.self)
        .replacing("\"url\": \"/\"", with: "\"url\": \"\(base)\"").utf8)
  }

  /// A page with its content security policy.
  package struct Served: Sendable {
    package let html, policy: String
  }

  /// The page for a server. Its policy allows connections only to that server.
  ///
  /// - Parameter doubtfulError: The relative error above which the page marks depth as doubtful.
  package static func served(doubtfulError: Double) -> Served {
    // Only the page's own script has the nonce, which is new each time.
    let nonce =
      String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
      + "img-src 'self' blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; "
      + "frame-ancestors 'none'"
    let page = page(
      nonce: nonce, policy: nil, embedded: nil,
      constants: "const doubtfulError = \(doubtfulError);\n")
    return Served(html: page, policy: policy)
  }

  /// Joins the parts of the page.
  ///
  /// - Parameters:
  ///   - nonce: The nonce of the page's policy.
  ///   - policy: The policy of a page without a server.
  ///   - embedded: A photo and its depth as JSON.
  ///   - constants: Lines before the scripts.
  static func page(
    nonce: String, policy: String?, embedded: String?, constants: String = ""
  ) -> String {
    let tag = " nonce=\"\(nonce)\""
    let parts = [
      "{{policy}}": policy.map {
        "<meta http-equiv=\"Content-Security-Policy\" content=\"\($0)\">"
      } ?? "",
      "{{style}}": "<style\(tag)>\n\(PageFile.style)</style>",
      "{{colors}}": colorTables,
      "{{embedded}}": embedded ?? "null",
      "{{script}}": "<script\(tag)>\n'use strict';\n\(constants)\(PageFile.script)</script>",
    ]
    return filled(PageFile.page, parts)
  }

  /// The colors of every map as one JSON object of base64 texts, 256 × 3 bytes each. The page thus uses the
  /// library's colors.
  private static var colorTables: String {
    let entries = ColorMap.allCases.map { map in
      "\"\(map.rawValue)\":\"\(Data(map.colors).base64EncodedString())\""
    }
    return
      "<script type=\"application/json\" id=\"colors\">{\(entries.joined(separator: ","))}</script>"
  }

  /// The template with its parts. One pass replaces the lines of names, so names inside parts stay unchanged.
  private static func filled(_ template: String, _ parts: [String: String]) -> String {
    template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      parts[String(line)] ?? String(line)
    }.joined(separator: "\n")
  }
}

import PictureFiles
import SystemEssentials

/// The page that shows a photo beside its depth: one HTML text with all of its styles and scripts inside.
///
/// The same page is served by `depth serve`, where pictures come from the server, and written by
/// ``html(photo:depth:camera:name:quality:threads:)``, where photo and depth are inside and nothing else is needed.
package enum DepthPage {
  /// A photo to try the page with, or one of its tour: rendered rooms, 640 × 480, JPEG.
  ///
  /// - Parameter name: `example.jpg`, `armchair.jpg` or `doorway.jpg`; of other names there is none.
  package static func photo(named name: String) -> [UInt8]? { PageFile.photo(named: name) }

  /// The page's server described as OpenAPI 3.1 in JSON.
  ///
  /// - Parameter base: The path prefix of all addresses, such as `/depth`; empty for none.
  package static func openAPI(under base: String = "") -> [UInt8] {
    guard !base.isEmpty else { return PageFile.openAPI }
    return Array(
      String(decoding: PageFile.openAPI, as: UTF8.self)
        .replacing("\"url\": \"/\"", with: "\"url\": \"\(base)\"").utf8)
  }

  /// A page and the content security policy that goes with it.
  package struct Served: Sendable {
    package let html, policy: String
  }

  /// The page for a server. Its policy lets it talk to that server alone.
  ///
  /// - Parameter doubtfulError: The relative error from which the page calls depth doubtful.
  package static func served(doubtfulError: Double) -> Served {
    // Only the page's own script has the number, which is another one each time.
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
  ///   - nonce: Goes with the policy of a served page.
  ///   - policy: For a page that no server sends.
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

  /// The colors of every map as one JSON object of base64 texts, 256 × 3 bytes each, so that the page's colors
  /// are the library's.
  private static var colorTables: String {
    let entries = ColorMap.allCases.map { map in
      "\"\(map.rawValue)\":\"\(Data(map.colors).base64EncodedString())\""
    }
    return
      "<script type=\"application/json\" id=\"colors\">{\(entries.joined(separator: ","))}</script>"
  }

  /// The template with its marks replaced, in one pass: a part that contains a mark stays as it is.
  private static func filled(_ template: String, _ parts: [String: String]) -> String {
    template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      parts[String(line)] ?? String(line)
    }.joined(separator: "\n")
  }
}

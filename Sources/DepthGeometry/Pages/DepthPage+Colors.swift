import PictureFiles
import SystemEssentials

extension DepthPage {
  /// The colors of every map as one JSON object of base64 texts, 256 × 3 bytes each, so that the page's colors
  /// are the library's.
  static var colorTables: String {
    let entries = ColorMap.allCases.map { map in
      "\"\(map.rawValue)\":\"\(Data(map.colors).base64EncodedString())\""
    }
    return
      "<script type=\"application/json\" id=\"colors\">{\(entries.joined(separator: ","))}</script>"
  }
}

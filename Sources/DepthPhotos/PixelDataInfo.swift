/// The range of a depth picture, from the XMP packet that a phone attaches to the picture.
///
/// > Source: the namespaces `http://ns.apple.com/pixeldatainfo/1.0/` and `http://ns.apple.com/depthData/1.0/` as ExifTool lists them
/// > (`apdi`, `depthData`); Apple, "AVDepthData", `depthDataAccuracy`.
package struct PixelDataInfo: Equatable, Sendable {
  /// The values at sample 0 and at the largest sample.
  package var minimum, maximum: Double
  /// Whether values are in 1 / metres instead of metres.
  package var isDisparity: Bool
  /// Whether the scale is unknown, as for most phones with two rear cameras.
  package var isRelative: Bool

  /// Parses a packet; `nil` if the packet is not XML or does not describe depth.
  package init?(packet: [UInt8]) {
    guard let root = try? XMLParser.parse(packet) else { return nil }
    func value(_ local: String, of vocabulary: String = "pixeldatainfo") -> String? {
      let name = XMLElement.Name("http://ns.apple.com/\(vocabulary)/1.0/", local)
      for element in root.all {
        if let value = element.attributes[name] { return value }
        if element.name == name { return element.text }
      }
      return nil
    }
    guard let type = value("AuxiliaryImageType"), ["disparity", "depth"].contains(type),
      let minimum = value("FloatMinValue").flatMap(Double.init),
      let maximum = value("FloatMaxValue").flatMap(Double.init),
      minimum.isFinite, maximum.isFinite, maximum > minimum
    else { return nil }
    (self.minimum, self.maximum, isDisparity) = (minimum, maximum, type == "disparity")
    isRelative = value("Accuracy", of: "depthData") == "relative"
  }
}

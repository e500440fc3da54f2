/// The range of a depth picture, from the packet that a phone attaches to it.
///
/// > Source: the namespace `http://ns.apple.com/pixeldatainfo/1.0/` as ExifTool lists it (`apdi`).
package struct PixelDataInfo: Equatable, Sendable {
  /// The quantity at 0 and at the largest sample.
  package var minimum, maximum: Double
  /// 1 / metres; else metres.
  package var isDisparity: Bool

  /// `nil` when the packet is not XML or does not describe depth.
  package init?(packet: [UInt8]) {
    let space = "http://ns.apple.com/pixeldatainfo/1.0/"
    guard let root = try? XMLParser.parse(packet) else { return nil }
    func value(_ local: String) -> String? {
      for element in root.all {
        if let value = element.attributes[.init(space, local)] { return value }
        if element.name == .init(space, local) { return element.text }
      }
      return nil
    }
    guard let type = value("AuxiliaryImageType"), ["disparity", "depth"].contains(type),
      let minimum = value("FloatMinValue").flatMap(Double.init),
      let maximum = value("FloatMaxValue").flatMap(Double.init),
      minimum.isFinite, maximum.isFinite, maximum > minimum
    else { return nil }
    (self.minimum, self.maximum, isDisparity) = (minimum, maximum, type == "disparity")
  }
}

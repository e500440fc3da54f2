import DepthErrors
public import DepthImages
public import PictureFiles
import SystemEssentials

extension DepthPhoto {
  /// A JPEG of a photo that contains the photo's depth map, as a 16-bit gray PNG in the encoding RangeInverse.
  ///
  /// Depths are metres along the optical axis. Pixels without a value are stored with the farthest depth.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - depth: Metres or disparity, of any size.
  ///   - format: The storage of the depth map in the JPEG.
  ///   - quality: JPEG quality of the photo, 1…100.
  ///   - metadata: The part of the photo's metadata that is copied into the file.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the bytes.
  /// - Throws: `DepthError`, with code `unknownUnit` for a map without a metric unit or without values.
  ///
  /// > Source: developers.google.com/depthmap-metadata; "Dynamic Depth", version 1.0 (2019), sections
  /// > 2 (file structure), 4 (device), 5 (camera), 6 (depth map), 13 (container).
  public static func encode(
    _ photo: Image, depth: DepthMap, as format: Format,
    quality: Int = ImageFileFormat.defaultQuality,
    metadata: MetadataPolicy = .withoutLocation, threads: Int? = nil
  ) throws -> [UInt8] {
    try depth.unit.requireMetric(for: "a depth photo")
    guard let code = DepthCode(spanning: depth) else {
      throw DepthError.noUnit(for: "a depth photo")
    }
    let jpeg = try JPEGFile(
      photo.withMetadata(metadata).encoded(as: .jpeg(quality: quality)), name: "JPEG")
    let png = try PNGParts.gray16(
      code.samples(of: depth), height: depth.height, width: depth.width, threads: threads)
    switch format {
    case .gDepth: return jpeg.inserting(gDepthSegments(code, png, photo))
    case .dynamicDepth:
      return jpeg.inserting(dynamicDepthSegments(code, pngLength: png.count, photo)) + png
    }
  }

  private static let software = "swift-depth"

  private static func gDepthSegments(
    _ code: DepthCode, _ png: [UInt8], _ photo: Image
  ) -> [UInt8] {
    let main = XMPPackets.Description(
      namespaces: [("GDepth", gDepth)],
      attributes: [
        ("GDepth:Format", code.format.rawValue), ("GDepth:Near", "\(code.near)"),
        ("GDepth:Far", "\(code.far)"), ("GDepth:Mime", "image/png"), ("GDepth:Units", "m"),
        ("GDepth:MeasureType", "OpticalAxis"), ("GDepth:Software", software),
        ("GDepth:ImageWidth", "\(photo.width)"), ("GDepth:ImageHeight", "\(photo.height)"),
      ])
    let extended = XMPPackets.Description(
      namespaces: [("GDepth", gDepth)],
      attributes: [("GDepth:Data", Data(png).base64EncodedString())])
    return XMPPackets.segments(main: main, extended: extended)
  }

  private static func dynamicDepthSegments(
    _ code: DepthCode, pngLength: Int, _ photo: Image
  ) -> [UInt8] {
    let elements = ["Device", "Profile", "Camera", "DepthMap", "Image", "Container", "Item"]
    let namespaces = elements.map { ($0, dynamicDepth($0.lowercased())) }
    func list(_ kind: String, _ items: [String]) -> String {
      "<rdf:\(kind)>" + items.map { "<rdf:li rdf:parseType=\"Resource\">\($0)</rdf:li>" }.joined()
        + "</rdf:\(kind)>"
    }
    func item(_ mime: String, _ uri: String, _ length: Int) -> String {
      "<Container:Item Item:Mime=\"\(mime)\" Item:Length=\"\(length)\" Item:Padding=\"0\" "
        + "Item:DataURI=\"\(uri)\"/>"
    }
    let depthMap =
      "<Camera:DepthMap DepthMap:Format=\"\(code.format.rawValue)\" DepthMap:Near=\"\(code.near)\" "
      + "DepthMap:Far=\"\(code.far)\" DepthMap:Units=\"Meters\" "
      + "DepthMap:DepthURI=\"android/depthmap\" DepthMap:ItemSemantic=\"Depth\" "
      + "DepthMap:MeasureType=\"OpticalAxis\" DepthMap:Software=\"\(software)\"/>"
    let image =
      "<Camera:Image Image:ItemSemantic=\"Primary\" Image:ItemURI=\"android/original\"/>"
    let content =
      "<Device:Profiles>"
      + list(
        "Seq",
        [
          "<Device:Profile Profile:Type=\"DepthPhoto\"><Profile:CameraIndices><rdf:Seq>"
            + "<rdf:li>0</rdf:li></rdf:Seq></Profile:CameraIndices></Device:Profile>"
        ]) + "</Device:Profiles><Device:Cameras>"
      + list(
        "Seq", ["<Device:Camera Camera:Trait=\"Physical\">\(image)\(depthMap)</Device:Camera>"])
      + "</Device:Cameras><Device:Container><Container:Directory>"
      + list(
        "Seq",
        [
          item("image/jpeg", "android/original", 0),
          item("image/png", "android/depthmap", pngLength),
        ]) + "</Container:Directory></Device:Container>"
    return XMPPackets.segments(
      main: XMPPackets.Description(namespaces: namespaces, content: content))
  }
}

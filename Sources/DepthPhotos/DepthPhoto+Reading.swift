import DepthBase
import DepthErrors
public import DepthImages
import PictureFiles
public import SystemEssentials

/// Reads and writes photos that contain their own depth map.
///
/// ```swift
/// let embedded = try DepthPhoto.depth(contentsOf: url)  // GDepth or Dynamic Depth
/// let jpeg = try DepthPhoto.encode(photo, depth: embedded, as: .gDepth)
/// ```
public enum DepthPhoto {
  /// The storage of depth in a JPEG.
  ///
  /// ```swift
  /// let portrait = try DepthPhoto.encode(photo, depth: depth, as: .dynamicDepth)
  /// ```
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// GDepth: the depth map is inside the XMP block, as base64.
    case gDepth = "gdepth"
    /// Dynamic Depth: the depth map follows the photo, and the XMP block describes it.
    case dynamicDepth = "dynamic-depth"
  }

  static let gDepth = "http://ns.google.com/photos/1.0/depthmap/"
  /// The namespace of an element of Dynamic Depth 1.0.
  static func dynamicDepth(_ element: String) -> String {
    "http://ns.google.com/photos/dd/1.0/\(element)/"
  }

  /// The depth map inside a JPEG, HEIC or AVIF photo, turned upright like the photo.
  ///
  /// - Returns: A map in metres for files with distances or dioptres; in disparity if an iPhone stored 1 / metres; in relative
  ///   disparity if the phone states that the scale is unknown; otherwise a normalized map. In a HEIC photo's normalized map,
  ///   near is bright.
  /// - Throws: `DepthError`.
  public static func depth(contentsOf url: URL) throws -> DepthMap {
    try depth(decoding: InputFile.bytes(of: url), name: url.relativePath)
  }

  /// The depth map inside a photo in memory. Errors name the photo `name`.
  ///
  /// - Throws: `DepthError` with code `noDepth` for a photo without depth; code `damaged` for a damaged photo; code `tooLarge`
  ///   above the limits.
  public static func depth(
    decoding bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()
  ) throws -> DepthMap {
    try embedded(decoding: bytes, name: name, limits: limits).map
  }

  /// The depth map inside a photo, with a note on unusual properties.
  package static func embedded(
    decoding bytes: [UInt8], name: String, limits: ImageLimits
  ) throws -> EmbeddedDepth {
    switch FileSignature(of: bytes) {
    case .heic, .avif:
      return EmbeddedDepth(
        map: heifDepth(try HEIFDepth(decoding: bytes, name: name, limits: limits)))
    case .png, .webp: throw DepthError.noEmbeddedDepth(file: name)
    default: break
    }
    let jpeg = try JPEGFile(bytes, name: name)
    let packets = try XMPPackets(jpeg, name: name)
    var depth: EmbeddedDepth
    if let data = packets.value(of: .init(gDepth, "Data")) {
      depth = try gDepthMap(packets, data, name: name, limits: limits)
    } else if let map = packets.elements.first(where: { property("DepthURI", of: $0) != nil }) {
      depth = try dynamicDepthMap(map, packets, jpeg, name: name, limits: limits)
    } else if let map = try multiPictureMap(bytes, name: name, limits: limits) {
      depth = EmbeddedDepth(map: map)
    } else {
      throw DepthError.noEmbeddedDepth(file: name)
    }
    depth.map = depth.map.upright(asPhotoIn: bytes)
    return depth
  }

  private static func gDepthMap(
    _ packets: XMPPackets, _ base64: String, name: String, limits: ImageLimits
  ) throws -> EmbeddedDepth {
    func value(_ local: String) -> String? { packets.value(of: .init(gDepth, local)) }
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters), !data.isEmpty
    else {
      throw DepthError.damaged(
        file: name, format: "GDepth", reason: "the data are not base64")
    }
    let code = try DepthCode(
      format: value("Format"), near: value("Near"), far: value("Far"), unit: value("Units"),
      file: name, container: "GDepth")
    return try code.depth(numbers(Array(data), name: name, limits: limits))
  }

  /// A property of a Dynamic Depth element, by default of a depth map.
  private static func property(
    _ local: String, of element: XMLElement, in vocabulary: String = "depthmap"
  ) -> String? {
    let name = XMLElement.Name(dynamicDepth(vocabulary), local)
    return element.attributes[name] ?? element.child(name)?.text
  }

  private static func dynamicDepthMap(
    _ map: XMLElement, _ packets: XMPPackets, _ jpeg: JPEGFile, name: String, limits: ImageLimits
  ) throws -> EmbeddedDepth {
    func fault(_ reason: String) -> DepthError {
      .damaged(file: name, format: "Dynamic Depth", reason: reason)
    }
    let items = packets.elements.compactMap {
      element -> (uri: String, length: Int, padding: Int)? in
      func value(_ local: String) -> String? { property(local, of: element, in: "item") }
      guard let uri = value("DataURI") else { return nil }
      return (uri, Int(value("Length") ?? "") ?? 0, Int(value("Padding") ?? "") ?? 0)
    }
    guard let index = items.firstIndex(where: { $0.uri == property("DepthURI", of: map) }) else {
      throw fault("the directory does not list the depth map")
    }
    // The first item is the photo. The other items follow until the end of the file.
    guard index > 0, items.allSatisfy({ $0.length >= 0 && $0.padding >= 0 }) else {
      throw fault("the directory does not begin with the photo, or has a negative length")
    }
    let length = items[index].length
    func place(behind bytes: [Int]) -> Range<Int>? {
      let start = bytes.reduce(jpeg.end) { $0.addingReportingOverflow($1).partialValue }
      guard length > 0, start >= jpeg.end, start <= jpeg.bytes.count,
        length <= jpeg.bytes.count - start
      else { return nil }
      return start..<start + length
    }
    let before = [items[0].padding] + items[1..<index].flatMap { [$0.length, $0.padding] }
    // Gain maps precede the depth map, unless the file is too short for gain maps.
    guard
      let place = place(behind: gainMapLengths(packets) + before) ?? place(behind: before)
    else { throw fault("the depth map lies beyond the end of the file") }
    let code = try DepthCode(
      format: property("Format", of: map), near: property("Near", of: map),
      far: property("Far", of: map), unit: property("Units", of: map), file: name,
      container: "Dynamic Depth")
    return try code.depth(
      numbers(Array(jpeg.bytes[place]), name: name, limits: limits))
  }

  /// Lengths and paddings of gain maps after the photo, which only the directory of Ultra HDR lists.
  ///
  /// > Source: Android, "Ultra HDR Image Format," version 1.1, GContainer.
  private static func gainMapLengths(_ packets: XMPPackets) -> [Int] {
    let items = "http://ns.google.com/photos/1.0/container/item/"
    return packets.elements.flatMap { element -> [Int] in
      func value(_ local: String) -> String? {
        let name = XMLElement.Name(items, local)
        return element.attributes[name] ?? element.child(name)?.text
      }
      guard value("Semantic") == "GainMap" else { return [] }
      return [value("Length"), value("Padding")].map { max(0, $0.flatMap { Int($0) } ?? 0) }
    }
  }

  /// The stored picture as numbers from 0 to 1.
  private static func numbers(
    _ bytes: [UInt8], name: String, limits: ImageLimits
  ) throws -> DepthMap {
    try DepthMap(
      decoding: bytes, name: "\(name), its depth", unit: .normalized(near: .black), limits: limits)
  }
}

/// The depth inside a photo.
package struct EmbeddedDepth: Equatable, Sendable {
  package var map: DepthMap
  /// A note on an unusual property; `nil` without such a property.
  package var note: String?
}

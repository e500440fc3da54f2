import DepthBase
import DepthErrors

/// The contents of a JPEG's marker segments before its first scan.
///
/// > Source: ITU-T T.81, annex B; CIPA DC-008, section 4.7 (APP1); ICC.1:2022, annex B.4 (APP2).
struct JPEGHeader {
  private(set) var width = 0
  private(set) var height = 0
  /// Number of components: 1 for gray, 3 for color, 4 for CMYK or YCCK.
  private(set) var components = 0
  /// Marker of the frame header.
  private(set) var frame: UInt8 = 0
  /// Bits of a sample.
  private(set) var precision = 8
  /// Whether arithmetic coding is used, which has no minimum number of bits per block.
  private(set) var isArithmetic = false
  /// Number of samples per pixel, over all components: 1.5 with 4:2:0, 3 with 4:4:4.
  private(set) var samplesPerPixel = 0.0
  /// Number of passes over the picture; see ``JPEGScans``.
  private(set) var scans = 0
  private(set) var exif: [UInt8]?
  /// The ICC profile, joined from its segments; `nil` if a segment is missing.
  private(set) var iccProfile: [UInt8]?
  /// The standard XMP packet.
  private(set) var packet: Range<Int>?
  /// The arrangement of the picture's two views, in words; `nil` for one view.
  private(set) var jpsLayout: String?
  /// Offset of the first byte after the first start-of-scan marker.
  private var scanOffset = 0

  /// - Throws: `DepthError` with code `damaged` when the segments contain no picture.
  init(_ bytes: [UInt8], file: String) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "JPEG", reason: reason)
    }
    let reader = ByteReader(bytes: bytes)
    var profile: [UInt8: ArraySlice<UInt8>] = [:]
    var profileCount: UInt8 = 0
    scanOffset = try JPEGSegments.walk(bytes, file: file) { marker, body in
      let segment = bytes[body]
      let start = body.lowerBound
      if JPEGMarker.isFrame(marker), components == 0, segment.count >= 6 {
        height = Int(reader.integer(UInt16.self, at: start + 1) ?? 0)
        width = Int(reader.integer(UInt16.self, at: start + 3) ?? 0)
        components = Int(segment[start + 5])
        (frame, precision) = (marker, Int(segment[start]))
        isArithmetic = marker >= 0xC9
        samplesPerPixel = Self.samplesPerPixel(factors: segment.dropFirst(6))
      } else if marker == JPEGMarker.app1, exif == nil, reader.holds("Exif\0", at: start) {
        exif = Array(segment.dropFirst(6))
      } else if marker == JPEGMarker.app1, packet == nil,
        reader.holds("http://ns.adobe.com/xap/1.0/\0", at: start)
      {
        packet = body
      } else if marker == JPEGMarker.app3, reader.holds("_JPSJPS_", at: start) {
        jpsLayout = Self.jpsLayout(reader.integer(UInt32.self, at: start + 10))
      } else if marker == JPEGMarker.app2, segment.count > 14,
        reader.holds("ICC_PROFILE\0", at: start)
      {
        profile[segment[start + 12]] = segment.dropFirst(14)
        profileCount = segment[start + 13]
      }
    }
    guard components > 0 else { throw damaged("a scan comes before the frame header") }
    if profileCount > 0 {
      let parts = (1...profileCount).compactMap { profile[$0] }
      if parts.count == Int(profileCount) { iccProfile = Array(parts.joined()) }
    }
    scans = JPEGScans.count(bytes, after: scanOffset)
    guard scans <= JPEGScans.largestCount else {
      throw damaged("has \(scans) scans, expected at most \(JPEGScans.largestCount)")
    }
  }

  /// - Parameter descriptor: A descriptor whose lowest byte is the kind of media, 1 for stereo. The next byte
  ///   is the layout.
  private static func jpsLayout(_ descriptor: UInt32?) -> String? {
    guard let descriptor, descriptor & 0xFF == 1 else { return nil }
    return switch descriptor >> 8 & 0xFF {
    case 1: "interleaved rows"
    case 3: "top and bottom"
    case 4: "anaglyph"
    default: "side by side"
    }
  }

  /// - Parameter factors: Three bytes for each component, of which the second contains the sampling factors.
  private static func samplesPerPixel(factors: ArraySlice<UInt8>) -> Double {
    let factors = stride(from: factors.startIndex + 1, to: factors.endIndex, by: 3)
      .map { (across: Int(factors[$0]) >> 4, down: Int(factors[$0]) & 15) }
    let across = factors.map(\.across).max() ?? 1
    let down = factors.map(\.down).max() ?? 1
    let samples = factors.reduce(0) { $0 + $1.across * $1.down }
    return Double(samples) / Double(max(across * down, 1))
  }

  /// Returns whether the scans of a file without an end marker contain every bit of every coefficient. Always
  /// false for arithmetic coding, whose decoder does not detect missing bytes.
  func hasAllScans(_ bytes: [UInt8]) -> Bool {
    !isArithmetic && JPEGScans.areComplete(bytes, after: scanOffset, components: components)
  }

  /// The kind of a JPEG that photo decoders do not support; `nil` for supported kinds.
  var unusualKind: String? {
    JPEGMarker.undecodedProcess(frame).map { "a \($0) JPEG" }
      ?? (precision == 8 ? nil : "a JPEG of \(precision) bits per sample")
  }

  /// Returns whether an end-of-image marker follows the scans. It is missing in a truncated file.
  func isComplete(_ bytes: [UInt8]) -> Bool {
    JPEGScans.end(of: bytes, after: scanOffset) != nil
  }

  /// Returns whether the number of bytes is plausible for the number of pixels.
  ///
  /// A Huffman code has at least one bit, and the first scan has one code per 8×8 block of the finest
  /// component. A tolerance factor of 4 allows for odd sampling factors.
  func isPlausible(byteCount: Int) -> Bool {
    isArithmetic || width * height <= 4 * 64 * 8 * byteCount
  }
}

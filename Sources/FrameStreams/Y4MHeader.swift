import DepthErrors
package import DepthImages

/// The first line of a YUV4MPEG2 stream.
///
/// > Source: mjpegtools, `yuv4mpeg(5)`; ffmpeg's `yuv4mpegdec.c` for `XCOLORRANGE`.
package struct Y4MHeader: Sendable, Hashable {
  /// The chroma sampling of the planes.
  package enum Chroma: Sendable, Hashable {
    case quarter, half, full, fullWithAlpha, strip, none

    /// Columns and rows of luma per chroma sample; `nil` without chroma.
    var steps: (across: Int, down: Int)? {
      switch self {
      case .quarter: (2, 2)
      case .half: (2, 1)
      case .full, .fullWithAlpha: (1, 1)
      case .strip: (4, 1)
      case .none: nil
      }
    }

    /// The size of one chroma plane of a picture.
    func planeSize(of picture: PixelSize) -> PixelSize {
      guard let steps else { return PixelSize(width: 0, height: 0) }
      return PixelSize(
        width: (picture.width + steps.across - 1) / steps.across,
        height: (picture.height + steps.down - 1) / steps.down)
    }

    /// Bytes of all planes of a picture.
    ///
    /// - Parameter bits: Bits per sample; above 8, samples have two bytes.
    func bytes(of picture: PixelSize, bits: Int) -> Int {
      let plane = planeSize(of: picture)
      let samples =
        picture.width * picture.height * (self == .fullWithAlpha ? 2 : 1)
        + 2 * plane.width * plane.height
      return samples * (bits > 8 ? 2 : 1)
    }

    /// - Parameter name: The text after `C` in the header, without siting and bits.
    init?(named name: Substring) {
      switch name {
      case "420": self = .quarter
      case "422": self = .half
      case "444": self = .full
      case "444alpha": self = .fullWithAlpha
      case "411": self = .strip
      case "mono": self = .none
      default: return nil
      }
    }
  }

  /// The chroma siting in 4:2:0.
  package enum Siting: Sendable, Hashable {
    /// Chroma samples at the center of four luma samples: JPEG, MPEG-1.
    case center
    /// Chroma samples between the two left luma samples: MPEG-2 and its successors.
    case left
    /// Chroma samples at the upper left luma sample: DV.
    case topLeft
  }

  package var size: PixelSize
  package var chroma: Chroma
  package var siting = Siting.center
  /// Bits per sample; above 8, samples have two bytes, low byte first.
  package var bits = 8
  /// Frames per second; `0:0` if unknown.
  package var rate = Ratio(0, 0)
  /// Width over height of a pixel; `0:0` if unknown.
  package var pixelAspect = Ratio(0, 0)
  /// `nil` if unknown.
  package var range: ColorRange?
  package var matrix: ColorMatrix?

  package static let signature = Array("YUV4MPEG2".utf8)

  /// Bytes of a frame after its header line.
  var frameBytes: Int { chroma.bytes(of: size, bits: bits) }

  /// Parses the line, without its line feed.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` for an unsupported tag; code `damaged` for a malformed line.
  package init(_ line: [UInt8], file: String) throws {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "YUV4MPEG2", reason: reason)
    }
    func unsupported(_ found: String, _ expected: String) -> DepthError {
      .unsupportedFormat(file: file, expected: expected, found: found)
    }
    guard words.first == "YUV4MPEG2" else { throw damaged("does not begin with YUV4MPEG2") }
    var (width, height): (Int?, Int?)
    size = PixelSize(width: 0, height: 0)
    chroma = .quarter
    for word in words.dropFirst() {
      let value = word.dropFirst()
      switch word.first {
      case "W": width = Int(value)
      case "H": height = Int(value)
      case "F":
        guard let ratio = Ratio(value) else { throw damaged("the frame rate is '\(value)'") }
        rate = ratio
      case "A":
        guard let ratio = Ratio(value) else { throw damaged("the pixel aspect is '\(value)'") }
        pixelAspect = ratio
      case "I":
        guard value == "p" || value == "?" else {
          throw unsupported(
            "interlaced frames (I\(value))", "progressive ones (Ip); ffmpeg -vf yadif makes them")
        }
      case "C":
        guard readSampling(value) else {
          throw unsupported(
            "chroma format C\(value)",
            "C420jpeg, C420mpeg2, C420paldv, C422, C444, C444alpha, C411 or Cmono, or p10 or p12 of "
              + "C420, C422 and C444, Cmono10 or Cmono12; ffmpeg -pix_fmt yuv420p makes the first")
        }
      case "X": try readExtension(value, unsupported)
      default: throw damaged("the header has the unknown tag '\(word)'")
      }
    }
    guard let width, let height else { throw damaged("the header has no width and height") }
    size = PixelSize(width: width, height: height)
  }

  /// Parses the text after `C`: sampling, then siting or bits.
  ///
  /// - Returns: Whether the format is supported.
  private mutating func readSampling(_ value: Substring) -> Bool {
    var name = value
    for (ending, siting) in [("jpeg", Siting.center), ("mpeg2", .left), ("paldv", .topLeft)]
    where value == "420" + ending {
      self.siting = siting
      name = "420"
    }
    for (ending, bits) in [("p10", 10), ("p12", 12)]
    where ["420", "422", "444"].contains(value.dropLast(3)) && value.hasSuffix(ending) {
      // Formats with more than 8 bits are later than MPEG-2 and use MPEG-2's siting.
      (self.bits, siting) = (bits, .left)
      name = value.dropLast(3)
    }
    for bits in [10, 12] where value == "mono\(bits)" { (self.bits, name) = (bits, "mono") }
    guard let known = Chroma(named: name) else { return false }
    chroma = known
    return true
  }

  /// Parses an extension tag. Color tags are used or rejected; all other tags are ignored.
  private mutating func readExtension(
    _ value: Substring, _ unsupported: (String, String) -> DepthError
  ) throws {
    let parts = value.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return }
    let text = parts[1].lowercased()
    switch parts[0] {
    case "COLORRANGE":
      guard let known = ColorRange(rawValue: text) else {
        throw unsupported("color range X\(value)", "XCOLORRANGE=LIMITED or FULL")
      }
      range = known
    case "COLORMATRIX", "COLORSPACE":
      switch text {
      case "bt601", "smpte170m", "bt470bg": matrix = .bt601
      case "bt709": matrix = .bt709
      case "bt2020", "bt2020nc": matrix = .bt2020
      default: throw unsupported("color matrix X\(value)", "bt601, bt709 or bt2020")
      }
    default: break
    }
  }
}

import DepthImages
import FrameStreams

/// Uncompressed frames with times, as a Matroska stream for ffmpeg.
///
/// Unlike in YUV4MPEG2, each frame has a time, in microseconds.
///
/// > Source: RFC 9559, "Matroska Media Container Format Specification"; ffmpeg's `raw.c` for the codes of sample
/// > formats.
struct RawMatroska {
  let layout: PlanarLayout
  let size: PixelSize
  /// Nanoseconds per frame, for rate control; 0 if unknown.
  let frameDuration: Int
  /// Width over height of a pixel.
  let pixelAspect: Ratio
  let tags: ColorTags

  /// Nanoseconds per tick.
  private static let tick = 1000

  /// ffmpeg's FourCC of the sample format.
  private var fourCC: [UInt8] {
    let deep = UInt8(layout.bits)
    return switch layout.chroma {
    case .quarter: layout.bits > 8 ? [0x59, 0x33, 11, deep] : Array("I420".utf8)
    case .half: layout.bits > 8 ? [0x59, 0x33, 10, deep] : Array("Y42B".utf8)
    case .full, .fullWithAlpha: layout.bits > 8 ? [0x59, 0x33, 0, deep] : Array("444P".utf8)
    case .strip: Array("Y41B".utf8)
    case .none: layout.bits > 8 ? [0x59, 0x31, 0, deep] : Array("Y800".utf8)
    }
  }

  /// Header of the stream, before the first frame.
  var header: [UInt8] {
    let head = Self.element(
      [0x1A, 0x45, 0xDF, 0xA3],
      Self.number([0x42, 0x86], 1) + Self.number([0x42, 0xF7], 1) + Self.number([0x42, 0xF2], 4)
        + Self.number([0x42, 0xF3], 8) + Self.element([0x42, 0x82], Array("matroska".utf8))
        + Self.number([0x42, 0x87], 4) + Self.number([0x42, 0x85], 2))
    // This segment has an unknown length.
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    let name = Array("depth".utf8)
    let info = Self.element(
      [0x15, 0x49, 0xA9, 0x66],
      Self.number([0x2A, 0xD7, 0xB1], Self.tick) + Self.element([0x4D, 0x80], name)
        + Self.element([0x57, 0x41], name))
    var video = Self.number([0xB0], size.width) + Self.number([0xBA], size.height)
    if let aspect = pixelAspect.value, aspect != 1 {
      // The display units give the aspect ratio.
      video += Self.number([0x54, 0xB0], size.width * pixelAspect.numerator)
      video += Self.number([0x54, 0xBA], size.height * pixelAspect.denominator)
      video += Self.number([0x54, 0xB2], 3)
    }
    video += Self.element([0x2E, 0xB5, 0x24], fourCC)
    video += Self.element([0x55, 0xB0], color)
    var track =
      Self.number([0xD7], 1) + Self.number([0x73, 0xC5], 1) + Self.number([0x83], 1)
      + Self.number([0x9C], 0) + Self.element([0x86], Array("V_UNCOMPRESSED".utf8))
    if frameDuration > 0 { track += Self.number([0x23, 0xE3, 0x83], frameDuration) }
    track += Self.element([0xE0], video)
    let tracks = Self.element([0x16, 0x54, 0xAE, 0x6B], Self.element([0xAE], track))
    return head + segment + info + tracks
  }

  /// Color tags and chroma siting.
  private var color: [UInt8] {
    var numbers: [(id: UInt8, value: Int)] = []
    if let matrix = tags.matrix { numbers.append((0xB1, matrix)) }
    if let range = tags.range { numbers.append((0xB9, range == .limited ? 1 : 2)) }
    if let transfer = tags.transfer { numbers.append((0xBA, transfer)) }
    if let primaries = tags.primaries { numbers.append((0xBB, primaries)) }
    if layout.chroma == .quarter {
      // 1 is the edge, 2 the center.
      numbers.append((0xB7, layout.siting == .center ? 2 : 1))
      numbers.append((0xB8, layout.siting == .topLeft ? 1 : 2))
    }
    return numbers.flatMap { Self.number([0x55, $0.id], $0.value) }
  }

  /// The bytes before a frame: the headers of a cluster that contains only this frame.
  func start(of count: Int, microseconds: Int) -> [UInt8] {
    let time = Self.number([0xE7], microseconds)
    // The block belongs to track 1, has the cluster's time, and is a key frame.
    let block: [UInt8] = [0xA3] + Self.length(4 + count) + [0x81, 0, 0, 0x80]
    return [0x1F, 0x43, 0xB6, 0x75] + Self.length(time.count + block.count + count) + time + block
  }

  /// Encodes a length in eight bytes; the first byte is the marker.
  private static func length(_ count: Int) -> [UInt8] {
    [0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + length(content.count) + content
  }

  private static func number(_ id: [UInt8], _ value: Int) -> [UInt8] {
    element(id, (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }
}

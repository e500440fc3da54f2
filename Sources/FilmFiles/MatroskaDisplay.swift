import DepthBase
import DepthErrors
import SystemEssentials

/// Correction of a view's display size in Matroska and WebM films with two views per frame.
///
/// ffmpeg states half the frame size, which is correct for views with all samples. Views with half of the samples
/// are displayed at the full frame size.
///
/// > Source: RFC 9559, "Matroska Media Container Format Specification", 18.10; RFC 8794 for the elements.
struct MatroskaDisplay {
  /// The side that ffmpeg halved.
  let halved: ViewPacking.Side

  private typealias Element = (id: Int, range: Range<Int>, content: Range<Int>)

  // Identifiers, named as in RFC 9559.
  private static let (segment, cluster, tracks) = (0x1853_8067, 0x1F43_B675, 0x1654_AE6B)
  private static let (trackEntry, video, stereoMode, checksum) = (0xAE, 0xE0, 0x53B8, 0xBF)
  private static let width = (pixels: 0xB0, display: 0x54B0)
  private static let height = (pixels: 0xBA, display: 0x54BA)

  /// Writes the size of frames into the video settings of the file.
  ///
  /// - Throws: `DepthError`.
  func correct(_ file: String) throws {
    try FileBytes.tagStereo(file) { handle throws(SystemFailure) in
      var place = 0
      while place < handle.count {
        let head = try handle.read(12, at: place)
        guard let element = Self.element(head, at: 0), element.id != Self.cluster else { break }
        let start = place + element.content.lowerBound
        if element.id == Self.tracks {
          var tracks = try handle.read(element.content.count, at: start)
          guard correct(&tracks) else { break }
          try handle.write(tracks, at: start)
          return nil
        }
        place = element.id == Self.segment ? start : place + element.range.count
      }
      return "it has no video track"
    }
  }

  /// Corrects the content of the `Tracks` element without changing its length.
  ///
  /// - Returns: Whether a track has two views and enough space for the corrected size.
  func correct(_ tracks: inout [UInt8]) -> Bool {
    for track in Self.elements(tracks, in: 0..<tracks.count) where track.id == Self.trackEntry {
      let parts = Self.elements(tracks, in: track.content)
      guard let video = parts.first(where: { $0.id == Self.video }),
        let pictures = corrected(tracks, in: video.content)
      else { continue }
      let content = parts.flatMap { part in
        part.id == Self.video
          ? Self.bytes(Self.video, pictures) : Array(tracks[part.range])
      }
      // ffmpeg writes the length in eight bytes, most of which are not needed.
      let room = track.range.count - content.count - 1
      guard (1...8).contains(room), room == 8 || content.count < 1 << (7 * room) - 1 else {
        return false
      }
      tracks.replaceSubrange(
        track.range, with: [UInt8(Self.trackEntry)] + Self.length(content.count, in: room) + content
      )
      if let first = Self.element(tracks, at: 0), first.id == Self.checksum,
        first.content.count == 4
      {
        let sum = CRC32.checksum(tracks[first.range.upperBound...])
        for byte in 0..<4 {
          tracks[first.content.lowerBound + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte))
        }
      }
      return true
    }
    return false
  }

  /// The video settings with the corrected size; `nil` for one view.
  private func corrected(_ bytes: [UInt8], in content: Range<Int>) -> [UInt8]? {
    let parts = Self.elements(bytes, in: content)
    func value(_ id: Int) -> Int? {
      parts.first { $0.id == id }.map { part in
        bytes[part.content].reduce(0) { $0 << 8 | Int($1) }
      }
    }
    let side = halved == .width ? Self.width : Self.height
    guard value(Self.stereoMode) != nil, let half = value(side.display),
      let pixels = value(side.pixels)
    else { return nil }
    // ffmpeg rounded half of an odd number down.
    let whole = 2 * half + (pixels == 2 * half + 1 ? 1 : 0)
    return parts.flatMap { part in
      part.id == side.display
        ? Self.bytes(part.id, Self.number(whole)) : Array(bytes[part.range])
    }
  }

  /// The element at an offset; `nil` if its header is truncated.
  private static func element(_ bytes: [UInt8], at place: Int) -> Element? {
    guard place < bytes.count, bytes[place] >= 0x10 else { return nil }
    let name = place..<place + bytes[place].leadingZeroBitCount + 1
    guard name.upperBound < bytes.count, bytes[name.upperBound] > 0 else { return nil }
    let count = bytes[name.upperBound].leadingZeroBitCount + 1
    let start = name.upperBound + count
    guard start <= bytes.count else { return nil }
    let size = bytes[name.upperBound..<start].reduce(0) { $0 << 8 | Int($1) }
    let length = size & (1 << (7 * count) - 1)
    let id = bytes[name].reduce(0) { $0 << 8 | Int($1) }
    return (id, place..<start + length, start..<start + length)
  }

  /// The elements in a range of the bytes.
  private static func elements(_ bytes: [UInt8], in part: Range<Int>) -> [Element] {
    var result: [Element] = []
    var place = part.lowerBound
    while place < part.upperBound, let next = element(bytes, at: place),
      next.range.upperBound <= part.upperBound
    {
      result.append(next)
      place = next.range.upperBound
    }
    return result
  }

  /// Encodes an element with the shortest possible length field.
  private static func bytes(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    let count = (1...8).first { content.count < 1 << (7 * $0) - 1 } ?? 8
    return number(id) + length(content.count, in: count) + content
  }

  /// Encodes a length in a given number of bytes, with the marker bit in the first byte.
  private static func length(_ value: Int, in count: Int) -> [UInt8] {
    let marked = value | 1 << (7 * count)
    return (0..<count).reversed().map { UInt8(truncatingIfNeeded: marked >> (8 * $0)) }
  }

  /// Encodes a number without leading zeros.
  private static func number(_ value: Int) -> [UInt8] {
    let count = max((Int.bitWidth - value.leadingZeroBitCount + 7) / 8, 1)
    return (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

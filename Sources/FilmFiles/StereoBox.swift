import DepthBase
import DepthErrors
import SystemEssentials

/// The MP4 box that describes the layout of views in the frames of a stereo film.
///
/// > Source: Google, "Spherical Video V2 RFC", `st3d`: https://github.com/google/spatial-media.
struct StereoBox {
  /// Stereo mode: 1 top and bottom, 2 side by side.
  let mode: UInt8

  /// Inserts the box into the first video track's sample description.
  ///
  /// The `moov` box must be the last box of the file, which is ffmpeg's default. The insertion then moves no data that
  /// `moov` refers to.
  ///
  /// - Throws: `DepthError`.
  func insert(into file: String) throws {
    try FileBytes.tagStereo(file) { handle throws(SystemFailure) in
      var place = 0
      var last: (start: Int, type: String) = (0, "")
      while place < handle.count {
        let head = try handle.read(16, at: place)
        guard head.count >= 8 else { return "a box is cut off" }
        var size = Self.number(head[0..<4])
        if size == 1, head.count >= 16 { size = Self.number(head[8..<16]) }
        if size == 0 { size = handle.count - place }
        guard size >= 8 else { return "a box has no length" }
        guard size <= handle.count - place else { return "a box is cut off" }
        last = (place, String(decoding: head[4..<8], as: UTF8.self))
        place += size
      }
      guard last.type == "moov" else { return "moov is not its last box" }
      var moov = try handle.read(handle.count - last.start, at: last.start)
      guard tag(&moov) else { return "its video track has no sample description" }
      try handle.write(moov, at: last.start)
      return nil
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Inserts the box into a complete `moov` box.
  ///
  /// - Returns: Whether there is a video track.
  func tag(_ moov: inout [UInt8]) -> Bool {
    for track in Self.boxes(moov, in: 8..<moov.count) where track.type == "trak" {
      var path = [0..<moov.count, track.range]
      var inside = track.range
      for name in ["mdia", "minf", "stbl", "stsd"] {
        guard
          let next = Self.boxes(moov, in: inside.lowerBound + 8..<inside.upperBound)
            .first(where: { $0.type == name })
        else { break }
        path.append(next.range)
        inside = next.range
        if name == "mdia" {
          // The handler gives the kind of the track.
          let handler = Self.boxes(moov, in: inside.lowerBound + 8..<inside.upperBound)
            .first { $0.type == "hdlr" }
          let isVideo = handler.map {
            $0.range.count >= 20
              && Array(moov[$0.range.lowerBound + 16..<$0.range.lowerBound + 20])
                == Array("vide".utf8)
          }
          if isVideo != true { break }
        }
      }
      guard path.count == 6 else { continue }
      // Version, flags and the number of entries precede the first entry.
      guard inside.count >= 16,
        let entry = Self.boxes(moov, in: inside.lowerBound + 16..<inside.upperBound).first
      else { continue }
      path.append(entry.range)
      let box: [UInt8] = [0, 0, 0, 13] + Array("st3d".utf8) + [0, 0, 0, 0, mode]
      moov.insert(contentsOf: box, at: entry.range.upperBound)
      for range in path {
        let at = range.lowerBound
        let size = Self.number(moov[at..<at + 4]) + box.count
        for byte in 0..<4 { moov[at + byte] = UInt8(truncatingIfNeeded: size >> (24 - 8 * byte)) }
      }
      return true
    }
    return false
  }

  /// The boxes in a range of the bytes, including their headers.
  private static func boxes(
    _ bytes: [UInt8], in part: Range<Int>
  ) -> [(type: String, range: Range<Int>)] {
    var result: [(type: String, range: Range<Int>)] = []
    var place = part.lowerBound
    while place + 8 <= part.upperBound {
      let size = number(bytes[place..<place + 4])
      guard size >= 8, place + size <= part.upperBound else { break }
      result.append(
        (String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), place..<place + size))
      place += size
    }
    return result
  }
}

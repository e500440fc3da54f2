import DepthErrors
import DepthImages
import PictureFiles

/// Splits Motion JPEG, a sequence of JPEG pictures, into frames.
///
/// Segments are skipped by their lengths, so that a thumbnail inside a segment does not end the frame.
///
/// > Source: ITU-T T.81, annex B.
enum JPEGSplitter {
  /// Maximum bytes of one frame.
  static let largestFrame = 1 << 26

  /// Reads one frame from its start-of-image marker to its end-of-image marker.
  ///
  /// - Parameter frame: Receives the bytes that were read, even for a damaged frame.
  /// - Returns: The frame's stored size; `nil` at the end of the stream.
  /// - Throws: `DepthError` with code `damaged`.
  static func next(
    _ source: inout ByteSource, index: Int, frame: inout [UInt8]
  ) throws -> PixelSize? {
    frame = []
    // Some cameras pad frames with zeros.
    while let byte = try source.peek(1).first, byte == 0 { _ = try source.byte() }
    let start = Array(try source.peek(2))
    if start.isEmpty { return nil }
    let name = "\(source.name), frame \(index)"
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: name, format: "JPEG", reason: reason)
    }
    guard start == startOfImage else { throw damaged("does not begin with FF D8") }
    frame = try source.bytes(2)
    var size: PixelSize?
    while true {
      guard frame.count <= largestFrame else {
        throw damaged("is longer than \(largestFrame) bytes")
      }
      var marker = try source.byte()
      guard marker == 0xFF else { throw ended(marker, damaged) }
      frame.append(0xFF)
      repeat { marker = try source.byte() } while marker == 0xFF
      guard let marker else { throw ended(nil, damaged) }
      frame.append(marker)
      if marker == JPEGMarker.endOfImage {
        guard let size else { throw damaged("holds no picture") }
        return size
      }
      // The next frame begins before the end of this frame.
      if marker == JPEGMarker.startOfImage { throw ended(nil, damaged) }
      if JPEGMarker.isAlone(marker) { continue }
      let lengthBytes = try source.bytes(2)
      frame += lengthBytes
      guard lengthBytes.count == 2 else { throw ended(nil, damaged) }
      let length = Int(lengthBytes[0]) << 8 | Int(lengthBytes[1])
      guard length >= 2 else { throw damaged("a segment's length is \(length)") }
      let body = try source.bytes(length - 2)
      frame += body
      guard body.count == length - 2 else { throw ended(nil, damaged) }
      // Only application segments and comments may contain a picture. In other segments, a wrong length extends into the
      // next frame.
      let mayHoldPicture =
        JPEGMarker.applications.contains(marker) || marker == JPEGMarker.comment
      guard mayHoldPicture || !holdsStart(body) else { throw ended(nil, damaged) }
      if JPEGMarker.isFrame(marker), body.count >= 6 {
        size = PixelSize(
          width: Int(body[3]) << 8 | Int(body[4]), height: Int(body[1]) << 8 | Int(body[2]))
      }
      if marker == JPEGMarker.startOfScan { try appendScan(&source, to: &frame, damaged) }
    }
  }

  private static let startOfImage = [0xFF, JPEGMarker.startOfImage]

  /// Skips the rest of a damaged frame.
  ///
  /// - Returns: Whether another frame follows.
  static func skipToStart(_ source: inout ByteSource) throws -> Bool {
    while true {
      let next = Array(try source.peek(3))
      if next == startOfImage + [0xFF] { return true }
      guard try source.byte() != nil else { return false }
      var skipped: [UInt8] = []
      while !(try source.appendUpToMarkerPrefix(to: &skipped, limit: 1 << 16)) {
        if try source.peek(1).isEmpty { return false }
        skipped = []
      }
    }
  }

  /// Whether the bytes contain a start-of-image marker followed by another marker.
  private static func holdsStart(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(2).contains {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
    }
  }

  /// Appends a scan's data up to the next marker, whose 0xFF is not consumed.
  private static func appendScan(
    _ source: inout ByteSource, to frame: inout [UInt8], _ damaged: (String) -> DepthError
  ) throws {
    while true {
      let next = try source.peek(2)
      guard next.count == 2 else { throw ended(nil, damaged) }
      let second = next[next.startIndex + 1]
      let isData =
        next[next.startIndex] != 0xFF || second == 0
        || JPEGMarker.restarts.contains(second)
      guard isData else { return }
      if next[next.startIndex] == 0xFF {
        frame += try source.bytes(2)
      } else if !(try source.appendUpToMarkerPrefix(to: &frame, limit: largestFrame)) {
        throw frame.count > largestFrame
          ? damaged("is longer than \(largestFrame) bytes") : ended(nil, damaged)
      }
    }
  }

  private static func ended(_ found: UInt8?, _ damaged: (String) -> DepthError) -> DepthError {
    damaged(found == nil ? "ends before its last pixel" : "a marker is missing")
  }
}

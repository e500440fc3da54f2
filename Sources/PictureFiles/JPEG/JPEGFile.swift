import DepthBase
import DepthErrors
import DepthImages

/// The marker segments and the end of a JPEG, for container formats that add data to a JPEG.
///
/// > Source: ITU-T T.81, annex B.
package struct JPEGFile {
  package struct Segment {
    /// The byte after 0xFF.
    package var marker: UInt8
    /// The range after the two length bytes.
    package var body: Range<Int>
  }

  package let bytes: [UInt8]
  /// Everything before the first scan.
  package let segments: [Segment]
  /// The offset after the end-of-image marker, or after the last byte of a file without this marker.
  package let end: Int

  /// - Throws: `DepthError` with code `damaged`.
  package init(_ bytes: [UInt8], name: String) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: name, format: "JPEG", reason: reason)
    }
    self.bytes = bytes
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw damaged("does not begin with FF D8") }
    var segments: [Segment] = []
    let scan = try JPEGSegments.walk(bytes, file: name) { marker, body in
      segments.append(Segment(marker: marker, body: body))
    }
    self.segments = segments
    if let end = JPEGScans.end(of: bytes, after: scan) {
      self.end = end
    } else {
      // Only the decoder can determine whether more than the marker is missing.
      _ = try Image(decoding: bytes, name: name)
      end = bytes.count
    }
  }

  /// Bodies of segments that begin with a null-terminated name, without this name.
  package func bodies(of marker: UInt8, named name: String) -> [ArraySlice<UInt8>] {
    let head = Array(name.utf8) + [0]
    return segments.filter { $0.marker == marker && bytes[$0.body].starts(with: head) }
      .map { bytes[$0.body].dropFirst(head.count) }
  }

  /// The offset for new application segments: after the leading JFIF and Exif segments.
  package var insertionOffset: Int { Self.insertionOffset(after: segments, of: bytes) }

  /// ``insertionOffset`` of a file with these segments.
  static func insertionOffset(after segments: [Segment], of bytes: [UInt8]) -> Int {
    var offset = 2
    for segment in segments {
      let isJFIF = segment.marker == JPEGMarker.app0
      let isExif =
        segment.marker == JPEGMarker.app1 && bytes[segment.body].starts(with: "Exif\0".utf8)
      guard isJFIF || isExif else { break }
      offset = segment.body.upperBound
    }
    return offset
  }

  /// The file with segments inserted at ``insertionOffset``, and without the bytes after its end.
  package func inserting(_ added: [UInt8]) -> [UInt8] {
    var whole = Array(bytes[..<insertionOffset])
    whole += added
    whole += bytes[insertionOffset..<end]
    return whole
  }

  /// A whole segment: marker, length and body.
  ///
  /// - Precondition: `body` has at most 65533 bytes.
  package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    precondition(body.count <= 65_533, "segment of \(body.count) bytes, expected at most 65533")
    return [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }
}

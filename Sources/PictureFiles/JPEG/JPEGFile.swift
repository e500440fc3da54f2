import AtomicFiles
import DepthErrors

/// The marker segments of a JPEG and where its picture ends, so that containers can add to it.
///
/// > Source: ITU-T T.81, annex B.
package struct JPEGFile {
  package struct Segment {
    /// The byte behind 0xFF.
    package var marker: UInt8
    /// Behind the two bytes of length.
    package var body: Range<Int>
  }

  package let bytes: [UInt8]
  /// Everything before the first scan.
  package private(set) var segments: [Segment] = []
  /// Offset behind the end-of-image marker.
  package private(set) var end = 0

  /// - Throws: ``DepthError`` with code `damaged`.
  package init(_ bytes: [UInt8], name: String) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: name, format: "JPEG", reason: reason)
    }
    self.bytes = bytes
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw damaged("does not begin as one") }
    var offset = 2
    while true {
      while offset < bytes.count, bytes[offset] != 0xFF { offset += 1 }
      while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
      guard offset + 2 < bytes.count else { throw damaged("ends inside its header") }
      let marker = bytes[offset]
      offset += 1
      if marker == 0 || marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      guard length >= 2, offset + length <= bytes.count else {
        throw damaged("ends inside its header")
      }
      if marker == 0xDA { break }
      segments.append(Segment(marker: marker, body: offset + 2..<offset + length))
      offset += length
    }
    // Inside scans 0xFF is followed by 0, a restart marker, or the next real marker.
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] == 0xD9 {
        end = offset + 2
        return
      }
      offset += 1
    }
    throw damaged("ends before all pixels are there")
  }

  /// Bodies of the segments that begin with a null-terminated name, without the name.
  package func bodies(of marker: UInt8, named name: String) -> [ArraySlice<UInt8>] {
    let head = Array(name.utf8) + [0]
    return segments.filter { $0.marker == marker && bytes[$0.body].starts(with: head) }
      .map { bytes[$0.body].dropFirst(head.count) }
  }

  /// Where new application segments go: behind the JFIF and Exif segments that stand first.
  package var insertionOffset: Int {
    var offset = 2
    for segment in segments {
      let isJFIF = segment.marker == 0xE0
      let isExif = segment.marker == 0xE1 && bytes[segment.body].starts(with: "Exif\0".utf8)
      guard isJFIF || isExif else { break }
      offset = segment.body.upperBound
    }
    return offset
  }

  /// The file with segments added at ``insertionOffset``, without what may follow its end.
  package func inserting(_ added: [UInt8]) -> [UInt8] {
    Array(bytes[..<insertionOffset]) + added + bytes[insertionOffset..<end]
  }

  /// A segment ready to stand in a file.
  ///
  /// - Precondition: `body` has at most 65533 bytes.
  package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    precondition(body.count <= 65_533, "segment of \(body.count) bytes, expected at most 65533")
    return [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }
}

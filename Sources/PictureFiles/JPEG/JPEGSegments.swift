import DepthBase
import DepthErrors

/// Reads the marker segments of a JPEG before its first scan.
///
/// > Source: ITU-T T.81, annex B.
enum JPEGSegments {
  /// Maximum segments before the first scan. This many segments of full length have 4 GiB.
  static let largestCount = 1 << 16
  /// Bytes between two checks for cancellation.
  private static let checkInterval = 1 << 22

  /// Visits the segments before the first scan.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - file: Name of the file, for errors.
  ///   - visit: Receives the byte after 0xFF and the range of bytes after the length.
  /// - Returns: The offset of the first byte after the first start-of-scan marker.
  /// - Throws: `DepthError` with code `damaged` for a segment beyond the end of the file, a missing scan, or too many segments;
  ///   `CancellationError`.
  static func walk(
    _ bytes: [UInt8], file: String, _ visit: (_ marker: UInt8, _ body: Range<Int>) -> Void
  ) throws -> Int {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "JPEG", reason: reason)
    }
    let reader = ByteReader(bytes: bytes)
    // After Ctrl-C, a photo in progress is finished unless its file is exceptionally long.
    var (offset, count, checked) = (2, 0, checkInterval)
    while true {
      if offset >= checked {
        try Cancellation.current?.check()
        checked = offset + checkInterval
      }
      // Garbage and fill bytes before a marker are skipped, as in libjpeg.
      while offset < bytes.count, bytes[offset] != 0xFF { offset += 1 }
      while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
      guard offset < bytes.count else { throw damaged("ends before the picture begins") }
      let marker = bytes[offset]
      offset += 1
      if marker == 0 || JPEGMarker.isAlone(marker) { continue }
      if marker == JPEGMarker.startOfScan { return offset }
      guard marker != JPEGMarker.endOfImage else { throw damaged("holds no picture") }
      guard let length = reader.integer(UInt16.self, at: offset), length >= 2,
        offset + Int(length) <= bytes.count
      else { throw damaged("ends inside its header") }
      count += 1
      guard count <= largestCount else {
        throw damaged("has more than \(largestCount) segments before its picture")
      }
      visit(marker, offset + 2..<offset + Int(length))
      offset += Int(length)
    }
  }

  /// Returns whether the file mentions depth: an application segment with the vocabulary of GDepth or Dynamic Depth, or a
  /// further picture with the vocabulary of Apple's depth.
  static func mentionDepth(in bytes: [UInt8]) -> Bool {
    mention("/1.0/depthmap/", in: bytes)
      || MultiPictureIndex.pictures(of: bytes).contains {
        mention("/pixeldatainfo/1.0/", in: Array(bytes[$0]))
      }
  }

  private static func mention(_ name: StaticString, in bytes: [UInt8]) -> Bool {
    var isFound = false
    let reader = ByteReader(bytes: bytes)
    _ = try? walk(bytes, file: "") { marker, body in
      isFound = isFound || marker == JPEGMarker.app1 && reader.contains(name, in: body)
    }
    return isFound
  }
}

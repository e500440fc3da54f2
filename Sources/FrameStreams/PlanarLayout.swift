import DepthErrors
package import DepthImages

/// The layout of a picture as planes of luma and chroma.
package struct PlanarLayout: Sendable, Hashable {
  package var chroma: Y4MHeader.Chroma
  package var siting: Y4MHeader.Siting
  /// Bits per sample; above 8, samples have two bytes, low byte first.
  package var bits: Int
  package var matrix: ColorMatrix
  package var range: ColorRange

  package init(
    chroma: Y4MHeader.Chroma, siting: Y4MHeader.Siting = .left, bits: Int = 8,
    matrix: ColorMatrix, range: ColorRange = .limited
  ) {
    (self.chroma, self.siting, self.bits) = (chroma, siting, bits)
    (self.matrix, self.range) = (matrix, range)
  }

  /// The layout without alpha, which no output picture has.
  package var opaque: PlanarLayout {
    var layout = self
    if chroma == .fullWithAlpha { layout.chroma = .full }
    return layout
  }

  /// The layout with a chroma sample per pixel, for views that are interleaved pixel by pixel.
  package var unshared: PlanarLayout {
    var layout = self
    layout.chroma = .full
    return layout
  }

  /// Columns and rows of luma per chroma sample; `nil` without chroma.
  package var steps: (across: Int, down: Int)? { chroma.steps }

  /// Bytes of a picture.
  package func bytes(of size: PixelSize) -> Int { chroma.bytes(of: size, bits: bits) }

  /// The sampling tag of YUV4MPEG2, and extension tags for range and matrix.
  package var tags: String {
    let sampling =
      switch chroma {
      case .quarter:
        bits > 8
          ? "420p\(bits)"
          : siting == .center ? "420jpeg" : siting == .left ? "420mpeg2" : "420paldv"
      case .half: bits > 8 ? "422p\(bits)" : "422"
      case .full, .fullWithAlpha: bits > 8 ? "444p\(bits)" : "444"
      case .strip: "411"
      case .none: bits > 8 ? "mono\(bits)" : "mono"
      }
    let matrix = chroma == .none ? "" : " XCOLORMATRIX=\(matrix.rawValue)"
    return "C\(sampling) XCOLORRANGE=\(range.rawValue.uppercased())\(matrix)"
  }
}

/// The storage of a stream of pictures.
package enum FrameStorage: Sendable, Hashable {
  case y4m(PlanarLayout)
  case rgb24, bgra, ppm, mjpeg
}

extension FrameReader {
  /// The bytes of the next frame; `nil` at the end.
  mutating func nextContent() throws -> EncodedFrame.Content? {
    switch layout {
    case .y4m(let header):
      guard try skipFrameLine() else { return nil }
      return .planes(planes(of: header), header.size, try whole(header.frameBytes))
    case .raw(let size, let format):
      guard !(try source.peek(1).isEmpty) else { return nil }
      let count = format.bytesPerRow(width: size.width) * size.height
      return .raw(size, try whole(count), format)
    case .pnm:
      // A line feed between two pictures is accepted.
      while let byte = try source.peek(1).first, byte == 0x0A { _ = try source.byte() }
      guard !(try source.peek(1).isEmpty) else { return nil }
      let header = try PNMHeader(&source)
      try check(header.size, index: count)
      return .pnm(header, try whole(header.frameBytes))
    case .mjpeg: return try nextJPEG()
    }
  }

  /// The next intact JPEG. Damaged frames are skipped, because each frame begins with a marker.
  ///
  /// - Throws: `DepthError` for a damaged frame without a successor, and for a frame that is too large.
  private mutating func nextJPEG() throws -> EncodedFrame.Content? {
    var isBehindDamage = false
    var bytes: [UInt8] = []
    while true {
      do {
        guard let found = try JPEGSplitter.next(&source, index: count, frame: &bytes) else {
          return nil
        }
        do { try check(found, index: count) } catch let error as DepthError
          where error.code == .sizeMismatch && isBehindDamage
        {
          // The marker belongs to a thumbnail inside a damaged frame.
          continue
        }
        searchable = Self.largestSearch
        return .jpeg(bytes)
      } catch let error as DepthError where error.code == .damaged {
        // A wrong length may have consumed later frames.
        if bytes.count <= searchable {
          searchable -= bytes.count
          source.putBack(bytes.dropFirst(2))
        }
        guard try JPEGSplitter.skipToStart(&source) else { throw error }
        // A damaged frame counts once, even if it contains several start markers.
        if !isBehindDamage {
          damaged.add()
          count += 1
        }
        isBehindDamage = true
      }
    }
  }

  /// Reads all bytes of a frame.
  private mutating func whole(_ wanted: Int) throws -> [UInt8] {
    let bytes = try source.bytes(wanted)
    guard bytes.count == wanted else {
      throw DepthError(
        .damaged, file: source.name,
        "frame \(count) ends after \(bytes.count) of \(wanted) bytes")
    }
    return bytes
  }

  /// Reads the line before a frame's planes; returns `false` at the end.
  private mutating func skipFrameLine() throws -> Bool {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: source.name, format: "YUV4MPEG2", reason: reason)
    }
    do {
      guard let line = try source.line(limit: 256) else { return false }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.first == "FRAME" else {
        throw damaged("frame \(count) does not begin with FRAME")
      }
      if let tag = words.dropFirst().first(where: { $0.hasPrefix("I") }),
        !["Ip", "I?"].contains(tag)
      {
        throw damaged("frame \(count) is interlaced (\(tag)), expected progressive frames")
      }
    } catch is LineTooLong {
      throw damaged("frame \(count) does not begin with FRAME")
    }
    return true
  }
}

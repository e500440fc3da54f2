import DepthBase
package import DepthImages

/// Pieces of PNG files, for containers of whole pictures.
package enum PNGParts {
  /// A gray file of 16-bit samples.
  ///
  /// - Parameters:
  ///   - samples: `height · width` samples, row 0 at the top.
  ///   - compression: Speed and size of the compression.
  ///   - software: The program that writes the file; `nil` for none.
  ///   - threads: Threads to use; `nil` for one per processor.
  /// - Throws: `DepthError` for too many pixels or a number of threads outside 1…256.
  package static func gray16(
    _ samples: [UInt16], height: Int, width: Int, compression: PNGCompression = .default,
    software: String? = nil, threads: Int?
  ) throws -> [UInt8] {
    let bytes = samples.flatMap { sample in
      [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
    }
    return try PNGWriter(
      height: height, width: width, layout: .gray16, compression: compression
    ).file(
      bytes, chunks: PNGChunks.software(software), threads: ThreadCount.checked(threads))
  }

  /// A gray file of 8-bit samples.
  ///
  /// - Parameters:
  ///   - samples: `height · width` samples, row 0 at the top.
  ///   - compression: Speed and size of the compression.
  ///   - software: The program that writes the file; `nil` for none.
  ///   - threads: Threads to use; `nil` for one per processor.
  /// - Throws: `DepthError` for too many pixels or a number of threads outside 1…256.
  package static func gray8(
    _ samples: [UInt8], height: Int, width: Int, compression: PNGCompression = .default,
    software: String? = nil, threads: Int?
  ) throws -> [UInt8] {
    try PNGWriter(
      height: height, width: width, layout: .gray8, compression: compression
    ).file(
      samples, chunks: PNGChunks.software(software), threads: ThreadCount.checked(threads))
  }

  /// Type and data of every chunk of a file.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  package static func chunks(of png: [UInt8]) throws -> [(type: String, data: [UInt8])] {
    try PNGChunks(png, file: "PNG").chunks.map { ($0.type, Array(png[$0.data])) }
  }
}

extension DepthMap {
  /// The map, rotated like its upright photo.
  ///
  /// - Parameter jpeg: The photo's file, with the orientation in its Exif block.
  package func upright(asPhotoIn jpeg: [UInt8]) -> DepthMap {
    guard let header = try? JPEGHeader(jpeg, file: "JPEG") else { return self }
    return upright(Orientation(exif: header.exif))
  }

  /// The map rotated upright.
  func upright(_ orientation: Orientation) -> DepthMap {
    guard orientation != .up else { return self }
    let turned = orientation.upright(values, channels: 1, height: height, width: width)
    return DepthMap(
      height: turned.height, width: turned.width, unit: unit, values: turned.samples)
  }
}

package import Tensors

/// Pieces of PNG files, for containers that are built from whole pictures.
package enum PNGParts {
  /// A grey file of 16-bit samples, row 0 at the top.
  package static func gray16(_ samples: [UInt16], height: Int, width: Int) throws -> [UInt8] {
    let bytes = samples.flatMap { sample in
      [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
    }
    return try PNGWriter(height: height, width: width, layout: .gray16).file(bytes)
  }

  /// Type and data of every chunk of a file.
  package static func chunks(of png: [UInt8]) throws -> [(type: String, data: [UInt8])] {
    try PNGChunks(png, file: "PNG").chunks.map { ($0.type, Array(png[$0.data])) }
  }

  /// A chunk ready to stand in a file.
  package static func chunk(_ type: StaticString, _ data: [UInt8]) -> [UInt8] {
    PNGChunks.chunk(type, data)
  }

  package static var signature: [UInt8] { PNGChunks.signature }
}

extension DepthMap {
  /// The map turned as the Exif block of its photo's file says: decoding a photo turns only the photo.
  package func upright(asPhotoIn jpeg: [UInt8]) -> DepthMap {
    guard let header = try? JPEGHeader(jpeg, file: "JPEG"),
      let orientation = header.exif.flatMap(ExifBlock.init)?.orientation, orientation != .up
    else { return self }
    // Turn the map as a picture of pixel numbers, three bytes each.
    var numbers: [UInt8] = []
    numbers.reserveCapacity(3 * values.count)
    for index in values.indices {
      for shift in [16, 8, 0] { numbers.append(UInt8(truncatingIfNeeded: index >> shift)) }
    }
    let turned = orientation.upright(numbers, height: height, width: width)
    let turnedValues = values.indices.map { pixel -> Float in
      let bytes = turned.pixels[3 * pixel..<3 * pixel + 3]
      return values[bytes.reduce(0) { $0 << 8 | Int($1) }]
    }
    return DepthMap(
      height: turned.height, width: turned.width, kind: kind, values: turnedValues)
  }
}

extension ImageMetadata {
  /// What an Exif block says; a block that is none is left out.
  package init(decodingExif block: [UInt8]) {
    guard let exif = ExifBlock(block) else {
      self.init()
      return
    }
    self.init(exif: block, focalLengthIn35mmFilm: exif.focalLengthIn35mmFilm)
  }
}

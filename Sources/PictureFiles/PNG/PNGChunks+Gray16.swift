extension PNGChunks {
  /// The samples of a whole file of 16-bit gray, as depth sensors and ``DepthMap`` write it,
  /// decoded in a third of libpng's time. `nil` for every other file, and for a damaged one:
  /// libpng then gives the reason.
  var plainGray16: [UInt16]? {
    // Compression, filter and interlace method 0.
    guard bitDepth == 16, colorType == 0, data(of: "IHDR")?.suffix(3) == [0, 0, 0],
      let first = chunks.firstIndex(where: { $0.type == "IDAT" }),
      let last = chunks.lastIndex(where: { $0.type == "IDAT" })
    else { return nil }
    var stream: [UInt8] = []
    for chunk in chunks[first...last] {
      guard chunk.type == "IDAT", let part = checked(chunk) else { return nil }
      if stream.isEmpty { stream = part } else { stream += part }
    }
    return Deflate.decompressed(stream[...], count: height * (1 + 2 * width)).flatMap {
      unfilteredGray16($0, height: height, width: width)
    }
  }
}

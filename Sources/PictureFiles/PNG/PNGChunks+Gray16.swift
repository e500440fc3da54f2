#if Codecs
  import CDepthDeflate
#endif

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
    return Self.inflated(stream, count: height * (1 + 2 * width)).flatMap {
      unfilteredGray16($0, height: height, width: width)
    }
  }

  /// The content of a zlib stream that is undamaged and holds exactly `count` bytes, by libdeflate
  /// in less than half of zlib's time for depth maps. libdeflate does not say what is wrong with a
  /// stream.
  static func inflated(_ stream: [UInt8], count: Int) -> [UInt8]? {
    #if Codecs
      var isWhole = false
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
        isWhole = unsafe cdeflate_inflate(
          stream, stream.count, output.baseAddress, count, &initialized)
        isWhole = isWhole && initialized == count
        if !isWhole { initialized = 0 }
      }
      return isWhole ? bytes : nil
    #else
      nil
    #endif
  }
}

import DepthBase
import DepthErrors
import DepthImages

#if Codecs
  import CDepthTurboJPEG
#endif

/// Decodes JPEG to upright RGB by TurboJPEG.
enum JPEGDecoder {
  /// The header of a file whose length is plausible for its number of pixels.
  ///
  /// - Throws: `DepthError` with code `damaged` or `tooLarge`.
  static func header(_ bytes: [UInt8], file: String, limits: ImageLimits) throws -> JPEGHeader {
    let header = try JPEGHeader(bytes, file: file)
    try limits.check(width: header.width, height: header.height, file: file)
    guard header.isPlausible(byteCount: bytes.count) else {
      throw damaged(
        file, "\(bytes.count) bytes cannot hold \(header.width)×\(header.height) pixels")
    }
    return header
  }

  /// Decodes a whole file to an upright picture.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  static func image(_ bytes: [UInt8], _ header: JPEGHeader, file: String) throws -> Image {
    Image(
      stored: try decode(bytes, header, file: file), height: header.height, width: header.width,
      exif: header.exif, iccProfile: header.iccProfile)
  }

  /// Stored pixels, `height × width × 3`.
  private static func decode(
    _ bytes: [UInt8], _ header: JPEGHeader, file: String
  ) throws -> [UInt8] {
    #if Codecs
      let (width, height) = (header.width, header.height)
      guard let handle = unsafe tjInitDecompress() else {
        throw damaged(file, "TurboJPEG cannot be initialized")
      }
      defer { unsafe tjDestroy(handle) }
      let isCMYK = header.components == 4
      let format = isCMYK ? TJPF_CMYK : TJPF_RGB
      let channels = isCMYK ? 4 : 3
      // LIMITSCANS: a progressive file of 500 or more scans is a denial-of-service attack.
      let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
      // The decoder reports missing blocks before the end marker, but treats a missing marker as an error.
      let isComplete = header.isComplete(bytes)
      let bytes = isComplete ? bytes : bytes + [0xFF, JPEGMarker.endOfImage]
      var status: Int32 = 0
      let pixels: [UInt8] = filledArray(count: width * height * channels) { pixels in
        // The memory is zeroed, so that pixels skipped by a hostile file do not reveal earlier content.
        pixels.update(repeating: 0)
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
          status = unsafe tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels.baseAddress, Int32(width),
            Int32(width * channels), Int32(height), Int32(format.rawValue), flags)
        }
      }
      if status != 0 {
        if let kind = header.unusualKind {
          throw DepthError(
            .unsupportedFormat, file: file,
            "is \(kind), which the installed TurboJPEG does not decode; convert it")
        }
        let message = unsafe String(cString: tjGetErrorStr2(handle))
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        guard isWarning, isHarmless(message), isComplete else {
          throw damaged(file, reason(message))
        }
      }
      guard isComplete || header.hasAllScans(bytes) else { throw damaged(file, cutOff) }
      return isCMYK ? rgb(fromCMYK: pixels) : pixels
    #else
      throw DepthError.withoutCodecs(format: "JPEG", file: file)
    #endif
  }

  /// Returns whether a warning is about oddities of known cameras that leave all pixels intact.
  private static func isHarmless(_ warning: String) -> Bool {
    let harmless = [
      "extraneous bytes before marker", "unknown JFIF revision number",
      "Unknown Adobe color transform code", "Invalid SOS parameters for sequential JPEG",
    ]
    return harmless.contains { warning.contains($0) }
  }

  private static let cutOff = "ends before its last pixel"

  /// The library's message, rephrased if common, else in lower case.
  private static func reason(_ message: String) -> String {
    if message.contains("Premature end") || message.contains("premature end") {
      return cutOff
    }
    var message = Substring(message)
    // "tjDecompress2(): …" contains a function name that does not help users.
    if let name = message.firstRange(of: "(): ") { message = message[name.upperBound...] }
    return message.prefix(1).lowercased() + message.dropFirst()
  }

  /// Converts inks to light: `R = (255 − C)(255 − K) / 255`, without a color profile.
  ///
  /// Files store the inverse (255 for no ink), as Adobe does. No standard requires the inverse, but Pillow, ffmpeg
  /// and OpenCV treat files without an Adobe segment in the same way.
  static func rgb(fromCMYK inks: [UInt8]) -> [UInt8] {
    let area = inks.count / 4
    return filledArray(count: area * 3) { light in
      let inks = inks.span
      for pixel in 0..<area {
        let key = Int(inks[pixel * 4 + 3])
        for channel in 0..<3 {
          let value = Int(inks[pixel * 4 + channel])
          light[pixel * 3 + channel] = UInt8((value * key + 127) / 255)
        }
      }
    }
  }

  private static func damaged(_ file: String, _ reason: String) -> DepthError {
    .damaged(file: file, format: "JPEG", reason: reason)
  }
}

package import DepthErrors

#if EXR
  import CDepthEXR
#endif

/// One channel of an OpenEXR file in memory, read and written by OpenEXRCore.
///
/// Compiled with the package's trait EXR only: OpenEXR is one library more to install. Without it both
/// functions throw ``DepthErrors/DepthError/withoutOpenEXR(file:)``.
///
/// > Source: “OpenEXRCore: C API”, version 3.1, openexr.com.
package enum OpenEXRChannel {
  /// Whether this build reads and writes OpenEXR.
  package static var isAvailable: Bool {
    #if EXR
      true
    #else
      false
    #endif
  }

  /// What to read; the caller has checked the sizes.
  package struct Request: Sendable {
    /// The part's index, and the channel's whole name.
    package var part: Int, channel: String
    /// Sides of the part's data window.
    package var height, width: Int
    /// Bytes of all channels of one chunk, and of the whole part.
    package var chunkBytes, partBytes: Int

    package init(
      part: Int, channel: String, height: Int, width: Int, chunkBytes: Int, partBytes: Int
    ) {
      (self.part, self.channel, self.height, self.width) = (part, channel, height, width)
      (self.chunkBytes, self.partBytes) = (chunkBytes, partBytes)
    }
  }

  /// Reads all values of a channel of scan lines or of the largest tiles, in a child process: a damaged
  /// file can crash the library.
  ///
  /// - Returns: `height · width` values, the top row first; halves and integers as floats.
  /// - Throws: `DepthError` with code `damaged` or `unreadable`; `unsupportedFormat` where the build has
  ///   no OpenEXR.
  package static func values(
    of bytes: [UInt8], _ request: Request, name: String
  ) throws -> [Float] {
    #if EXR
      try read(bytes, request, name: name)
    #else
      throw DepthError.withoutOpenEXR(file: name)
    #endif
  }

  /// A file of scan lines with one channel of 32-bit floats, compressed without loss (ZIP).
  ///
  /// - Parameters:
  ///   - values: `height · width` values, the top row first.
  ///   - channel: The channel's name.
  ///   - texts: Attributes of type `string`.
  /// - Throws: `DepthError` with code `unsupportedFormat` where the build has no OpenEXR, `unwritable`
  ///   when the library fails.
  package static func file(
    of values: [Float], height: Int, width: Int, channel: String,
    texts: [(name: String, text: String)]
  ) throws -> [UInt8] {
    #if EXR
      try write(values, height: height, width: width, channel: channel, texts: texts)
    #else
      throw DepthError.withoutOpenEXR(file: nil)
    #endif
  }
}

extension DepthError {
  /// The package was built without its trait EXR.
  package static func withoutOpenEXR(file: String?) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file,
      "this build has no OpenEXR, install libopenexr-dev and build with --traits default,EXR")
  }
}

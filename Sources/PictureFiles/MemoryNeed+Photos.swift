import AtomicFiles
package import ProcessLimits

extension PhotoFile: UndecodedPhoto {}

extension MemoryNeed {
  /// Decoding a photo: ``PhotoFile/image()``.
  package static func decoding(_ file: PhotoFile) -> MemoryNeed {
    MemoryNeed(peakOf: [file.decodingBytes])
  }

  /// Reading a depth map: samples of up to `channels` times two bytes, and values.
  static func reading(width: Int, height: Int, channels: Int) -> MemoryNeed {
    MemoryNeed(peakOf: [Double(width) * Double(height) * (Double(channels) * 2 + 2 * valueBytes)])
  }
}

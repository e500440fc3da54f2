package import ProcessLimits

extension MemoryNeed {
  /// Decoding a photo, estimating or reading its depth, and making and writing a page with both inside.
  ///
  /// - Parameter networkBytes: Input, activations and scratch of the network.
  package static func page(of file: some UndecodedPhoto, networkBytes: Int) -> MemoryNeed {
    let photo = file.pixels
    let stages = [
      file.decodingBytes,
      (colorBytes + valueBytes) * photo + Double(networkBytes),
      // Joint upsampling, as for effects.
      (2 * colorBytes + 3 * valueBytes) * photo,
      // The photo as a JPEG file and the map as samples, each once more as text, and both in the page.
      (colorBytes + valueBytes) * photo + 13 * photo,
    ]
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }
}

package import ProcessLimits

extension MemoryNeed {
  /// Decoding a photo, estimating or reading its depth, and an effect that depth drives.
  ///
  /// - Parameter networkBytes: Input, activations and scratch of the network.
  package static func effect(of file: some UndecodedPhoto, networkBytes: Int) -> MemoryNeed {
    let photo = file.pixels
    let held = (colorBytes + valueBytes) * photo
    let stages = [
      file.decodingBytes,
      held + Double(networkBytes),
      // Joint upsampling: the photo, the map twice, and the filter's maps at a fraction of the size.
      held + (colorBytes + 2 * valueBytes) * photo,
      // The lens: radii, places and colors behind edges; or the masked blur's light, four floats a pixel; the
      // result as pixels and as a file.
      held + (4 * valueBytes + valueBytes + colorBytes) * photo + 2 * colorBytes * photo,
    ]
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }
}

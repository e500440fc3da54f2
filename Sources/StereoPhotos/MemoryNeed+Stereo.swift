package import ProcessLimits

extension MemoryNeed {
  /// The pictures in memory while a stereo photo is made.
  package struct StereoPictures: Sendable, Hashable {
    /// Pixels of one view.
    package var view: Int
    /// Views at once.
    package var views: Int
    /// Pixels of the pictures that are put together from views.
    package var assembled: Int
    /// Bytes of encoded files.
    package var encoded: Int

    package init(view: Int, views: Int, assembled: Int, encoded: Int) {
      (self.view, self.views, self.assembled, self.encoded) = (view, views, assembled, encoded)
    }

    /// Bytes that an encoded pixel may have: noise in PNG does not shrink, and JPEG of the best
    /// quality halves it.
    package static func encodedBytes(pixels: Int, isLossless: Bool) -> Int {
      isLossless ? 3 * pixels : pixels * 3 / 2
    }
  }

  /// Decoding a photo, estimating or reading its depth, making views and writing them.
  ///
  /// - Parameters:
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - depthPixels: Pixels of the depth map.
  ///   - pictures: What is made.
  package static func stereo(
    of file: some UndecodedPhoto, networkBytes: Int, depthPixels: Int, pictures: StereoPictures
  ) -> MemoryNeed {
    let photo = file.pixels
    let depth = valueBytes * Double(depthPixels)
    let held = colorBytes * photo + depth
    // One view more, and two masks of holes, while views are made.
    let views =
      colorBytes * Double(pictures.view) * Double(pictures.views + (pictures.views > 2 ? 1 : 0))
      + 2 * Double(pictures.view)
    let stages = [
      file.decodingBytes,
      held + Double(networkBytes),
      // The map as parallax, and once more while it is filtered.
      held + 2 * depth + views,
      // Files as they are encoded, and once more when they are joined with their headers.
      held + views + colorBytes * Double(pictures.assembled) + 2 * Double(pictures.encoded),
    ]
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }
}

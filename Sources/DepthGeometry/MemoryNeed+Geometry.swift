package import ProcessLimits

extension MemoryNeed {
  /// Decoding a photo, estimating or reading its depth, and making and writing a cloud or a mesh.
  ///
  /// - Parameters:
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - isCloud: Whether there are points alone.
  ///   - keepsAllPixels: Whether every pixel becomes a vertex of a mesh, with two triangles.
  ///   - isSmooth: Whether the map is an estimate: between its edges it is smoother than a map from anywhere.
  package static func geometry(
    of file: some UndecodedPhoto, networkBytes: Int, isCloud: Bool, keepsAllPixels: Bool,
    isSmooth: Bool
  ) -> MemoryNeed {
    let photo = file.pixels
    // The photo, the map, its disparities twice, connections; errors of a mesh, numbers of its pixels.
    let surface =
      (colorBytes + 3 * valueBytes + 1 + (isCloud ? valueBytes : 3 * valueBytes)) * photo
    // Positions, normals, colors and texture coordinates; the file is written in pieces.
    let vertices = (isCloud ? 27 : 35) * photo
    // Pixels and vertices of two triangles.
    let triangles = isCloud ? 0 : (24 + 24) * photo
    let share =
      isCloud || keepsAllPixels ? 1 : isSmooth ? simplifiedShare.smooth : simplifiedShare.any
    let stages = [
      file.decodingBytes,
      (colorBytes + valueBytes) * photo + Double(networkBytes),
      // Joint upsampling, as for effects.
      (2 * colorBytes + 3 * valueBytes) * photo,
      surface + share * (vertices + triangles) + colorBytes * photo,
    ]
    return MemoryNeed(peakOf: stages, networkBytes: networkBytes)
  }

  /// The share of pixels that a simplified mesh keeps at most. Rooms as estimated keep less than 0.02, waves 15 pixels
  /// long with noise 0.45; a map of noise alone is cut everywhere.
  private static let simplifiedShare = (smooth: 0.05, any: 0.6)
}

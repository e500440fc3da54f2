import AtomicFiles
package import ProcessLimits

// Computed from sizes alone, before anything large is allocated. Each function adds up the buffers
// that live together in the stage that needs most; the numbers are bytes per pixel. They were
// compared with the peak resident size of `depth` on photos of 0.3 to 200 megapixels: the estimate
// is never below it, and less than twice as much. Compressed files, whose length is not known
// beforehand, are counted at the length of noise.
extension MemoryNeed {
  /// Bytes of `RGB` pixels, and of a 32-bit value.
  private static let (color, value) = (3.0, 4.0)
  /// Scratch rows, tables, stacks of threads and what the allocator keeps, for any work.
  private static let overhead = 24e6

  private init(_ bytes: Double) {
    // A need that no machine can meet is as good as any number that fits.
    self.init(bytes: Int(min(bytes + Self.overhead, 1e18)))
  }

  /// Decoding a photo: ``PhotoFile/image()``.
  package static func decoding(_ file: PhotoFile) -> MemoryNeed {
    MemoryNeed(Double(file.width) * Double(file.height) * file.decodingBytesPerPixel)
  }

  /// Reading a depth map: samples of up to `channels` times two bytes, and values.
  static func reading(width: Int, height: Int, channels: Int) -> MemoryNeed {
    MemoryNeed(Double(width) * Double(height) * (Double(channels) * 2 + 2 * value))
  }

  /// The outputs made of a map, as far as they need memory.
  package struct MapOutput: Sendable, Hashable {
    /// Pixels of the map before refinement.
    package var source: Int
    /// Rows and columns of the refined map.
    package var height, width: Int
    /// Whether a picture of the photo's size is made of it.
    package var hasView: Bool
    /// Whether the photo is written once more with the map inside.
    package var hasDepthPhoto: Bool

    package init(
      source: Int, height: Int, width: Int, hasView: Bool = false, hasDepthPhoto: Bool = false
    ) {
      (self.source, self.height, self.width) = (source, height, width)
      (self.hasView, self.hasDepthPhoto) = (hasView, hasDepthPhoto)
    }
  }

  /// Decoding a photo, estimating its depth, refining and writing the map.
  ///
  /// - Parameters:
  ///   - file: The photo.
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - output: What is made of the estimate.
  package static func map(
    of file: PhotoFile, networkBytes: Int, output: MapOutput
  ) -> MemoryNeed {
    let photo = Double(file.width) * Double(file.height)
    let map = Double(output.height) * Double(output.width)
    let held = color * photo + value * Double(output.source)
    // The joint filter works at up to 16 times the source's pixels: fourteen maps, and the photo.
    let filtered = min(16 * Double(output.source), map)
    var stages = [
      photo * file.decodingBytesPerPixel,
      held + Double(networkBytes),
      // The photo at the map's size, the map stretched to it, and the result.
      held + (map == photo ? 0 : color * map) + 2 * value * map
        + (14 * value + color) * filtered,
      // 16-bit samples, and their strips compressed and joined; floats need less.
      held + (value + 6) * map,
    ]
    if output.hasView {
      // The map stretched to the photo: values, weights, products and result; then its disparity,
      // stretched over 0…1, and the picture.
      stages.append(held + value * map + 4 * value * max(map, photo) + color * photo)
    }
    if output.hasDepthPhoto {
      // The map as 8-bit samples and both JPEGs, each as its encoder wrote it and joined.
      stages.append(held + value * map + 3 * value * map + 2 * color * (photo + map))
    }
    return MemoryNeed((stages.max() ?? 0) + Double(networkBytes))
  }

  /// Decoding a photo, estimating or reading its depth, and an effect that depth drives.
  ///
  /// - Parameter networkBytes: Input, activations and scratch of the network.
  package static func effect(of file: PhotoFile, networkBytes: Int) -> MemoryNeed {
    let photo = Double(file.width) * Double(file.height)
    let held = (color + value) * photo
    let stages = [
      photo * file.decodingBytesPerPixel,
      held + Double(networkBytes),
      // Joint upsampling: the photo, the map twice, and the filter's maps at a fraction of the size.
      held + (color + 2 * value) * photo,
      // The lens: radii, places and colors behind edges; or the article's light, four floats a pixel; the
      // result as pixels and as a file.
      held + (4 * value + value + color) * photo + 2 * color * photo,
    ]
    return MemoryNeed((stages.max() ?? 0) + Double(networkBytes))
  }

  /// Decoding a photo, estimating or reading its depth, and making and writing a cloud or a mesh.
  ///
  /// - Parameters:
  ///   - networkBytes: Input, activations and scratch of the network.
  ///   - isCloud: Whether there are points alone.
  ///   - keepsAllPixels: Whether every pixel becomes a vertex of a mesh, with two triangles.
  ///   - isSmooth: Whether the map is an estimate: between its edges it is smoother than a map from anywhere.
  package static func geometry(
    of file: PhotoFile, networkBytes: Int, isCloud: Bool, keepsAllPixels: Bool,
    isSmooth: Bool
  ) -> MemoryNeed {
    let photo = Double(file.width) * Double(file.height)
    // The photo, the map, its disparities twice, connections; errors of a mesh, and numbers of its pixels.
    let surface = (color + 3 * value + 1 + (isCloud ? value : 3 * value)) * photo
    // Positions, normals, colors and texture coordinates; the file is written in pieces.
    let vertices = (isCloud ? 27 : 35) * photo
    // Pixels and vertices of two triangles.
    let triangles = isCloud ? 0 : (24 + 24) * photo
    let share =
      isCloud || keepsAllPixels ? 1 : isSmooth ? simplifiedShare.smooth : simplifiedShare.any
    let stages = [
      photo * file.decodingBytesPerPixel,
      (color + value) * photo + Double(networkBytes),
      // Joint upsampling, as for effects.
      (2 * color + 3 * value) * photo,
      surface + share * (vertices + triangles) + color * photo,
    ]
    return MemoryNeed((stages.max() ?? 0) + Double(networkBytes))
  }

  /// The share of pixels that a simplified mesh keeps at most. Rooms as estimated keep less than 0.02, waves 15 pixels
  /// long with noise 0.45; a map of noise alone is cut everywhere.
  private static let simplifiedShare = (smooth: 0.05, any: 0.6)

  /// Decoding a photo, estimating or reading its depth, and making and writing a page with both inside.
  ///
  /// - Parameter networkBytes: Input, activations and scratch of the network.
  package static func page(of file: PhotoFile, networkBytes: Int) -> MemoryNeed {
    let photo = Double(file.width) * Double(file.height)
    let stages = [
      photo * file.decodingBytesPerPixel,
      (color + value) * photo + Double(networkBytes),
      // Joint upsampling, as for effects.
      (2 * color + 3 * value) * photo,
      // The photo as a JPEG file and the map as samples, each once more as text, and both in the page.
      (color + value) * photo + 13 * photo,
    ]
    return MemoryNeed((stages.max() ?? 0) + Double(networkBytes))
  }

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
    of file: PhotoFile, networkBytes: Int, depthPixels: Int, pictures: StereoPictures
  ) -> MemoryNeed {
    let photo = Double(file.width) * Double(file.height)
    let depth = value * Double(depthPixels)
    let held = color * photo + depth
    // One view more, and two masks of holes, while views are made.
    let views =
      color * Double(pictures.view) * Double(pictures.views + (pictures.views > 2 ? 1 : 0))
      + 2 * Double(pictures.view)
    let stages = [
      photo * file.decodingBytesPerPixel,
      held + Double(networkBytes),
      // The map as parallax, and once more while it is filtered.
      held + 2 * depth + views,
      // Files as they are encoded, and once more when they are joined with their headers.
      held + views + color * Double(pictures.assembled) + 2 * Double(pictures.encoded),
    ]
    return MemoryNeed((stages.max() ?? 0) + Double(networkBytes))
  }
}

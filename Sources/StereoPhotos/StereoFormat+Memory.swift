import AtomicFiles
package import ProcessLimits

extension StereoFormat {
  /// The pictures in memory while a photo of `height × width` becomes a file of this format.
  package func pictures(
    height: Int, width: Int, output: StereoOutput
  ) -> MemoryNeed.StereoPictures {
    let photo = height * width
    func code(_ pixels: Int) -> Int {
      MemoryNeed.StereoPictures.encodedBytes(
        pixels: pixels, isLossless: output.isLossless || requiredExtension == "png")
    }
    func pair(assembled: Int, written: Int) -> MemoryNeed.StereoPictures {
      .init(view: photo, views: 2, assembled: assembled, encoded: code(written))
    }
    switch self {
    case .wiggle, .wiggleGIF:
      let shown = min(width, max(1, output.animationWidth))
      let frame = shown * max(1, height * shown / width)
      let views = output.animationViews
      // There and back, without the turning points twice. GIF has at most one byte per pixel and a
      // little; the frames as palette indices go one by one.
      let frames = max(2, 2 * views - 2)
      return .init(
        view: frame, views: views, assembled: 0,
        encoded: self == .wiggle ? code(frames * frame) : frames * frame * 3 / 2)
    case .quilt(let columns, let rows):
      let tile = max(1, min(width, output.quiltWidth / max(1, columns)))
      let tilePixels = tile * max(1, (height * tile + width / 2) / width)
      let quilt = tilePixels * columns * rows
      return .init(
        view: tilePixels, views: columns * rows, assembled: quilt, encoded: code(quilt))
    case .left, .right: return pair(assembled: 0, written: photo)
    case .leftRight, .mpo: return pair(assembled: 0, written: 2 * photo)
    case .sideBySide, .overUnder, .crossEyed:
      return pair(assembled: 2 * photo, written: 2 * photo)
    // Both views squeezed, then beside each other.
    case .sideBySideHalf, .overUnderHalf: return pair(assembled: 2 * photo, written: photo)
    case .anaglyph, .rowInterleaved, .columnInterleaved:
      return pair(assembled: photo, written: photo)
    // The masks as pictures, then beside each other.
    case .holeMask: return pair(assembled: 4 * photo, written: 2 * photo)
    }
  }
}

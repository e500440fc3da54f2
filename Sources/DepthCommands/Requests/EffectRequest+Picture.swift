import DepthBase
import DepthEffects
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles

/// The pictures of an effect.
///
/// The photo may be a reduced copy of the original photo. Then `sent` is the size of the original; the default is the
/// size of the picture. A focus point is scaled to the copy, and a focal length in pixels refers to the original.
extension EffectRequest {
  /// Whether files are always PNG, since JPEG degrades a mask's levels and has no alpha channel.
  var isPNG: Bool { effect == .mask || effect == .cutout }

  /// The depth in focus; `nil` for an effect without a focus.
  var depthFocus: DepthFocus? {
    guard effect?.hasFocus == true else { return nil }
    return shape.range.map(DepthFocus.range) ?? focusAt?.value ?? focus?.value ?? .nearest
  }

  /// The depth in focus for a photo of another size.
  func depthFocus(in photo: PixelSize, reducedFrom sent: PixelSize?) -> DepthFocus? {
    guard let sent, photo != sent, case .point(let x, let y)? = depthFocus else {
      return depthFocus
    }
    // A point outside the photo stays outside, one pixel from the edge. The product of a larger coordinate may overflow.
    func place(_ value: Int, _ from: Int, _ to: Int) -> Int {
      let value = min(max(value, -1), from)
      return Int(((Double(value) + 0.5) * Double(to) / Double(from)).rounded(.down))
    }
    return .point(x: place(x, sent.width, photo.width), y: place(y, sent.height, photo.height))
  }

  /// The lens of a blur for a photo of another width; `nil` for a blur by a mask.
  func lens(inWidth width: Int, reducedFrom sent: PixelSize?) -> Lens? {
    lens.lens(camera: camera.setting.givenFocalLength)?.resized(
      from: sent?.width ?? width, to: width)
  }

  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? {
    if case .metres = depthFocus { return "a focus in metres" }
    if shape.range?.isShares == false { return "a range in metres" }
    if effect == .haze, haze.strength == nil { return "haze without a strength" }
    return needsFocalLength ? "a real lens" : nil
  }

  /// Whether the effect requires the photo's focal length.
  var needsFocalLength: Bool { effect == .blur && lens.aperture != nil }

  /// The map for the effect, at the photo's size. Effects with bicubic masks resize the mask instead of the map.
  ///
  /// - Throws: `DepthError` for a map that cannot belong to this photo.
  func depth(_ map: DepthMap, for photo: Image, threads: Int) throws -> DepthMap {
    let hasMask = effect == .blur ? lens.style == .mask : effect?.hasFocus == true
    return hasMask && shape.mask.scaling == .bicubic
      ? map : try map.sized(for: photo, threads: threads)
  }

  /// The distance in focus, metres; `nil` for an effect without a focus or for depth without a unit.
  ///
  /// - Parameter depth: The source map of the effect.
  /// - Throws: `DepthError` for a focus that is not in the map.
  func focusDistance(
    in depth: DepthMap, for photo: Image, reducedFrom sent: PixelSize? = nil, threads: Int
  ) throws -> Float? {
    try depthFocus(in: photo.size, reducedFrom: sent)?
      .scaled(fromHeight: photo.height, width: photo.width, to: depth)
      .distance(in: depth, threads: threads).map(Float.init)
  }

  /// The effect's picture at the photo's size. A cut-out is on black.
  ///
  /// - Parameters:
  ///   - held: The range and the focus of a film; by default the map's range and focus.
  ///   - limit: The limit of a film's lens; `nil` for a photo.
  ///   - mayBeEmpty: Whether the focus distance may be absent from the map, as in some frames of a film.
  /// - Throws: `DepthError` for a focus that is not in the map; `CancellationError`.
  func applied(
    to photo: Image, depth: DepthMap, reducedFrom sent: PixelSize? = nil, held: DepthSpan? = nil,
    limit: LensLimit? = nil, mayBeEmpty: Bool = false, call: CallContext
  ) throws -> Image {
    guard let effect else { preconditionFailure("no effect") }
    let (threads, focus) = (call.threads, depthFocus(in: photo.size, reducedFrom: sent) ?? .nearest)
    func mask() throws -> DepthMask {
      try photo.focusMask(
        depth: depth, focus: focus, shape: shape.mask, held: held, isLens: mayBeEmpty,
        threads: threads)
    }
    switch effect {
    case .mask: return try mask().picture(threads: threads)
    case .cutout, .spotlight: return try photo.spotlight(by: mask(), threads: threads)
    case .highlight: return try photo.colorHighlight(by: mask(), threads: threads)
    case .haze:
      if let strength = haze.strength {
        return try photo.haze(depth: depth, strength: strength, held: held, threads: threads)
      }
      guard let density = haze.density else {
        return try photo.haze(depth: depth, threads: threads)
      }
      return try photo.haze(depth: depth, density: density, threads: threads)
    case .blur:
      if let lens = self.lens(inWidth: photo.width, reducedFrom: sent) {
        return try photo.lensBlur(
          depth: depth, focus: focus, lens: lens, held: held, limit: limit, call: call)
      }
      return try photo.maskedBlur(
        depth: depth, focus: focus, shape: shape.mask, radius: lens.largestRadius, held: held,
        threads: threads)
    }
  }

  /// The picture of a frame without depth: a black mask, or otherwise the unchanged frame.
  func withoutDepth(_ frame: Image) -> Image {
    guard effect == .mask else { return frame }
    return Image(
      height: frame.height, width: frame.width,
      pixels: [UInt8](repeating: 0, count: frame.pixels.count))
  }

  /// The bytes of a file. Masks are gray PNG files with 8 or 16 bits, and cut-outs are PNG files with alpha, for every
  /// format.
  ///
  /// - Parameter format: `nil` for a mask as PFM, 0…1.
  /// - Throws: The errors of ``applied(to:depth:reducedFrom:held:limit:mayBeEmpty:call:)``.
  func encoded(
    _ photo: Image, depth: DepthMap, reducedFrom sent: PixelSize? = nil,
    as format: ImageFileFormat?, call: CallContext
  ) throws -> [UInt8] {
    guard isPNG, let focus = depthFocus(in: photo.size, reducedFrom: sent) else {
      return try applied(to: photo, depth: depth, reducedFrom: sent, call: call.step(0, of: 2))
        .withMetadata(picture.metadata)
        .encoded(as: format ?? .png, compression: picture.compression, call: call.step(1, of: 2))
    }
    try call.checkpoint(0)
    let mask = try photo.focusMask(
      depth: depth, focus: focus, shape: shape.mask, threads: call.threads)
    try call.checkpoint(0.5)
    if effect == .cutout {
      return try photo.withMetadata(picture.metadata).encodedPNG(
        alpha: mask.levels, compression: picture.compression, call: call)
    }
    guard format != nil else {
      return PFM.file(mask.values, height: mask.height, width: mask.width)
    }
    guard is16Bit else {
      return try PNGParts.gray8(
        mask.levels, height: mask.height, width: mask.width, compression: picture.compression,
        software: photo.metadata.software, threads: call.threads)
    }
    return try PNGParts.gray16(
      mask.samples, height: mask.height, width: mask.width, compression: picture.compression,
      software: photo.metadata.software, threads: call.threads)
  }

  /// A note that the lens's focus distance is absent from the map; `nil` if it is present or the map has no unit.
  ///
  /// For an empty mask, the effect throws an error instead.
  func hint(for depth: DepthMap) -> String? {
    guard effect == .blur, case .metres(let distance) = depthFocus,
      let (near, far) = (try? depth.inMetres())?.range(),
      !(Double(near) * 0.99...Double(far) * 1.01).contains(distance)
    else { return nil }
    func text(_ metres: Float) -> String { "\(Double(metres).rounded(toDigits: 2))" }
    return "nothing is in focus at \(distance) m, its depth ranges from \(text(near)) to "
      + "\(text(far)) m"
  }
}

extension Image {
  fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}

import DepthBase
import DepthEffects
import DepthImages
import PictureFiles

/// An effect with its settings, as `depth effect` and `POST /v1/effect` apply it.
enum PhotoEffect: Sendable {
  case mask(DepthFocus, FocusMask, is16Bit: Bool = false)
  /// The photo with the mask as its alpha channel.
  case cutout(DepthFocus, FocusMask)
  case spotlight(DepthFocus, FocusMask)
  case highlight(DepthFocus, FocusMask)
  case haze(density: Double)
  /// Haze by normalized disparity, for depth in any unit.
  case relativeHaze(strength: Double)
  case lensBlur(DepthFocus, Lens)
  /// The photo mixed with one blurred copy of it by a mask.
  case maskedBlur(DepthFocus, FocusMask, radius: Double)

  var name: String {
    switch self {
    case .mask: "mask"
    case .cutout: "cutout"
    case .spotlight: "spotlight"
    case .highlight: "highlight"
    case .haze, .relativeHaze: "haze"
    case .lensBlur, .maskedBlur: "blur"
    }
  }

  /// Masks lose their levels in JPEG.
  var isMask: Bool { if case .mask = self { true } else { false } }

  /// Whether results are PNG whatever is asked: JPEG would lose a mask's levels, and has no alpha channel.
  var isPNG: Bool { if case .cutout = self { true } else { isMask } }

  /// Whether it is a mask with 16 bits per pixel.
  var is16Bit: Bool { if case .mask(_, _, true) = self { true } else { false } }

  /// The depth that the effect picks out; `nil` for haze.
  var focus: DepthFocus? {
    switch self {
    case .mask(let focus, _, _), .cutout(let focus, _), .spotlight(let focus, _),
      .highlight(let focus, _),
      .lensBlur(let focus, _), .maskedBlur(let focus, _, _):
      focus
    case .haze, .relativeHaze: nil
    }
  }

  /// The feature that requires metres, for messages; `nil` if relative depth is enough.
  var purposeOfMetres: String? {
    if case .metres = focus { return "a focus in metres" }
    return switch self {
    case .haze: "haze without a strength"
    case .lensBlur(_, let lens): lens.isReal ? "a real lens" : nil
    case .mask, .cutout, .spotlight, .highlight, .relativeHaze, .maskedBlur: nil
    }
  }

  /// Whether a photo without a focal length is refused.
  var needsFocalLength: Bool {
    if case .lensBlur(_, let lens) = self { lens.isReal } else { false }
  }

  /// The same effect on the photo at another size: a focus that is a pixel lies at the same place, and a focal length in
  /// pixels belongs to the same camera.
  func moved(from photo: (height: Int, width: Int), to size: (height: Int, width: Int))
    -> PhotoEffect
  {
    guard photo != size else { return self }
    func moved(_ focus: DepthFocus) -> DepthFocus {
      guard case .point(let x, let y) = focus else { return focus }
      // A point outside the photo stays outside, one pixel from its edge: a larger product may not fit an integer.
      func place(_ value: Int, _ from: Int, _ to: Int) -> Int {
        let value = min(max(value, -1), from)
        return Int(((Double(value) + 0.5) * Double(to) / Double(from)).rounded(.down))
      }
      return .point(
        x: place(x, photo.width, size.width), y: place(y, photo.height, size.height))
    }
    switch self {
    case .mask(let focus, let shape, let is16Bit):
      return .mask(moved(focus), shape, is16Bit: is16Bit)
    case .cutout(let focus, let shape): return .cutout(moved(focus), shape)
    case .spotlight(let focus, let shape): return .spotlight(moved(focus), shape)
    case .highlight(let focus, let shape): return .highlight(moved(focus), shape)
    case .lensBlur(let focus, let lens):
      return .lensBlur(moved(focus), lens.resized(from: photo.width, to: size.width))
    case .maskedBlur(let focus, let shape, let radius):
      return .maskedBlur(moved(focus), shape, radius: radius)
    case .haze, .relativeHaze: return self
    }
  }

  /// The map that the effect is made from: at the photo's size, except for bicubic masks, which are enlarged themselves.
  ///
  /// - Throws: `DepthError` for a map that cannot be this photo's.
  func depth(_ map: DepthMap, for photo: Image, threads: Int) throws -> DepthMap {
    switch self {
    case .mask(_, let shape, _), .cutout(_, let shape), .spotlight(_, let shape),
      .highlight(_, let shape), .maskedBlur(_, let shape, _):
      if shape.scaling == .bicubic { return map }
    case .haze, .relativeHaze, .lensBlur: break
    }
    return try map.sized(for: photo, threads: threads)
  }

  /// The distance in focus, metres; `nil` for haze and for depth without a unit.
  ///
  /// - Parameter depth: The map that the effect is made from.
  /// - Throws: `DepthError` for a focus that the map does not have.
  func focusDistance(in depth: DepthMap, for photo: Image, threads: Int) throws -> Float? {
    try focus?.scaled(fromHeight: photo.height, width: photo.width, to: depth)
      .distance(in: depth, threads: threads).map(Float.init)
  }

  /// A picture of the photo's size; of a cut-out, on black.
  ///
  /// - Parameters:
  ///   - held: What a film holds of range and focus; the map's own by default.
  ///   - mayBeEmpty: Whether the map may have nothing at a distance in focus, as frames of a film have nothing there for
  ///     a while.
  /// - Throws: `DepthError` for a focus that the map does not have; `CancellationError`.
  func picture(
    of photo: Image, depth: DepthMap, held: DepthSpan? = nil, mayBeEmpty: Bool = false,
    call: CallContext
  ) throws -> Image {
    let threads = call.threads
    func mask(_ focus: DepthFocus, _ shape: FocusMask) throws -> DepthMask {
      try photo.focusMask(
        depth: depth, focus: focus, shape: shape, held: held, isLens: mayBeEmpty,
        threads: threads)
    }
    switch self {
    case .mask(let focus, let shape, _): return try mask(focus, shape).picture(threads: threads)
    case .cutout(let focus, let shape), .spotlight(let focus, let shape):
      return photo.spotlight(by: try mask(focus, shape), threads: threads)
    case .highlight(let focus, let shape):
      return photo.colorHighlight(by: try mask(focus, shape), threads: threads)
    case .haze(let density):
      return try photo.haze(depth: depth, density: density, threads: threads)
    case .relativeHaze(let strength):
      return try photo.haze(depth: depth, strength: strength, threads: threads)
    case .lensBlur(let focus, let lens):
      return try photo.lensBlur(depth: depth, focus: focus, lens: lens, held: held, call: call)
    case .maskedBlur(let focus, let shape, let radius):
      return try photo.maskedBlur(
        depth: depth, focus: focus, shape: shape, radius: radius, held: held, threads: threads)
    }
  }

  /// What becomes of a frame without any depth: a black mask, or the frame as it is.
  func withoutDepth(_ frame: Image) -> Image {
    guard isMask else { return frame }
    return Image(
      height: frame.height, width: frame.width,
      pixels: [UInt8](repeating: 0, count: frame.pixels.count))
  }

  /// The bytes of a file; masks are gray PNG of 8 or 16 bits and cut-outs PNG with alpha, whatever the format.
  ///
  /// - Throws: As ``picture(of:depth:held:mayBeEmpty:call:)``.
  func encoded(
    _ photo: Image, depth: DepthMap, as format: ImageFileFormat, metadata: MetadataPolicy,
    compression: PNGCompression, call: CallContext
  ) throws -> [UInt8] {
    func mask(_ focus: DepthFocus, _ shape: FocusMask) throws -> DepthMask {
      try call.checkpoint(0)
      let mask = try photo.focusMask(
        depth: depth, focus: focus, shape: shape, threads: call.threads)
      try call.checkpoint(0.5)
      return mask
    }
    if case .cutout(let focus, let shape) = self {
      return try photo.withMetadata(metadata).encodedPNG(
        alpha: mask(focus, shape).levels, compression: compression, call: call)
    }
    guard case .mask(let focus, let shape, let is16Bit) = self else {
      let picture = try picture(of: photo, depth: depth, call: call.step(0, of: 2))
      return try picture.withMetadata(metadata)
        .encoded(as: format, compression: compression, call: call.step(1, of: 2))
    }
    let mask = try mask(focus, shape)
    guard is16Bit else {
      return try PNGParts.gray8(
        mask.levels, height: mask.height, width: mask.width, compression: compression,
        software: photo.metadata.software, threads: call.threads)
    }
    return try PNGParts.gray16(
      mask.samples, height: mask.height, width: mask.width, compression: compression,
      software: photo.metadata.software, threads: call.threads)
  }

  /// A note if a lens is focused at a distance at which the map has nothing; `nil` if it has something there, or no
  /// unit. A mask of nothing is an error.
  func hint(for depth: DepthMap) -> String? {
    let focus: DepthFocus
    switch self {
    case .lensBlur(let given, _), .maskedBlur(let given, _, _): focus = given
    default: return nil
    }
    guard case .metres(let distance) = focus, let (near, far) = (try? depth.inMetres())?.range(),
      !(Double(near) * 0.99...Double(far) * 1.01).contains(distance)
    else { return nil }
    func text(_ metres: Float) -> String { "\((Double(metres) * 100).rounded() / 100)" }
    return "nothing is in focus at \(distance) m, its depth ranges from \(text(near)) to "
      + "\(text(far)) m"
  }
}

import ArgumentParser
import DepthEffects
import DepthImages

/// The lens that a photo is seen through.
struct LensOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Aperture of a real lens to simulate, such as f/1.8. Needs depth in metres and the photo's focal length, from \
      Exif, --focal-length or --fov; not with --radius or --style mask.
      """,
      valueName: "f/number"))
  var aperture: FNumber?

  @Option(
    help: ArgumentHelp(
      """
      Focal length of the simulated lens, such as 85mm on a 36 × 24 mm sensor; by default the photo's. It changes \
      only the blur, and the photo's focal length is needed too. Needs --aperture.
      """,
      valueName: "length"))
  var lens: Length?

  @Option(
    help: ArgumentHelp(
      """
      Without --aperture: radius of the largest blur disc, 0 to 10% of the photo's width, written as 1% or 0.01. 1% \
      by default.
      """,
      valueName: "share"))
  var radius: Share?

  @Option(
    help: ArgumentHelp(
      "Number of aperture blades, 3 to 16, which make blur discs polygons; 0 keeps them round.",
      valueName: "n"))
  var blades = 0

  @Option(
    help: ArgumentHelp(
      "Counterclockwise rotation of the polygon that --blades makes, -360 to 360 degrees.",
      valueName: "degrees"))
  var rotation = 0.0

  @Option(
    help: ArgumentHelp(
      """
      Method of the blur. lens blurs each pixel by a disc whose size depends on the pixel's depth. mask is O. L. \
      Brown's method: it mixes the photo and one blurred copy of it by the mask that --slope, --width and --scaling \
      describe. --aperture and --blades are only for lens.
      """,
      valueName: "name"))
  var style: Style = .lens

  enum Style: String, ExpressibleByArgument, CaseIterable {
    case lens, mask
  }

  func validate() throws {
    if aperture != nil, radius != nil {
      throw ValidationError("--aperture and --radius exclude each other, expected one")
    }
    if aperture == nil, lens != nil { throw ValidationError("--lens needs --aperture") }
    if style == .mask, aperture != nil || blades != 0 {
      throw ValidationError("--style mask has no lens, expected --radius alone")
    }
    guard blades == 0 || (3...16).contains(blades) else {
      throw ValidationError("--blades is \(blades), expected 0, or 3 to 16")
    }
    try check("--rotation", rotation, in: -360...360, unit: "degrees")
    if rotation != 0, blades == 0 {
      throw ValidationError("--rotation is for --blades, expected both")
    }
    guard (0...0.1).contains(largestRadius) else {
      throw ValidationError("--radius is \(largestRadius), expected 0 to 10% of the width")
    }
  }

  /// Refuses options of a mask where a lens blurs.
  ///
  /// - Throws: A validation error.
  func check(_ shape: MaskOptions) throws {
    if style == .lens, let option = shape.given.first {
      throw ValidationError("\(option) is for --style mask, expected both")
    }
  }

  /// Names of the options that differ from their defaults.
  var given: [String] {
    optionNames([
      "--aperture": aperture != nil, "--lens": lens != nil, "--radius": radius != nil,
      "--blades": blades != 0, "--rotation": rotation != 0, "--style": style != .lens,
    ])
  }

  /// A fraction of the width.
  var largestRadius: Double { radius?.value ?? 0.01 }

  /// The blur that the options say.
  ///
  /// - Parameters:
  ///   - shape: The mask of the style without a lens.
  ///   - camera: The camera that took the photo; by default from Exif.
  func effect(
    focus: DepthFocus, shape: FocusMask, camera: Camera.FocalLength?
  ) -> PhotoEffect {
    switch style {
    case .mask: .maskedBlur(focus, shape, radius: largestRadius)
    case .lens: .lensBlur(focus, lens(camera: camera))
    }
  }

  private func lens(camera: Camera.FocalLength?) -> Lens {
    let amount: Lens.Amount =
      aperture.map {
        .aperture(
          fNumber: $0.value, focalLength: lens.map { $0.metres * 1000 }, camera: camera ?? .photo)
      } ?? .radius(largestRadius)
    return Lens(amount, blades: blades, rotation: rotation)
  }
}

/// `f/1.8` or `1.8`.
struct FNumber: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    let number = argument.hasPrefix("f/") ? String(argument.dropFirst(2)) : argument
    guard let value = Double(number), (0.1...100).contains(value) else { return nil }
    self.value = value
  }
}

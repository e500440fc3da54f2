import DepthEffects
import DepthImages
import PictureFiles

/// The simulated lens of a photo.
struct LensRequest: Request {
  /// The method of a blur.
  enum Style: String, Codable, CaseIterable, Sendable {
    /// A disc whose size depends on each pixel's depth.
    case lens
    /// A mix of the photo and one blurred copy, by a mask.
    case mask
  }

  /// Aperture of a real lens; `nil` if ``radius`` determines the blur.
  var aperture: FNumber?
  /// Focal length of the simulated lens on a 36 × 24 mm sensor; `nil` for the photo's.
  var lens: Length?
  /// Radius of the largest disc, a share of the width.
  var radius: Share?
  /// Number of aperture blades; 0 for round discs.
  var blades = Lens().blades
  /// Counterclockwise rotation of the polygon of blades, degrees.
  var rotation = Lens().rotation
  var style = Style.lens

  func check() throws(InvalidRequest) {
    try checkExclusive(["aperture": aperture != nil, "radius": radius != nil])
    if aperture == nil, lens != nil {
      throw InvalidRequest("`lens` requires `aperture`")
    }
    if style == .mask, aperture != nil || blades != 0 {
      throw InvalidRequest("`style` mask has no lens, expected `radius` alone")
    }
    guard blades == 0 || Lens.bladeCounts.contains(blades) else {
      throw InvalidRequest("`blades` is \(blades), expected 0, or 3 to 16")
    }
    try check("rotation", rotation, in: Lens.rotations, unit: "degrees")
    if rotation != 0, blades == 0 {
      throw InvalidRequest("`rotation` requires `blades`")
    }
    guard Lens.radii.contains(largestRadius) else {
      throw InvalidRequest("`radius` is \(largestRadius), expected 0 to 10% of the width")
    }
  }

  /// Radius of the largest disc, a share of the width.
  var largestRadius: Double { radius?.value ?? Lens.defaultRadius }

  /// The lens; `nil` for a blur by a mask.
  ///
  /// - Parameter camera: The camera that took the photo; by default the Exif camera.
  func lens(camera: Camera.FocalLength?) -> Lens? {
    guard style == .lens else { return nil }
    let amount: Lens.Amount =
      aperture.map {
        .aperture(
          fNumber: $0.value, focalLength: lens.map { $0.metres * 1000 }, camera: camera ?? .photo)
      } ?? .radius(largestRadius)
    return Lens(amount, blades: blades, rotation: rotation)
  }
}

/// The encoding and metadata of pictures.
struct PictureRequest: Request {
  var quality: Int?
  var compression = PNGCompression.default
  /// Whether all metadata is copied, including location, owner and serial numbers.
  var keepLocation = false
  /// Whether only orientation, color profile and copyright are copied.
  var stripMetadata = false

  func check() throws(InvalidRequest) {
    try check("quality", quality, in: ImageFileFormat.qualities)
    try checkExclusive(["keepLocation": keepLocation, "stripMetadata": stripMetadata])
  }

  /// Rejects fields that do not affect a file of this format.
  ///
  /// - Parameter ending: The extension of the file.
  func check(writing ending: String) throws(InvalidRequest) {
    if quality != nil, !["jpg", "mpo", "heic"].contains(ending) {
      throw InvalidRequest("`quality` requires JPEG, but the output is a .\(ending)")
    }
    if compression != .default, ending != "png" {
      throw InvalidRequest("`compression` requires an output as .png")
    }
  }

  var jpegQuality: Int { quality ?? ImageFileFormat.defaultQuality }

  var metadata: MetadataPolicy {
    stripMetadata ? .essential : keepLocation ? .everything : .withoutLocation
  }
}

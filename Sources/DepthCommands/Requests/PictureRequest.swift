import DepthEffects
import DepthImages
import PictureFiles

/// The lens that a photo is seen through.
struct LensRequest: Request {
  /// The method of a blur.
  enum Style: String, Codable, CaseIterable, Sendable {
    /// A disc whose size depends on each pixel's depth.
    case lens
    /// The photo mixed with one blurred copy of it by a mask.
    case mask
  }

  /// Aperture of a real lens; `nil` where ``radius`` sets the blur.
  var aperture: FNumber?
  /// Focal length of the simulated lens on a 36 × 24 mm sensor; `nil` for the photo's.
  var lens: Length?
  /// Radius of the largest disc, a share of the width.
  var radius: Share?
  /// Blades of the aperture; 0 for round discs.
  var blades = Lens().blades
  /// Counterclockwise rotation of the polygon of blades, degrees.
  var rotation = Lens().rotation
  var style = Style.lens

  func check() throws(InvalidRequest) {
    try checkExclusive(["aperture": aperture != nil, "radius": radius != nil])
    if aperture == nil, lens != nil {
      throw InvalidRequest("`lens` needs `aperture`")
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

  /// A share of the width.
  var largestRadius: Double { radius?.value ?? Lens.defaultRadius }

  /// The lens; `nil` for the style without one.
  ///
  /// - Parameter camera: The camera that took the photo; by default from Exif.
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

/// How pictures are stored.
struct PictureRequest: Request {
  /// JPEG quality.
  var quality: Int?
  var compression = PNGCompression.default
  /// Whether all metadata is copied, the location, the owner and serial numbers, too.
  var keepLocation = false
  /// Whether only orientation, color profile and copyright are copied.
  var stripMetadata = false

  func check() throws(InvalidRequest) {
    try check("quality", quality, in: ImageFileFormat.qualities)
    try checkExclusive(["keepLocation": keepLocation, "stripMetadata": stripMetadata])
  }

  /// Refuses fields that have no effect on a file.
  ///
  /// - Parameter ending: The extension of the file.
  func check(writing ending: String) throws(InvalidRequest) {
    if quality != nil, !["jpg", "mpo", "heic"].contains(ending) {
      throw InvalidRequest("`quality` requires JPEG, and the output is a .\(ending)")
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

import ArgumentParser
import DepthImages
import DepthPipeline

/// The camera that took the photo.
struct CameraOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Focal length of the photo: 26mm (35 mm equivalent), 525px (pixels of the photo), exif or none. Estimated \
      metres are multiplied by its ratio to the focal length of the training photos; none leaves metres unscaled. \
      The default is exif if the photo's Exif has a focal length, and otherwise none. If exif is given, a photo \
      without one fails; frames of films and streams have no Exif.
      """,
      valueName: "length"))
  var focalLength: FocalLengthOption?

  @Option(
    help: ArgumentHelp(
      """
      Focal length as angle of view along the photo's longer side, 1 to 179 degrees. Not with --focal-length.
      """,
      valueName: "degrees"))
  var fov: Double?

  func validate() throws {
    if focalLength != nil, fov != nil {
      throw ValidationError("--focal-length and --fov exclude each other, expected one")
    }
    try check("--fov", fov, in: 1...179, unit: "degrees")
  }

  /// Names of the options that were given.
  var given: [String] {
    (focalLength == nil ? [] : ["--focal-length"]) + (fov == nil ? [] : ["--fov"])
  }

  /// The setting that the options give.
  var setting: CameraSetting {
    if let fov { return .focalLength(.fieldOfView(fov)) }
    return switch focalLength {
    case .length(let length): .focalLength(length)
    case .uncorrected: .uncorrected
    case nil: .unsaid
    }
  }
}

/// `26mm`, `525px`, `exif` or `none`.
enum FocalLengthOption: ExpressibleByArgument {
  case length(Camera.FocalLength)
  case uncorrected

  init?(argument: String) {
    switch argument {
    case "exif": self = .length(.photo)
    case "none": self = .uncorrected
    default:
      guard let length = Quantity(argument, units: ["px": 1, "mm": 1], bare: nil),
        length.number > 0
      else { return nil }
      self = .length(
        length.unit == "px" ? .pixels(length.number) : .equivalent35mm(length.number))
    }
  }
}

import ArgumentParser
import DepthImages
import DepthPipeline

/// The camera that took the photo.
struct CameraOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The photo's focal length: 26mm (35 mm equivalent), 525px, exif, or none for no correction. \
      Default: exif where the photo has it.
      """, valueName: "length"))
  var focalLength: FocalLengthOption?

  @Option(
    help: ArgumentHelp(
      "Angle of view along the photo's longer side, instead of --focal-length.",
      valueName: "degrees"))
  var fov: Double?

  func validate() throws {
    if focalLength != nil, fov != nil {
      throw ValidationError("--focal-length and --fov exclude each other, expected one")
    }
    if let fov, !(1...179).contains(fov) {
      throw ValidationError("--fov is \(fov), expected 1 to 179 degrees")
    }
  }

  /// What the options say.
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
      let isPixels = argument.hasSuffix("px")
      guard isPixels || argument.hasSuffix("mm"), let number = Double(argument.dropLast(2)),
        number.isFinite, number > 0
      else { return nil }
      self = .length(isPixels ? .pixels(number) : .equivalent35mm(number))
    }
  }
}

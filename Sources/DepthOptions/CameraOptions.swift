package import ArgumentParser
package import DepthImages
package import DepthPipeline
import PhotoRuns

/// The camera that took the photo.
package struct CameraOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Focal length of the photo, by which depth is scaled: 26mm (35 mm equivalent), 525px, exif, or none to leave depth \
      unscaled. By default Exif is used if the photo has it, and otherwise the camera of the training photos is \
      assumed. exif fails if the photo has no focal length in Exif.
      """, valueName: "length"))
  package var focalLength: FocalLengthOption?

  @Option(
    help: ArgumentHelp(
      "Angle of view along the photo's longer side, instead of --focal-length.",
      valueName: "degrees"))
  package var fov: Double?

  package func validate() throws {
    if focalLength != nil, fov != nil {
      throw ValidationError("--focal-length and --fov exclude each other, expected one")
    }
    if let fov, !(1...179).contains(fov) {
      throw ValidationError("--fov is \(fov), expected 1 to 179 degrees")
    }
  }

  /// What the options say.
  package var setting: CameraSetting {
    if let fov { return .focalLength(.fieldOfView(fov)) }
    return switch focalLength {
    case .length(let length): .focalLength(length)
    case .uncorrected: .uncorrected
    case nil: .unsaid
    }
  }
}

/// `26mm`, `525px`, `exif` or `none`.
package enum FocalLengthOption: ExpressibleByArgument {
  case length(Camera.FocalLength)
  case uncorrected

  package init?(argument: String) {
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

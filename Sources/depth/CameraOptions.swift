import ArgumentParser
import DepthImages
import MonocularDepth

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

  /// The given focal length; `nil` without one and for `none`.
  var given: Camera.FocalLength? {
    if let fov { return .fieldOfView(fov) }
    guard case .length(let length) = focalLength else { return nil }
    return length
  }

  /// The options as words of a ``Recipe``.
  var words: [String] {
    if let fov { return ["fov=\(fov)"] }
    return switch focalLength {
    case .length(.pixels(let length)): ["focal-length=\(length)px"]
    case .length(.equivalent35mm(let length)): ["focal-length=\(length)mm"]
    case .uncorrected: ["focal-length=none"]
    default: ["focal-length=exif"]
    }
  }

  /// The camera for an estimate; `nil` leaves it to the photo.
  ///
  /// - Parameter name: The photo, for errors.
  func camera(of image: Image, named name: String) throws -> Camera? {
    if case .uncorrected = focalLength {
      return .training(width: image.width, height: image.height)
    }
    // An Exif block counts as such, not as an option.
    guard let given, given != .photo || image.metadata.focalLengthIn35mmFilm == nil else {
      return nil
    }
    do { return try Camera(of: image, focalLength: given) } catch {
      throw InputFailure(file: name, reason: "\(error)")
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

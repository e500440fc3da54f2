public import ArgumentParser
import DepthImages
public import PictureFiles

extension ColorMap: ExpressibleByArgument, Codable {}

/// Viewable pictures of depth maps.
struct DepthViewOptions: ParsableArguments {
  @Option(
    name: .customLong("view"), defaultAsFlag: CompanionFile.besideDepthFile(ending: "_view.jpg"),
    parsing: .next,
    help: ArgumentHelp(
      """
      Also write a picture of the depth, near = white: for one photo to this .png or .jpg, for several photos to \
      this folder, as PHOTO_view.png. End the name of a new folder with '/'.
      """,
      discussion: """
        The name may be left out if --view is the last word of the command or another option follows. The picture is \
        then beside the depth file.
        """,
      valueName: "file"),
    completion: .file())
  var place: CompanionFile?

  @Option(
    help: ArgumentHelp(
      """
      Color map of the --view picture: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")). gray by \
      default.
      """,
      valueName: "name"))
  var colorMap: ColorMap?

  @Flag(
    help: """
      Make brightness in the --view picture linear in metres. By default it is linear in disparity (1 / metres).
      """)
  var linear = false

  func validate() throws {
    for (option, isGiven) in [("--color-map", colorMap != nil), ("--linear", linear)]
    where isGiven && !self.isGiven {
      throw ValidationError("\(option) requires --view")
    }
  }

  var isGiven: Bool { place != nil }

  func output(of depth: DepthOutput, _ limits: ImageLimits) -> ViewOutput? {
    guard isGiven else { return nil }
    return ViewOutput(
      place: place?.path.map(OutputPlace.init(fileOrFolder:)),
      request: ViewRequest(colorMap: colorMap ?? ViewRequest().colorMap, linear: linear),
      depth: depth, limits: limits)
  }
}

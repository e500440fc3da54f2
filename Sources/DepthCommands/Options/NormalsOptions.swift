public import ArgumentParser
public import DepthImages
import PictureFiles
import SystemEssentials

extension NormalMap.Frame: ExpressibleByArgument {}

/// Surface normals of depth maps.
struct NormalsOptions: ParsableArguments {
  @Option(
    name: .customLong("normals"),
    defaultAsFlag: CompanionFile.besideDepthFile(ending: "_normals.png"), parsing: .next,
    help: ArgumentHelp(
      """
      Also write the surface normal of each pixel: for one photo to this .png, .npy or .exr, for several photos to this folder, as \
      PHOTO_normals.png. End the name of a new folder with '/'.
      """,
      discussion: """
        A .png has the colors (n + 1) / 2, transparent where there is no depth; .npy (height × width × 3) and .exr (N.X, N.Y, N.Z) \
        have NaN there. An OpenEXR or .npz depth file holds the normals itself if --normals has no name or names that file. Otherwise \
        they are a file of their own. Normals are those of planes through neighboring pixels; weights of MoGe-2 that have normals give \
        their own. Requires depth in metres or disparity.
        """,
      valueName: "file"),
    completion: .file())
  var place: CompanionFile?

  @Option(
    help: ArgumentHelp(
      """
      Axes of --normals: opencv (x right, y down, z forward, the default) or opengl (x right, y up, z towards the camera).
      """,
      valueName: "name"))
  var normalsFrame: NormalMap.Frame?

  @Flag(
    name: .customLong("16-bit"),
    help: "Write --normals as .png with 16 bits per sample instead of 8.")
  var is16Bit = false

  func validate() throws {
    for (option, isGiven) in [("--normals-frame", normalsFrame != nil), ("--16-bit", is16Bit)]
    where isGiven && place == nil {
      throw ValidationError("\(option) requires --normals")
    }
  }

  private var request: NormalsRequest {
    NormalsRequest(normalsFrame: normalsFrame ?? .opencv, is16Bit: is16Bit)
  }

  /// The files of normals; `nil` if no normals are requested, or if depth files contain the
  /// normals.
  ///
  /// - Parameter depth: The depth files, which are set to contain normals if requested.
  func output(of depth: inout DepthOutput) -> NormalsOutput? {
    guard let place else { return nil }
    let isInside =
      place.path.map { name in
        depth.place.file.map { URL(filePath: $0).standardized == URL(filePath: name).standardized }
          ?? false
      } ?? true
    guard isInside, depth.takesNormals else {
      return NormalsOutput(
        place: place.path.map(OutputPlace.init(fileOrFolder:)), request: request, depth: depth)
    }
    depth.normals = request
    return nil
  }

  /// Rejects 16 bits if no normals are written as PNG.
  ///
  /// - Throws: A validation error.
  func check(_ depth: DepthOutput) throws {
    var depth = depth
    if is16Bit, output(of: &depth)?.isPNG != true {
      throw ValidationError("--16-bit requires --normals as .png")
    }
  }
}

import ArgumentParser
import AtomicFiles
package import DepthImages
import PictureFiles
import StereoPhotos

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which stereo files are written, and where.
struct StereoOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "File, .png or .jpg where the format leaves the choice, or '-'; two files get _L and _R.",
      valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Folder for files named after the photo; made if it is missing.", valueName: "folder"))
  var outputDir: String?

  @Option(help: ArgumentHelp("Viewing format.", valueName: "name"))
  var format = "sbs"

  @Option(help: ArgumentHelp("Columns and rows of a quilt, as 8x6.", valueName: "CxR"))
  var quilt: Grid?

  @Option(help: ArgumentHelp("Views of an animation, from eye to eye.", valueName: "n"))
  var views = 2

  @Option(help: ArgumentHelp("Largest width of an animation, pixels.", valueName: "n"))
  var animationWidth = 1280

  @Option(help: ArgumentHelp("JPEG quality, 1 to 100.", valueName: "n")) var quality = 92
  @Flag(help: "PNG instead of JPEG where the format leaves the choice.") var lossless = false
  @OptionGroup var metadata: MetadataOptions
  @Flag(help: "Replace files that exist.") var overwrite = false

  func validate(json: Bool) throws {
    guard Console.isStandardOutput(output) else { return }
    if json {
      throw ValidationError("--json and the picture cannot share standard output; use -o")
    }
    if stereoFormat == .leftRight {
      throw ValidationError("--format left-right is two files, expected -o with a name")
    }
  }

  func validate() throws {
    guard StereoFormat(name: format) != nil else {
      throw ValidationError(
        "--format is \(format), expected \(StereoFormat.all.map(\.name).joined(separator: ", "))")
    }
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other")
    }
    guard (1...100).contains(quality), (2...64).contains(views),
      (16...8192).contains(animationWidth)
    else {
      throw ValidationError(
        "--quality \(quality) --views \(views) --animation-width \(animationWidth), expected 1 to 100, "
          + "2 to 64 and 16 to 8192")
    }
    if let quilt, quilt.count > 400 {
      throw ValidationError("--quilt has \(quilt.count) views, expected at most 400")
    }
    // A name without extension takes what the format and --lossless say.
    guard let output, !URL(filePath: output).pathExtension.isEmpty else { return }
    if let wanted = stereoFormat.requiredExtension {
      let found = URL(filePath: output).pathExtension.lowercased()
      guard found == wanted else {
        throw ValidationError(
          "-o \(output) ends in .\(found), expected .\(wanted) for \(format)".escapingControls)
      }
    } else {
      do { _ = try ImageFileFormat(extensionOf: URL(filePath: output)) } catch {
        throw ValidationError("\(error)".escapingControls)
      }
    }
  }

  /// The format; a quilt with the layout that was asked for.
  var stereoFormat: StereoFormat {
    let named = StereoFormat(name: format) ?? .sideBySide
    guard case .quilt = named, let quilt else { return named }
    return .quilt(columns: quilt.columns, rows: quilt.rows)
  }

  var settings: StereoOutput {
    var settings = StereoOutput()
    settings.isLossless =
      lossless || output.map { $0.lowercased().hasSuffix(".png") } ?? false
    settings.quality = quality
    settings.animationViews = views
    settings.animationWidth = animationWidth
    settings.metadata = metadata.policy
    return settings
  }

  /// The files that the options would write for this photo.
  ///
  /// - Parameters:
  ///   - inputs: Other files that are read.
  ///   - aspect: Width over height of the photo; without it the file of a quilt is left out.
  func plan(for photo: String, inputs: [String], aspect: Double?) -> OutputPlan {
    var plan = OutputPlan(inputs: [photo] + inputs, overwrite: overwrite)
    plan.folders = [outputDir].compactMap { $0.map { URL(filePath: $0) } }
    if case .quilt = stereoFormat, aspect == nil, output == nil { return plan }
    let endings = stereoFormat.endings(aspect: aspect ?? 1, output: settings)
    plan.outputs = endings.map {
      .init(file: place(ending: $0, among: endings.count, photo: photo), photo: photo)
    }
    return plan
  }

  /// - Returns: The files written.
  func write(_ files: [StereoFile], photo: String) throws -> [String] {
    if Console.isStandardOutput(output) { try Console.checkStandardOutputTakesBytes() }
    let places = files.map { place(ending: $0.ending, among: files.count, photo: photo) }
    try AtomicFile.write(
      zip(files, places).map { (bytes: $0.bytes, url: $1) }, overwrite: overwrite)
    return places.map { $0 == Console.standardOutput ? "-" : $0.relativePath }
  }

  private func place(ending: String, among count: Int, photo: String) -> URL {
    if Console.isStandardOutput(output) { return Console.standardOutput }
    if let output {
      guard count > 1 else { return URL(filePath: output) }
      let url = URL(filePath: output)
      return url.deletingLastPathComponent().appending(
        path: url.deletingPathExtension().lastPathComponent + ending)
    }
    let source = URL(filePath: photo)
    let folder = outputDir.map { URL(filePath: $0) } ?? source.deletingLastPathComponent()
    let stem = photo == "-" ? "stdin" : source.deletingPathExtension().lastPathComponent
    return folder.appending(path: stem + ending)
  }
}

/// On the command line `8x6`, columns first.
extension Grid: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

import ArgumentParser
import DepthEstimation

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
      "File, .png or .jpg where the format leaves the choice; two files get _L and _R.",
      valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Folder for files named after the photo.", valueName: "folder"))
  var outputDir: String?

  @Option(help: ArgumentHelp("Viewing format.", valueName: "name"))
  var format = "sbs"

  @Option(help: ArgumentHelp("Columns and rows of a quilt, as 8x6.", valueName: "CxR"))
  var quilt: PixelSize?

  @Option(help: ArgumentHelp("Views of an animation, from eye to eye.", valueName: "n"))
  var views = 2

  @Option(help: ArgumentHelp("Largest width of an animation, pixels.", valueName: "n"))
  var animationWidth = 1280

  @Option(help: ArgumentHelp("JPEG quality, 1 to 100.", valueName: "n")) var quality = 92
  @Flag(help: "PNG instead of JPEG where the format leaves the choice.") var lossless = false
  @Flag(help: "Replace files that exist.") var overwrite = false

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
    if let quilt, quilt.width * quilt.height > 400 {
      throw ValidationError("--quilt has \(quilt.width * quilt.height) views, expected at most 400")
    }
    if let output, let wanted = stereoFormat.requiredExtension {
      let found = URL(filePath: output).pathExtension.lowercased()
      guard found == wanted else {
        throw ValidationError("-o \(output) ends in .\(found), expected .\(wanted) for \(format)")
      }
    } else if let output {
      do { _ = try ImageFileFormat(extensionOf: URL(filePath: output)) } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  /// The format; a quilt with the layout that was asked for.
  var stereoFormat: StereoFormat {
    let named = StereoFormat(name: format) ?? .sideBySide
    guard case .quilt = named, let quilt else { return named }
    return .quilt(columns: quilt.width, rows: quilt.height)
  }

  var settings: StereoOutput {
    var settings = StereoOutput()
    settings.isLossless =
      lossless || output.map { $0.lowercased().hasSuffix(".png") } ?? false
    settings.quality = quality
    settings.animationViews = views
    settings.animationWidth = animationWidth
    return settings
  }

  /// - Returns: The files written.
  func write(_ files: [StereoFile], photo: String) throws -> [String] {
    let places = files.map { place(of: $0, among: files.count, photo: photo) }
    try AtomicFile.write(
      zip(files, places).map { (bytes: $0.bytes, url: $1) }, overwrite: overwrite)
    return places.map(\.relativePath)
  }

  private func place(of file: StereoFile, among count: Int, photo: String) -> URL {
    if let output {
      guard count > 1 else { return URL(filePath: output) }
      let url = URL(filePath: output)
      return url.deletingLastPathComponent().appending(
        path: url.deletingPathExtension().lastPathComponent + file.ending)
    }
    let source = URL(filePath: photo)
    let folder = outputDir.map { URL(filePath: $0) } ?? source.deletingLastPathComponent()
    let stem = photo == "-" ? "stdin" : source.deletingPathExtension().lastPathComponent
    return folder.appending(path: stem + file.ending)
  }
}

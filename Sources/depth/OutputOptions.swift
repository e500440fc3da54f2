public import ArgumentParser
import AtomicFiles
import DepthErrors
import DepthImages
public import DepthPhotos
import DepthRefinement
public import PictureFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ColorMap: ExpressibleByArgument {}

/// Where depth maps and their pictures go.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Depth file (.png, .pfm, .npy) for one photo, or '-'.", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Folder for depth files, PHOTO_depth.EXT each; made if it is missing.", valueName: "folder"))
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      "Format for names without an extension: png (the default), pfm or npy.", valueName: "format"))
  var format: DepthFileFormat?

  @Option(
    help: ArgumentHelp(
      "Picture to look at, near = white: a .png or .jpg for one photo, a folder for several.",
      valueName: "file"))
  var view: String?

  @Option(
    help: ArgumentHelp(
      "Colors of the picture: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var colorMap: ColorMap = .gray

  @Flag(help: "Picture from metres, in equal steps of distance, instead of disparity.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "Also write the photo with its depth inside, as GDepth or Dynamic Depth JPEG.",
      valueName: "file.jpg"))
  var depthPhoto: String?

  @Option(
    help: ArgumentHelp("Kind of --depth-photo: gdepth or dynamic-depth.", valueName: "name"))
  var depthPhotoFormat: DepthPhoto.Format = .gDepth

  @OptionGroup var metadata: MetadataOptions

  @Flag(help: "Replace files that exist.")
  var overwrite = false

  func validate(photos: [String], json: Bool) throws {
    if photos.isEmpty { throw ValidationError("no photo was named") }
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other")
    }
    if output != nil, photos.count > 1 {
      throw ValidationError("-o takes one photo, expected --output-dir for \(photos.count)")
    }
    if photos.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("standard input was named twice")
    }
    if writesToStandardOutput(photos), json {
      throw ValidationError("--json and the depth map cannot share standard output; use -o")
    }
    do {
      if let output, !Console.isStandardOutput(output) {
        _ = try depthFormat(of: URL(filePath: output))
      }
      if let view, photos.count == 1, !view.hasSuffix("/"), !isFolder(view) {
        _ = try ImageFileFormat(extensionOf: URL(filePath: view))
      }
    } catch { throw ValidationError("\(error)".escapingControls) }
    if let view, photos.count > 1, !view.hasSuffix("/"), !isFolder(view) {
      throw ValidationError("--view \(view) is no folder, expected one for \(photos.count) photos")
    }
    if depthPhoto != nil, photos.count > 1 {
      throw ValidationError("--depth-photo takes one photo, found \(photos.count)")
    }
  }

  /// The files that the options would write for these photos.
  ///
  /// - Parameter inputs: Other files that are read.
  func plan(for photos: [String], inputs: [String] = []) -> OutputPlan {
    var plan = OutputPlan(inputs: photos + inputs, overwrite: overwrite)
    plan.outputs = photos.flatMap { photo in
      [depthFile(of: photo), viewFile(of: photo), depthPhoto.map { URL(filePath: $0) }]
        .compactMap { $0.map { OutputPlan.Output(file: $0, photo: photo) } }
    }
    plan.folders = [outputDir, view.flatMap { $0.hasSuffix("/") ? $0 : nil }]
      .compactMap { $0.map { URL(filePath: $0) } }
    return plan
  }

  /// The format that a file's name asks for, or `--format` where it has no extension.
  private func depthFormat(of file: URL) throws -> DepthFileFormat {
    guard file.pathExtension.isEmpty else { return try DepthFileFormat(extensionOf: file) }
    if let format { return format }
    guard isDevice(file.path(percentEncoded: false)) else {
      throw DepthError.unknownExtension(
        file: file.relativePath,
        expected: DepthFileFormat.allCases.map { ".\($0.rawValue)" } + ["or --format"], found: "")
    }
    return .png
  }

  /// Whether a path is there and neither a file nor a folder.
  private func isDevice(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type.map { $0 != .typeRegular && $0 != .typeDirectory } ?? false
  }

  /// Whether the map itself goes to standard output.
  private func writesToStandardOutput(_ photos: [String]) -> Bool {
    Console.isStandardOutput(output) || output == nil && outputDir == nil && photos == ["-"]
  }

  private func isFolder(_ path: String) -> Bool {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
  }

  /// The depth file of a photo; `nil` for standard output.
  private func depthFile(of photo: String) -> URL? {
    if let output { return Console.isStandardOutput(output) ? nil : URL(filePath: output) }
    if photo == "-" && outputDir == nil { return nil }
    let url = URL(filePath: photo)
    let folder = outputDir.map { URL(filePath: $0) } ?? url.deletingLastPathComponent()
    return folder.appending(path: "\(Self.stem(of: photo))_depth.\((format ?? .png).rawValue)")
  }

  private static func stem(of photo: String) -> String {
    photo == "-" ? "stdin" : URL(filePath: photo).deletingPathExtension().lastPathComponent
  }

  private func viewFile(of photo: String) -> URL? {
    guard let view else { return nil }
    guard view.hasSuffix("/") || isFolder(view) else { return URL(filePath: view) }
    return URL(filePath: view).appending(path: "\(Self.stem(of: photo))_view.png")
  }

  /// Fails if the depth format cannot record the unit of such a map.
  ///
  /// - Throws: ``InputFailure``, naming the file.
  func check(_ unit: DepthMap.Unit, of photo: String) throws {
    let file = depthFile(of: photo)
    do {
      try (file.map(depthFormat(of:)) ?? format ?? .png).check(unit)
    } catch {
      throw InputFailure(file: file?.relativePath ?? "standard output", reason: "\(error)")
    }
  }

  /// Writes a map and its picture, which has the photo's size.
  ///
  /// - Returns: The files written, in this order.
  /// - Throws: ``InputFailure`` for a map without a value, which is never written.
  func write(
    _ depth: DepthMap, of image: Image, photo: String, metadata: DepthFileMetadata,
    threads: Int?
  ) throws -> [String] {
    guard depth.values.contains(where: depth.hasValue) else {
      throw InputFailure(file: photo, reason: "no pixel of its depth map has a value")
    }
    var written: [String] = []
    if let file = depthFile(of: photo) {
      try AtomicFile.write(
        depth.encoded(as: depthFormat(of: file), metadata: metadata, threads: threads), to: file,
        overwrite: overwrite)
      written.append(file.relativePath)
    } else {
      try Console.checkStandardOutputTakesBytes()
      try AtomicFile.write(
        depth.encoded(as: format ?? .png, metadata: metadata, threads: threads),
        to: Console.standardOutput)
      written.append("-")
    }
    if let file = viewFile(of: photo) {
      let picture = try depth.refined(guidedBy: image, method: .none, threads: threads)
        .picture(colorMap, over: linear ? .metres : .disparity)
      try picture.write(to: file, overwrite: overwrite, threads: threads)
      written.append(file.relativePath)
    }
    if let depthPhoto {
      let file = URL(filePath: depthPhoto)
      try AtomicFile.write(
        DepthPhoto.encode(
          image, depth: depth, as: depthPhotoFormat, metadata: self.metadata.policy,
          threads: threads),
        to: file, overwrite: overwrite)
      written.append(file.relativePath)
    }
    return written
  }
}

extension DepthPhoto.Format: ExpressibleByArgument {}

extension DepthFileFormat: ExpressibleByArgument {}

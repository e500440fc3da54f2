public import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
public import PictureFiles
import SystemEssentials

/// Where the depth files of photos go, and their format.
struct DepthFileOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      """
      Depth file to write for one photo; its extension (.png, .pfm, .npy, .exr) selects the format. '-' is standard \
      output.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      Folder for depth files named PHOTO_depth.EXT, with the subfolders of the input; created if missing.
      """,
      valueName: "folder"),
    completion: .directory)
  var outputDir: String?

  @Option(
    help: ArgumentHelp(
      """
      Format of depth files that are named after photos, have a name without extension, or go to standard output: \
      png (the default), pfm, npy or exr.
      """,
      valueName: "format"))
  var format: DepthFileFormat?

  func validate() throws {
    try check(output: output, outputDir: outputDir)
    if let output, let format, !Console.isStandardOutput(output),
      let named = try? DepthFileFormat(extensionOf: URL(filePath: output)), named != format
    {
      throw ValidationError(
        "-o \(output) and --format \(format.rawValue) exclude each other".escapingControls)
    }
    do {
      if let output, !Console.isStandardOutput(output) {
        _ = try format(of: URL(filePath: output))
      }
      try format?.check(.metres)
    } catch { throw ValidationError("\(error)".escapingControls) }
  }

  /// Whether the map itself goes to standard output.
  func writesToStandardOutput(_ photos: [PhotoInput]) -> Bool {
    Console.isStandardOutput(output)
      || output == nil && outputDir == nil && photos.map(\.path) == ["-"]
  }

  /// The depth file of a photo; `nil` for standard output.
  func file(of photo: PhotoInput) -> URL? {
    if let output { return Console.isStandardOutput(output) ? nil : URL(filePath: output) }
    if photo.path == "-" && outputDir == nil { return nil }
    return photo.output("_depth.\((format ?? .png).rawValue)", in: outputDir)
  }

  /// The format of a photo's depth file.
  ///
  /// - Throws: `DepthError` where the file's name asks for none.
  func format(of photo: PhotoInput) throws -> DepthFileFormat {
    try file(of: photo).map(format(of:)) ?? format ?? .png
  }

  /// Whether depth files are PNG.
  var isPNG: Bool {
    let named = output.flatMap { try? DepthFileFormat(extensionOf: URL(filePath: $0)) }
    return (named ?? format ?? .png) == .png
  }

  /// The format that a file's name asks for, or `--format` where it has no extension.
  private func format(of file: URL) throws -> DepthFileFormat {
    guard file.pathExtension.isEmpty else { return try DepthFileFormat(extensionOf: file) }
    if let format { return format }
    guard FolderListing.Identity(of: file) == nil else {
      throw DepthError.unwritable(
        file: file.relativePath,
        reason: "is a folder, expected a file; folders are for --output-dir")
    }
    guard isDevice(file.path(percentEncoded: false)) else {
      throw DepthError.unknownExtension(
        file: file.relativePath,
        expected: DepthFileFormat.inThisBuild.map { ".\($0.rawValue)" } + ["or --format"], found: ""
      )
    }
    return .png
  }

  /// Whether a path is there and neither a file nor a folder.
  private func isDevice(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type.map { $0 != .typeRegular && $0 != .typeDirectory } ?? false
  }

  /// Fails if the depth format cannot record the unit of such a map.
  ///
  /// - Throws: ``InputFailure``, naming the file.
  func check(_ unit: DepthMap.Unit, of photo: PhotoInput) throws {
    do { try format(of: photo).check(unit) } catch {
      throw InputFailure(
        file: file(of: photo)?.relativePath ?? "standard output", reason: "\(error)")
    }
  }

  /// The map in a unit that the depth format can record: disparity becomes distances, except in PNG.
  ///
  /// - Throws: `DepthError` for an unknown format.
  func storable(_ map: DepthMap, of photo: PhotoInput) throws -> DepthMap {
    guard map.unit == .disparity, try !format(of: photo).canHold(.disparity) else { return map }
    return try map.inMetres()
  }

  /// The share of a map in metres that its PNG file cannot hold; `nil` where there is none.
  func clippedShare(of depth: DepthMap, photo: PhotoInput, threads: Int) -> Double? {
    guard (try? format(of: photo)) == .png, depth.unit == .metres else { return nil }
    let limit = SampleScale.clippedFrom
    // Few maps reach this far. Computing the range first avoids counting in the others.
    guard let range = depth.valueRange(threads: threads), range.high >= limit else { return nil }
    let count = depth.values.count { $0 >= limit && $0.isFinite }
    let known = depth.values.count { depth.hasValue($0) }
    return (Double(count) / Double(known) * 1e4).rounded() / 1e4
  }

  /// Writes a map to its file or to standard output.
  ///
  /// - Returns: The file's name, or `-`.
  func write(
    _ depth: DepthMap, task: PhotoTask, metadata: DepthFileMetadata, compression: PNGCompression,
    threads: Int
  ) throws -> String {
    let file = file(of: task.photo)
    if file == nil { try Console.checkStandardOutputTakesBytes() }
    let bytes = try depth.encoded(
      as: format(of: task.photo), metadata: metadata, compression: compression,
      call: CallContext(threads: threads))
    try task.write(bytes, to: file ?? Console.standardOutput)
    return file?.relativePath ?? "-"
  }
}

extension DepthFileFormat: ExpressibleByArgument {}

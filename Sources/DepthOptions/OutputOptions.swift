public import ArgumentParser
import DepthErrors
package import DepthImages
public import DepthPhotos
package import DepthPipeline
package import PhotoRuns
public import PictureFiles
package import ProcessLimits
import SystemEssentials
import ThreadTeams

extension ColorMap: ExpressibleByArgument {}

/// Where depth maps and their pictures go.
package struct OutputOptions: ParsableArguments {
  package init() {}

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      """
      Depth file to write for one photo; its extension (.png, .pfm, .npy, .exr) selects the format. '-' is standard \
      output.
      """,
      valueName: "file"),
    completion: .file())
  package var output: String?

  @Option(
    help: ArgumentHelp(
      """
      Folder for depth files named PHOTO_depth.EXT, with the subfolders of the input; created if missing.
      """,
      valueName: "folder"),
    completion: .directory)
  package var outputDir: String?

  @Option(
    help: ArgumentHelp(
      """
      Format of depth files that are named after photos, have a name without extension, or go to standard output: \
      png (the default), pfm, npy or exr.
      """,
      valueName: "format"))
  package var format: DepthFileFormat?

  @Option(
    help: ArgumentHelp(
      """
      Also write a picture of the depth, near = white: for one photo to this .png or .jpg, for several photos to \
      this folder, as PHOTO_view.png. End the name of a new folder with '/'.
      """,
      discussion: """
        The name may be left out if --view is the last word of the command or another option follows. The picture is \
        then PHOTO_depth_view.jpg, beside the depth file.
        """,
      valueName: "file"),
    completion: .file())
  package var view: String?

  /// The hidden flag that the command line makes of `--view` without a name before it is parsed.
  package static let bareViewFlag = "view-beside-photo"
  @Flag(name: .customLong(bareViewFlag), help: .hidden)
  package var viewBeside = false

  @Option(
    help: ArgumentHelp(
      """
      Color map of the --view picture: \(ColorMap.allCases.map(\.rawValue).joined(separator: ", ")). gray by \
      default.
      """,
      valueName: "name"))
  package var colorMap: ColorMap?

  @Flag(
    help: """
      Make brightness in the --view picture linear in metres. By default it is linear in disparity (1 / metres).
      """)
  package var linear = false

  @Option(
    help: ArgumentHelp(
      """
      Also write this JPEG file: the photo with its depth inside, as GDepth or Dynamic Depth. For one photo; not for \
      relative disparity.
      """,
      valueName: "file.jpg"),
    completion: .file())
  package var depthPhoto: String?

  @Option(
    help: ArgumentHelp(
      "Format of --depth-photo: gdepth (the default) or dynamic-depth.", valueName: "name"))
  package var depthPhotoFormat: DepthPhoto.Format?

  @OptionGroup package var png: CompressionOptions
  @OptionGroup package var metadata: MetadataOptions

  @Flag(help: "Replace existing files; without this option they are an error.")
  package var overwrite = false

  package func validate() throws {
    if view != nil, viewBeside {
      throw ValidationError("--view is given twice, expected once")
    }
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other")
    }
    for (option, isGiven) in [("--color-map", colorMap != nil), ("--linear", linear)]
    where isGiven && !hasView {
      throw ValidationError("\(option) is for the picture, expected --view with it")
    }
    if let depthPhoto {
      let file = URL(filePath: depthPhoto)
      guard case .jpeg? = try? ImageFileFormat(extensionOf: file) else {
        let error = DepthError.unknownExtension(
          file: depthPhoto, expected: [".jpg", ".jpeg"], found: file.pathExtension)
        throw ValidationError("\(error)".escapingControls)
      }
    }
    if depthPhotoFormat != nil, depthPhoto == nil {
      throw ValidationError("--depth-photo-format is for --depth-photo, expected both")
    }
    if let output, let format, !Console.isStandardOutput(output),
      let named = try? DepthFileFormat(extensionOf: URL(filePath: output)), named != format
    {
      throw ValidationError(
        "-o \(output) and --format \(format.rawValue) exclude each other".escapingControls)
    }
    do {
      if let output, !Console.isStandardOutput(output) {
        _ = try depthFormat(of: URL(filePath: output))
      }
      try format?.check(.metres)
    } catch { throw ValidationError("\(error)".escapingControls) }
  }

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  package func check(_ photos: PhotoSelection, json: Bool) throws {
    let (isMany, phrase) = (photos.isMany, photos.phrase)
    if output != nil, isMany {
      throw ValidationError("-o takes one photo, expected --output-dir for \(phrase)")
    }
    if !isMany, writesToStandardOutput(photos.photos), json {
      throw ValidationError("--json and the depth map cannot share standard output; use -o")
    }
    if let view, isMany, !namesFolder(view) {
      throw ValidationError("--view \(view) is not a folder, expected one for \(phrase)")
    }
    if let view, !isMany, !namesFolder(view) {
      do { _ = try ImageFileFormat(extensionOf: URL(filePath: view)) } catch {
        throw ValidationError("\(error)".escapingControls)
      }
    }
    if depthPhoto != nil, isMany {
      throw ValidationError("--depth-photo takes one photo, found \(phrase)")
    }
  }

  /// Folders that outputs go to.
  package var folders: [String?] { [outputDir, view.flatMap { namesFolder($0) ? $0 : nil }] }

  /// The files that the options would write for these photos.
  ///
  /// - Parameter inputs: Other files that are read.
  package func plan(for photos: [PhotoInput], inputs: [String] = []) -> OutputPlan {
    var plan = OutputPlan(inputs: photos.map(\.path) + inputs, overwrite: overwrite)
    plan.outputs = photos.flatMap { photo in
      [
        depthFile(of: photo).map { (file: $0, details: [], makesFolder: outputDir != nil) },
        viewFile(of: photo).map {
          (file: $0, details: viewDetails, makesFolder: isViewFolder)
        },
        depthPhoto.map {
          (file: URL(filePath: $0), details: depthPhotoDetails, makesFolder: false)
        },
      ].compactMap {
        $0.map { output in
          OutputPlan.Output(
            file: output.file, photo: photo.path, details: output.details,
            makesFolder: output.makesFolder)
        }
      }
    }
    plan.folders = [outputDir, view.flatMap { $0.hasSuffix("/") ? $0 : nil }]
      .compactMap { $0.map { URL(filePath: $0) } }
    return plan
  }

  private var viewDetails: [String] {
    ["view=\((colorMap ?? .gray).rawValue)"] + (linear ? ["linear"] : [])
  }

  private var depthPhotoDetails: [String] {
    ["depth-photo=\((depthPhotoFormat ?? .gDepth).rawValue)", "metadata=\(metadata.policy)"]
  }

  /// The format that a file's name asks for, or `--format` where it has no extension.
  private func depthFormat(of file: URL) throws -> DepthFileFormat {
    guard file.pathExtension.isEmpty else { return try DepthFileFormat(extensionOf: file) }
    if let format { return format }
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

  /// Whether the map itself goes to standard output.
  private func writesToStandardOutput(_ photos: [PhotoInput]) -> Bool {
    Console.isStandardOutput(output)
      || output == nil && outputDir == nil && photos.map(\.path) == ["-"]
  }

  /// Whether `--view` is given.
  package var hasView: Bool { view != nil || viewBeside }

  /// Whether each view gets a name of its own.
  private var isViewFolder: Bool { view.map(namesFolder) ?? false }

  /// The depth file of a photo; `nil` for standard output.
  private func depthFile(of photo: PhotoInput) -> URL? {
    if let output { return Console.isStandardOutput(output) ? nil : URL(filePath: output) }
    if photo.path == "-" && outputDir == nil { return nil }
    return photo.output("_depth.\((format ?? .png).rawValue)", in: outputDir)
  }

  private func viewFile(of photo: PhotoInput) -> URL? {
    if viewBeside {
      guard let depth = depthFile(of: photo) else {
        return photo.output("_depth_view.jpg", in: outputDir)
      }
      let stem = depth.deletingPathExtension()
      return stem.deletingLastPathComponent().appending(path: stem.lastPathComponent + "_view.jpg")
    }
    guard let view else { return nil }
    return isViewFolder ? photo.output("_view.png", in: view) : URL(filePath: view)
  }

  /// Fails if the depth format cannot record the unit of such a map.
  ///
  /// - Throws: ``InputFailure``, naming the file.
  package func check(_ unit: DepthMap.Unit, of photo: PhotoInput) throws {
    let file = depthFile(of: photo)
    do {
      try (file.map(depthFormat(of:)) ?? format ?? .png).check(unit)
    } catch {
      throw InputFailure(file: file?.relativePath ?? "standard output", reason: "\(error)")
    }
  }

  /// Fails for a kind of output that a map without distances does not have, before it is computed.
  ///
  /// - Parameters:
  ///   - unit: That of the map.
  ///   - photo: The photo, for the error.
  /// - Throws: `DepthError` with code `unknownUnit`.
  package func checkDistances(_ unit: DepthMap.Unit, of photo: String) throws {
    guard unit == .relativeDisparity else { return }
    do {
      if linear { try unit.requireMetric(for: "--linear") }
      if depthPhoto != nil { try unit.requireMetric(for: "--depth-photo") }
    } catch { throw error.naming(photo) }
  }

  /// What is made of a map, as far as it needs memory.
  package var mapFiles: MemoryNeed.MapFiles {
    var files = MemoryNeed.MapFiles()
    (files.hasView, files.hasDepthPhoto) = (hasView, depthPhoto != nil)
    return files
  }

  /// The share of a map in metres that its PNG file cannot hold; `nil` where there is none.
  package func clippedShare(of depth: DepthMap, photo: PhotoInput, threads: Int) -> Double? {
    let file = depthFile(of: photo)
    let format = file.flatMap { try? depthFormat(of: $0) } ?? format ?? .png
    guard format == .png, depth.unit == .metres else { return nil }
    // Nearer values are rounded to the largest sample. Few maps reach so far, and their range is known sooner than a count.
    let limit: Float = 65.5355
    guard let range = depth.valueRange(threads: threads), range.high >= limit else { return nil }
    let count = depth.values.count { $0 >= limit && $0.isFinite }
    let known = depth.values.count { depth.hasValue($0) }
    return (Double(count) / Double(known) * 1e4).rounded() / 1e4
  }

  /// A hint that a depth PNG looks black in a viewer; `nil` if a picture is written too.
  package func hint(for photo: PhotoInput) -> String? {
    guard !hasView, depthPhoto == nil, let file = depthFile(of: photo),
      (try? depthFormat(of: file)) == .png
    else { return nil }
    return "The depth file looks black in a viewer; add --view for a picture to look at."
  }

  /// Writes a map and its picture, which has the photo's size.
  ///
  /// - Parameters:
  ///   - clipped: See ``clippedShare(of:photo:threads:)``.
  ///   - limits: The largest picture.
  /// - Returns: The files written, in this order.
  package func write(
    _ depth: DepthMap, of image: Image, clipped: Double?, turn: PhotoTurn,
    metadata: DepthFileMetadata, limits: ImageLimits, threads: Int
  ) throws -> [String] {
    let photo = turn.photo
    var written: [String] = []
    if let share = clipped {
      let percent = share < 1 ? "\(max((share * 1000).rounded() / 10, 0.1))" : "100"
      turn.note(
        "\(percent) % of the map is beyond 65.535 m, the most that a PNG file holds; "
          + "--format pfm or npy has no limit")
    }
    if let file = depthFile(of: photo) {
      try turn.write(
        depth.encoded(
          as: depthFormat(of: file), metadata: metadata, compression: png.compression,
          threads: threads),
        to: file)
      written.append(file.relativePath)
    } else {
      try Console.checkStandardOutputTakesBytes()
      try turn.write(
        depth.encoded(
          as: format ?? .png, metadata: metadata, compression: png.compression, threads: threads),
        to: Console.standardOutput)
      written.append("-")
    }
    if let file = viewFile(of: photo) {
      let picture = try depth.stretched(
        over: image, limits: limits, call: CallContext(threads: threads)
      ).picture(colorMap ?? .gray, over: linear ? .metres : .disparity)
      try turn.write(
        picture.encoded(
          as: ImageFileFormat(extensionOf: file), compression: png.compression, threads: threads),
        to: file,
        details: viewDetails)
      written.append(file.relativePath)
    }
    if let depthPhoto {
      let file = URL(filePath: depthPhoto)
      try turn.write(
        DepthPhoto.encode(
          image, depth: depth, as: depthPhotoFormat ?? .gDepth, metadata: self.metadata.policy,
          threads: threads),
        to: file, details: depthPhotoDetails,
        // A comment would move what such a photo's own directory counts bytes to.
        hasRoom: false)
      written.append(file.relativePath)
    }
    return written
  }
}

extension DepthPhoto.Format: ExpressibleByArgument {}

extension DepthFileFormat: ExpressibleByArgument {}

/// Whether a path names a folder: by a slash at its end, or because one is there.
func namesFolder(_ path: String) -> Bool {
  var isDirectory = false
  return path.hasSuffix("/")
    || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
}

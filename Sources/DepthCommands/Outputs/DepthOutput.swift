import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The depth files of photos.
struct DepthOutput: MapOutput {
  var place = OutputPlace()
  /// The format of files whose name has no extension; `nil` for PNG.
  var format: DepthFileFormat?
  var compression = PNGCompression.default
  /// The normals to include in OpenEXR files and NumPy archives; `nil` for depth alone.
  var normals: NormalsRequest?

  var needsNormals: Bool { normals != nil }
  var purposeOfMetres: String? { normals == nil ? nil : NormalsOutput.purpose }
  var folder: String? { place.folder }
  var isPicture: Bool { false }

  /// Whether the depth map itself goes to standard output.
  func writesToStandardOutput(_ photos: [PhotoInput]) -> Bool {
    place.isStandardOutput
      || place.file == nil && place.folder == nil && photos.map(\.path) == ["-"]
  }

  /// The depth file of a photo; `nil` for standard output.
  func file(of photo: PhotoInput) -> URL? {
    if place.isStandardOutput || place.file == nil && place.folder == nil && photo.path == "-" {
      return nil
    }
    return place.url("_depth.\((format ?? .png).rawValue)", of: photo)
  }

  func files(of photo: PhotoInput) -> [URL] { [file(of: photo) ?? Console.standardOutput] }

  /// A file beside a photo's depth file, with a name derived from the depth file's.
  func companion(_ ending: String, of photo: PhotoInput) -> URL {
    guard let file = file(of: photo) else { return photo.output("_depth" + ending, in: folder) }
    let stem = file.deletingPathExtension()
    return stem.deletingLastPathComponent().appending(path: stem.lastPathComponent + ending)
  }

  /// The format of a photo's depth file.
  ///
  /// - Throws: `DepthError` if the extension of the file's name is unknown.
  private func format(of photo: PhotoInput) throws -> DepthFileFormat {
    try file(of: photo).map(format(of:)) ?? format ?? .png
  }

  var isPNG: Bool { (named ?? format ?? .png) == .png }
  /// Whether depth files can contain normals.
  var takesNormals: Bool { isArchive || (named ?? format) == .exr }
  /// Whether depth files are archives, which contain more than the map.
  var isArchive: Bool { (named ?? format) == .npz }

  /// Whether a photo's map is a PNG file, not standard output.
  func isPNGFile(_ photo: PhotoInput) -> Bool {
    file(of: photo) != nil && (try? format(of: photo)) == .png
  }

  /// The format that the extension of `-o` selects.
  private var named: DepthFileFormat? {
    place.file.flatMap { try? DepthFileFormat(extensionOf: URL(filePath: $0)) }
  }

  /// Rejects a name that contradicts the format, and a name with an unknown extension.
  ///
  /// - Throws: ``WrongUsage``.
  func check() throws {
    if let file = place.file, let format, !place.isStandardOutput, let named, named != format {
      throw WrongUsage(
        "-o \(file) and --format \(format.rawValue) exclude each other".escapingControls)
    }
    do {
      if let file = place.file, !place.isStandardOutput {
        _ = try format(of: URL(filePath: file))
      }
      try format?.check(.metres)
    } catch { throw WrongUsage("\(error)".escapingControls) }
  }

  /// The format that a file's extension selects. Without an extension, the given format.
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

  /// Whether a path exists and is neither a file nor a folder.
  private func isDevice(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type.map { $0 != .typeRegular && $0 != .typeDirectory } ?? false
  }

  /// Fails if the depth format cannot record the unit of a map.
  ///
  /// - Throws: `DepthError`, naming the file.
  func check(_ unit: DepthMap.Unit, of photo: PhotoInput) throws {
    try namingFailures(of: file(of: photo)?.relativePath ?? "standard output") {
      try format(of: photo).check(unit)
    }
  }

  /// The map in a unit that the depth format can store. Formats without disparity store distances.
  ///
  /// - Throws: `DepthError` for an unknown format.
  func storable(_ map: DepthMap, of photo: PhotoInput) throws -> DepthMap {
    guard map.unit == .disparity, try !format(of: photo).canHold(.disparity) else { return map }
    return try map.inMetres()
  }

  /// The share of a metric map beyond the range of its PNG file; `nil` for 0 and for formats other than PNG.
  func clippedShare(of depth: DepthMap, photo: PhotoInput, threads: Int) -> Double? {
    (try? format(of: photo)) == .png ? depth.clippedShare(threads: threads) : nil
  }

  /// A share as text, in percent, at least 0.1.
  static func percent(_ share: Double) -> String {
    share < 1 ? "\(max((share * 100).rounded(toDigits: 1), 0.1))" : "100"
  }

  func content(of map: FinishedMap, _ run: PhotoRun) throws -> (content: FileContent, url: URL) {
    if let share = map.clipped {
      run.log(
        "\(Self.percent(share)) % of the map is beyond 65.535 m, the largest value of a PNG file; "
          + ".pfm, .npy, .npz and .exr files have no limit")
    }
    let (format, compression) = (try format(of: run.photo), compression)
    let call = CallContext(threads: run.call.threads)
    let url = file(of: run.photo) ?? Console.standardOutput
    let given = normals.flatMap { asked in map.normals.map { (make: $0, frame: asked.normalsFrame) }
    }
    if format == .npz {
      return (map.depth.archive(beside: map.companions, normals: given), url)
    }
    let content = FileContent.made {
      try map.depth.encoded(
        as: format,
        metadata: DepthFileMetadata(
          software: Version.text, weightsIdentifier: map.weightsIdentifier),
        compression: compression, normals: given, call: call)
    }
    return (content, url)
  }
}

extension DepthMap {
  /// The share of a metric map beyond the range of a PNG file; `nil` if the share is 0.
  func clippedShare(threads: Int) -> Double? {
    let limit = SampleScale.clippedFrom
    // Few maps contain such large values. For other maps, computing the range avoids the count.
    guard unit == .metres, let range = valueRange(threads: threads), range.high >= limit
    else { return nil }
    let count = values.count { $0 >= limit && $0.isFinite }
    let known = values.count { hasValue($0) }
    return (Double(count) / Double(known)).rounded(toDigits: 4)
  }
}

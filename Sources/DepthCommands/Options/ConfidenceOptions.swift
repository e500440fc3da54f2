import ArgumentParser
import DepthErrors
import MonocularDepth
import PictureFiles
import SystemEssentials

/// Which pixels of an estimate are left out.
struct ConfidenceOptions: ParsableArguments {
  @Option(
    name: .customLong("min-confidence"),
    help: ArgumentHelp(
      """
      Remove the depth of pixels whose confidence is below this, such as 0.8 or 80%. By default no depth is removed.
      """,
      discussion: """
        Needs weights that predict the error of each pixel, such as 'default'. Confidence is 1 minus the expected \
        relative error: 0.8 keeps pixels with an expected error of 20 % or less. On the test photos of NYU Depth v2, \
        'default' keeps 88 % of the pixels at 0.8, 66 % at 0.85 and 40 % at 0.88, on average. --fill does not fill removed \
        pixels, except in meshes and point clouds of 'depth export'.
        """,
      valueName: "share"), transform: Share.argument)
  var leastConfidence: Share?

  var minConfidence: Float? { leastConfidence.map { Float($0.value) } }

  func validate() throws {
    try check("--min-confidence", minConfidence, in: 0...1)
  }
}

/// Where the confidence of estimates goes.
struct ConfidenceOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Also write the confidence of each pixel: for one photo to this .png or .pfm, for several photos to this \
      folder, as PHOTO_confidence.png. End the name of a new folder with '/'.
      """,
      discussion: """
        Needs weights that predict the error of each pixel, such as 'default'. Confidence is 1 minus the expected \
        relative error: 1 (white) for an error of 0 %, 0 (black) for an error of 100 % or more.
        """,
      valueName: "file"),
    completion: .file())
  var confidence: String?

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection) throws {
    guard let confidence else { return }
    if photos.isMany, !isFolder {
      throw ValidationError(
        "--confidence \(confidence) is not a folder, expected one for \(photos.phrase)")
    }
    if !isFolder { _ = try Format(of: confidence) }
  }

  /// Adds the files to a plan.
  func add(to plan: inout OutputPlan, for photos: [PhotoInput]) {
    plan.outputs += photos.compactMap { photo in
      file(of: photo).map {
        OutputPlan.Output(file: $0, photo: photo.path, makesFolder: isFolder)
      }
    }
  }

  /// A folder that the files go to.
  var folder: String? { isFolder ? confidence : nil }

  /// Writes the confidence of an estimate at the size of its finished map.
  ///
  /// - Returns: The file, if it is asked for.
  func write(
    _ errors: ErrorMap, height: Int, width: Int, task: PhotoTask, threads: Int
  ) throws -> [String] {
    guard let file = file(of: task.photo) else { return [] }
    let confidence = errors.resized(height: height, width: width).confidence
    let bytes =
      switch try Format(of: file.path(percentEncoded: false)) {
      case .pfm: PFM.file(confidence, height: height, width: width)
      case .png:
        try PNGParts.gray16(
          confidence.map { UInt16(($0 * 65535).rounded()) }, height: height, width: width,
          software: Version.text, threads: threads)
      }
    try task.write(bytes, to: file)
    return [file.relativePath]
  }

  private enum Format: String, CaseIterable {
    case png, pfm

    init(of name: String) throws {
      let ending = URL(filePath: name).pathExtension
      guard let format = Format(rawValue: ending.lowercased()) else {
        throw ValidationError(
          "\(DepthError.unknownExtension(file: name, expected: [".png", ".pfm"], found: ending))"
            .escapingControls)
      }
      self = format
    }
  }

  private var isFolder: Bool { confidence.map(namesFolder) ?? false }

  private func file(of photo: PhotoInput) -> URL? {
    guard let confidence else { return nil }
    return isFolder ? photo.output("_confidence.png", in: confidence) : URL(filePath: confidence)
  }
}

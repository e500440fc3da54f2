import DepthBase
import DepthErrors
import SystemEssentials

/// Every file that a run reads or writes, for checks before any computation.
struct OutputPlan: Sendable {
  /// A file to write.
  struct Output: Sendable {
    var file: URL
    /// The photo that the file is made from, as the user named it.
    var photo: String
    /// Whether the file's folder is created if missing.
    var makesFolder = false
    /// Whether the photo's other outputs refer to this file. An existing file with equal content is kept.
    var isShared = false
  }

  /// Files that must not be replaced, as the user named them; '-' does not count as a file.
  var inputs: [String] = []
  /// The depth files of a photo: its map and its known distances.
  var depthFiles: [String: [String]] = [:]
  /// Sources of every output, besides the photo and its depth file.
  var sources: [String] = []
  var outputs: [Output] = []
  /// Folders to create if they are missing.
  var folders: [URL] = []
  var overwrite = false
  /// Whether outputs that are older than their sources may be replaced.
  var replacesOutdated = false

  init(inputs: [String] = [], overwrite: Bool = false) {
    (self.inputs, self.overwrite) = (inputs, overwrite)
  }

  /// Rejects outputs that cannot be written, share a name or would replace files. Then creates the folders.
  ///
  /// - Throws: ``OutputConflict``, or `DepthError` with code `unwritable` for a location that cannot be written.
  func check() throws {
    try checkIdentities()
    let folders = MadeFolders()
    try checkDestinations(of: outputs, making: folders)
    folders.keep()
  }

  /// Rejects unwritable locations, and existing files that may not be replaced. Then creates the folders.
  ///
  /// - Parameters:
  ///   - outputs: The outputs of the plan that are still to be made.
  ///   - madeFolders: Records the folders that the run creates.
  ///   - mayBeSkipped: Whether the command has `--skip-existing`.
  /// - Throws: ``OutputConflict`` or `DepthError` with code `unwritable`.
  func checkDestinations(
    of outputs: [Output], making madeFolders: MadeFolders, mayBeSkipped: Bool = false
  ) throws {
    var existing: [String] = []
    func check(_ outputs: [Output]) throws {
      for output in outputs {
        do {
          try AtomicFile.check(output.file, overwrite: true)
          if !mayReplace { try AtomicFile.check(output.file, overwrite: false) }
        } catch let error as DepthError where error.code == .fileExists {
          if !output.isShared { existing.append(error.file ?? output.file.relativePath) }
        }
      }
    }
    let made = Set(folders + outputs.filter(\.makesFolder).map(\.folder))
      .sorted { $0.relativePath < $1.relativePath }
    let isMissing = { (folder: URL) in FileIdentity(of: folder)?.newPath != nil }
    let missing = Set(made.filter(isMissing))
    for folder in made where !missing.contains(folder) { try madeFolders.make(folder) }
    let missingPaths = folders.filter(missing.contains)
      .compactMap { FileIdentity(of: $0)?.newPath }
    func isInMissingFolder(_ output: Output) -> Bool {
      if output.makesFolder { return missing.contains(output.folder) }
      guard !missingPaths.isEmpty, let path = FileIdentity(of: output.file)?.newPath else {
        return false
      }
      return missingPaths.contains { path.hasPrefix($0 + "/") }
    }
    try check(outputs.filter { !isInMissingFolder($0) })
    if !existing.isEmpty { throw OutputConflict.exists(existing, mayBeSkipped: mayBeSkipped) }
    for folder in made { try madeFolders.make(folder) }
    try check(outputs.filter(isInMissingFolder))
    if !existing.isEmpty { throw OutputConflict.exists(existing, mayBeSkipped: mayBeSkipped) }
  }

  var mayReplace: Bool { overwrite || replacesOutdated }

  /// Whether these files of a photo are up to date.
  func areUpToDate(_ outputs: [Output], of photo: String) -> Bool {
    UpToDate.holds(
      outputs.map(\.file), from: [photo] + depthFiles[photo, default: []] + sources)
  }

  /// Whether a photo's shared file may be replaced: by the user's choice, or because the file is outdated.
  func replacesShared(among outputs: [Output], of photo: String) -> Bool {
    overwrite || replacesOutdated && !areUpToDate(outputs.filter(\.isShared), of: photo)
  }

  /// Rejects two outputs with one name, and outputs that would replace inputs.
  ///
  /// - Throws: ``OutputConflict``.
  func checkIdentities() throws {
    var sources: [FileIdentity: String] = [:]
    for input in inputs + depthFiles.values.joined() where input != "-" {
      if let identity = FileIdentity(of: URL(filePath: input)) { sources[identity] = input }
    }
    var seen: [FileIdentity: Output] = [:]
    for output in outputs {
      guard let identity = FileIdentity(of: output.file) else { continue }
      if let input = sources[identity] {
        throw OutputConflict.overInput(file: output.file.relativePath, input: input)
      }
      if let other = seen.updateValue(output, forKey: identity) {
        throw OutputConflict.sameFile(
          file: output.file.relativePath, photos: [other.photo, output.photo])
      }
    }
  }
}

extension OutputPlan.Output {
  fileprivate var folder: URL { file.deletingLastPathComponent() }
}

extension FileIdentity {
  /// The absolute path of a file that does not exist yet.
  fileprivate var newPath: String? { if case .path(let path) = self { path } else { nil } }
}

/// A reason why a run's files cannot be written under their names.
enum OutputConflict: Error, Equatable, CustomStringConvertible {
  /// Two outputs would have one name.
  case sameFile(file: String, photos: [String])
  /// The result would replace its source.
  case overInput(file: String, input: String)
  /// Files exist and may not be replaced.
  ///
  /// - Parameter mayBeSkipped: Whether the command has `--skip-existing`.
  case exists([String], mayBeSkipped: Bool)

  /// Whether the command line is wrong, regardless of the existing files.
  var isUsage: Bool { if case .sameFile = self { true } else { false } }

  var description: String {
    switch self {
    case .sameFile(let file, let photos):
      "two files would be written to \(file)"
        + (Set(photos).count > 1 ? " (of \(photos.joined(separator: " and ")))" : "")
    case .overInput(let file, let input):
      file == input
        ? "\(file): is an input, expected another name for the output"
        : "\(file): is the input \(input), expected another file for the output"
    case .exists(let files, let mayBeSkipped):
      "\(files.first ?? ""): exists already"
        + (files.count > 2
          ? ", and so do \(files.count - 1) more files"
          : files.count > 1 ? ", and so does one more file" : "")
        + "; --overwrite replaces \(files.count > 1 ? "them" : "it")"
        + (mayBeSkipped ? ", --skip-existing skips photos that are done" : "")
    }
  }
}

import SystemEssentials

/// The location of photos' outputs: one file, one folder, or the folder of each photo.
struct OutputPlace: Sendable {
  /// The name of `-o`.
  var file: String?
  /// The folder of `--output-dir`.
  var folder: String?

  init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }

  /// Selects a folder if the path ends with a slash or is an existing folder, and otherwise a file.
  init(fileOrFolder path: String) {
    var isDirectory = false
    let isFolder =
      path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
    self.init(file: isFolder ? nil : path, folder: isFolder ? path : nil)
  }

  var isStandardOutput: Bool { Console.isStandardOutput(file) }

  /// Rejects one file for several photos, and a file on standard output in combination with
  /// `--json`.
  ///
  /// - Parameter content: The content of the file, for errors.
  func check(_ photos: PhotoSelection, json: Bool, content: String) throws(WrongUsage) {
    if file != nil, photos.isMany {
      throw WrongUsage("-o takes one photo, expected --output-dir for \(photos.phrase)")
    }
    if json, isStandardOutput {
      throw WrongUsage("--json and the \(content) cannot share standard output; use -o")
    }
  }

  /// Rejects an option that names one file for several photos.
  static func check(_ option: String, _ path: String, _ photos: PhotoSelection) throws(WrongUsage) {
    guard photos.isMany else { return }
    throw WrongUsage(
      "\(option) \(path) names one file for \(photos.phrase), expected a folder; the name of a new one ends in '/'"
        .escapingControls)
  }

  /// The file of a photo.
  ///
  /// - Parameter ending: The ending of a name that is derived from the photo.
  func url(_ ending: String, of photo: PhotoInput) -> URL {
    if isStandardOutput { return Console.standardOutput }
    return file.map { URL(filePath: $0) } ?? photo.output(ending, in: folder)
  }
}

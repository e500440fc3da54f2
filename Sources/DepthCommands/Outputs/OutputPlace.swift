import SystemEssentials

/// The place of the files of photos: a file, a folder for all, or beside each photo.
struct OutputPlace: Sendable {
  /// The name of `-o`.
  var file: String?
  /// The folder of `--output-dir`.
  var folder: String?

  init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }

  /// A file, or the folder that a path names by a slash at its end or because it is there.
  init(fileOrFolder path: String) {
    var isDirectory = false
    let isFolder =
      path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
    self.init(file: isFolder ? nil : path, folder: isFolder ? path : nil)
  }

  var isStandardOutput: Bool { Console.isStandardOutput(file) }

  /// Refuses a name for one file where there are several photos, and a file on standard output beside `--json`.
  ///
  /// - Parameter content: What the file is, for errors.
  func check(_ photos: PhotoSelection, json: Bool, content: String) throws(WrongUsage) {
    if file != nil, photos.isMany {
      throw WrongUsage("-o takes one photo, expected --output-dir for \(photos.phrase)")
    }
    if json, isStandardOutput {
      throw WrongUsage("--json and the \(content) cannot share standard output; use -o")
    }
  }

  /// Refuses an option's name for one file where there are several photos.
  static func check(_ option: String, _ path: String, _ photos: PhotoSelection) throws(WrongUsage) {
    guard photos.isMany else { return }
    throw WrongUsage(
      "\(option) \(path) names one file for \(photos.phrase), expected a folder; the name of a new one ends in '/'"
        .escapingControls)
  }

  /// The file of a photo.
  ///
  /// - Parameter ending: The end of the name of a file that is named after the photo.
  func url(_ ending: String, of photo: PhotoInput) -> URL {
    if isStandardOutput { return Console.standardOutput }
    return file.map { URL(filePath: $0) } ?? photo.output(ending, in: folder)
  }
}

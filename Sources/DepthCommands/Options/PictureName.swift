import ArgumentParser
import PictureFiles
import SystemEssentials

/// Refuses a name for a picture, of `-o`, that is of no format, or of another one than `--lossless` writes.
///
/// - Throws: A validation error.
func checkPicture(named output: String, isLossless: Bool) throws {
  let format: ImageFileFormat
  do { format = try ImageFileFormat(extensionOf: URL(filePath: output)) } catch {
    throw ValidationError("\(error)".escapingControls)
  }
  guard !isLossless || format == .png else {
    throw ValidationError(
      "--lossless writes PNG, expected -o with a name in .png, found \(output)".escapingControls)
  }
}

/// Whether a path names a folder: by a slash at its end, or because one is there.
func namesFolder(_ path: String) -> Bool {
  var isDirectory = false
  return path.hasSuffix("/")
    || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
}

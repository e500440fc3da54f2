import DepthBase
import SystemEssentials

/// A photo of a run, with its path and the names of its outputs.
struct PhotoInput: Hashable, Sendable {
  /// The path as the user named it or as found in a folder; `-` is standard input.
  let path: String
  /// Path in the tree that an output folder mirrors. For a directly named photo, this is the last path
  /// component.
  let relativePath: String
  /// The name of another photo in the folder that differs only in its extension.
  var namesake: String?

  init(path: String, relativePath: String? = nil) {
    self.path = path
    self.relativePath =
      relativePath ?? (path == "-" ? "stdin" : URL(filePath: path).lastPathComponent)
  }

  var url: URL { path == "-" ? Console.standardInput : URL(filePath: path) }

  /// The photo's name with its extension.
  var name: String { path == "-" ? "stdin" : URL(filePath: path).lastPathComponent }

  /// The photo's name without its extension. The extension is included if there is a ``namesake``.
  var stem: String { namesake == nil ? shortName : name }

  var shortName: String {
    path == "-" ? name : URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// The path of a file that is named after the photo.
  ///
  /// - Parameters:
  ///   - ending: The text that follows the photo's ``stem``, such as `_depth.png`.
  ///   - folder: The output folder, which mirrors the photos' tree; by default the photo's folder.
  func output(_ ending: String, in folder: String?) -> URL {
    output(named: stem + ending, in: folder)
  }

  /// The path of a file with any name, in the folder of files named after the photo.
  func output(named name: String, in folder: String?) -> URL {
    guard let folder else {
      return URL(filePath: path).deletingLastPathComponent().appending(path: name)
    }
    return URL(filePath: folder).appending(path: AtomicFile.folder(of: relativePath) + name)
  }
}

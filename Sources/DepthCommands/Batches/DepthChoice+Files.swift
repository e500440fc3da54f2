import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles
import SystemEssentials

extension DepthChoice {
  /// - Parameters:
  ///   - name: A word, a file or a folder; `nil` for `auto`. A file with the name of a word needs
  ///     a folder in front: `./auto`.
  ///   - words: The accepted words.
  init(_ name: String?, words: [DepthChoice] = allCases) {
    let name = name ?? Self.auto.rawValue
    self =
      words.first { $0.rawValue == name }
      ?? (FolderListing.Identity(of: URL(filePath: name)) == nil ? .file(name) : .folder(name))
  }

  /// Whether all depth is given and none is estimated.
  var isGiven: Bool { self != .auto && self != .network }

  /// - Throws: ``WrongUsage`` if one depth file is given for several photos.
  func check(_ photos: PhotoSelection) throws {
    if case .file("-") = self, photos.photos.contains(where: { $0.path == "-" }) {
      throw WrongUsage("standard input, '-', is given twice, expected once")
    }
    if case .file(let name) = self, photos.isMany {
      throw WrongUsage(
        "\(name) is not a folder, expected one with a depth file for each photo".escapingControls)
    }
  }

  /// The depth file of a photo; `nil` if its depth is embedded or estimated.
  ///
  /// - Throws: `DepthError` if a folder has no file for the photo, or several.
  func file(of photo: PhotoInput) throws -> String? {
    switch self {
    case .auto, .network, .embedded: return nil
    case .file(let name): return name
    case .folder(let folder):
      // The depth folder may be the photos' folder.
      let own = FileIdentity(of: photo.url)
      func files(named name: String) -> [URL] {
        ["_depth", ""].flatMap { suffix in
          DepthFileFormat.extensions.map {
            photo.output(named: "\(name)\(suffix).\($0)", in: folder)
          }
        }.filter { FileFacts(of: $0) != nil && FileIdentity(of: $0) != own }
      }
      // If photos differ only in their extension, the names of their maps contain the extension.
      var found = files(named: photo.name)
      if found.isEmpty { found = files(named: photo.shortName) }
      guard let first = found.first else {
        throw DepthError.unreadable(
          file: photo.path,
          reason: "has no depth file, expected "
            + "\(photo.output("_depth", in: folder).relativePath)\(DepthFileFormat.anyExtension)"
        )
      }
      guard found.count == 1 else {
        throw DepthError.unreadable(
          file: photo.path,
          reason: "has \(found.count) depth files, expected one of "
            + found.map(\.relativePath).joined(separator: ", "))
      }
      return first.relativePath
    }
  }

  static func url(of path: String) -> URL {
    path == "-" ? Console.standardInput : URL(filePath: path)
  }

  /// The depth files of photos, keyed by the photo's path. A photo without a depth file has no key.
  func files(of photos: [PhotoInput]) -> [String: String] {
    var files: [String: String] = [:]
    for photo in photos { files[photo.path] = try? file(of: photo) }
    return files
  }
}

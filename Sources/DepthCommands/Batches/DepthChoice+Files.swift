import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles
import SystemEssentials

/// The depth files of a batch.
extension DepthChoice {
  /// - Parameters:
  ///   - name: A word, a file or a folder; `nil` for `auto`. A file called like a word is `./auto`.
  ///   - words: The accepted words.
  init(_ name: String?, words: [DepthChoice] = allCases) {
    let name = name ?? Self.auto.rawValue
    self =
      words.first { $0.rawValue == name }
      ?? (FolderListing.Identity(of: URL(filePath: name)) == nil ? .file(name) : .folder(name))
  }

  /// Whether no photo's depth is estimated.
  var isGiven: Bool { self != .auto && self != .network }

  /// - Throws: ``WrongUsage`` for one depth file and several photos.
  func check(_ photos: PhotoSelection) throws {
    if case .file("-") = self, photos.photos.contains(where: { $0.path == "-" }) {
      throw WrongUsage("standard input, '-', was named twice, expected once")
    }
    if case .file(let name) = self, photos.isMany {
      throw WrongUsage(
        "\(name) is not a folder, expected one with a depth file for each photo".escapingControls)
    }
  }

  /// The depth file of a photo; `nil` where its depth is estimated or inside it.
  ///
  /// - Throws: `DepthError` where a folder has no file for the photo, or more than one.
  func file(of photo: PhotoInput) throws -> String? {
    switch self {
    case .auto, .network, .embedded: return nil
    case .file(let name): return name
    case .folder(let folder):
      // The folder may be the photos' own.
      let own = FileIdentity(of: photo.url)
      func files(named name: String) -> [URL] {
        ["_depth", ""].flatMap { suffix in
          DepthFileFormat.extensions.map {
            photo.output(named: "\(name)\(suffix).\($0)", in: folder)
          }
        }.filter { FileFacts(of: $0) != nil && FileIdentity(of: $0) != own }
      }
      // Maps of photos that differ in their extension alone have it in their names.
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

  /// URL of a depth file.
  static func url(of path: String) -> URL {
    path == "-" ? Console.standardInput : URL(filePath: path)
  }

  /// The depth files of all photos that have one, by the photos' paths.
  func files(of photos: [PhotoInput]) -> [String: String] {
    var files: [String: String] = [:]
    for photo in photos { files[photo.path] = try? file(of: photo) }
    return files
  }
}

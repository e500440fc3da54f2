import DepthBase
import DepthErrors
import PictureFiles
import SystemEssentials

/// The photos of a batch.
struct PhotoSelection {
  private(set) var photos: [PhotoInput] = []
  /// Names and files that cannot be photos, and why.
  var failures: [(path: String, error: any Error)] = []
  /// Number of files in the folders without a photo's extension.
  var otherFiles = 0
  /// Whether there may be several photos, for which one output name is not enough.
  var isMany: Bool
  /// Whether the run ends with a summary, since the user is likely to be away.
  var isUnattended: Bool
  private var paths: Set<String> = []
  /// Relative paths of unreadable photos, in the tree that an output folder mirrors.
  private(set) var relativePaths: [String: String] = [:]

  mutating func fail(_ photo: PhotoInput, _ error: any Error) {
    guard paths.insert(photo.path).inserted else { return }
    failures.append((photo.path, error))
    relativePaths[photo.path] = photo.relativePath
  }

  /// The photos that arguments and settings name, in order and without duplicates.
  ///
  /// - Parameters:
  ///   - arguments: Photos, folders and `-`.
  ///   - outputFolders: Output folders, which are not searched for photos.
  /// - Throws: ``WrongUsage``; `DepthError` for a folder without photos or an unreadable list.
  init(_ arguments: [String], _ settings: BatchSettings, outputFolders: [String?]) throws {
    let (recursive, filesFrom) = (settings.recursive, settings.filesFrom)
    if arguments.isEmpty, filesFrom == nil { throw WrongUsage("no photo is given") }
    let standardInputs = (arguments + [filesFrom].compactMap { $0 }).count { $0 == "-" }
    if standardInputs > 1 {
      throw WrongUsage("standard input, '-', is given twice, expected once")
    }
    let excluded = Set(
      outputFolders.compactMap { $0.flatMap { FolderListing.Identity(of: URL(filePath: $0)) } })
    isMany = arguments.count > 1 || filesFrom != nil
    isUnattended = isMany || settings.skipExisting || settings.manifest != nil
    for argument in arguments {
      if let error = Self.addressFailure(argument) {
        failures.append((argument, error))
        continue
      }
      guard argument != "-", FolderListing.Identity(of: URL(filePath: argument)) != nil else {
        add(PhotoInput(path: argument))
        continue
      }
      let folder = PhotoFolder(
        argument, isRecursive: recursive, extensions: PhotoFile.extensions, excluding: excluded)
      if folder.photos.isEmpty, folder.failures.isEmpty {
        throw DepthError.unreadable(
          file: argument,
          reason: "holds no photo, expected files ending in "
            + PhotoFile.extensions.sorted().map { ".\($0)" }.joined(separator: ", ")
            + (recursive ? "" : "; --recursive searches the folders below too"))
      }
      (isMany, isUnattended) = (true, true)
      for photo in folder.photos { add(photo) }
      failures += folder.failures
      otherFiles += folder.otherFiles
    }
    if let filesFrom {
      let list = try PhotoList(contentsOf: filesFrom, isNullTerminated: settings.null)
      for photo in list.photos {
        // A missing photo must not cause the output folder to be created.
        if let error = Self.addressFailure(photo.path) ?? Self.missingFailure(photo.url) {
          fail(photo, error)
        } else {
          add(photo)
        }
      }
      failures += list.failures
    }
  }

  /// A phrase about several photos, for errors. A folder or a list counts as several even with a
  /// single photo.
  var phrase: String {
    photos.count > 1 ? "\(photos.count) photos" : "a folder or a list"
  }

  mutating func add(_ photo: PhotoInput) {
    if paths.insert(photo.path).inserted { photos.append(photo.withNamesake) }
  }

  /// The error for a URL in place of a photo; `nil` for a path.
  private static func addressFailure(_ path: String) -> (any Error)? {
    let name = path.lowercased()
    let isAddress = ["http://", "https://", "ftp://", "file://"].contains { name.hasPrefix($0) }
    guard isAddress, !FileManager.default.fileExists(atPath: path) else { return nil }
    return DepthError.unreadable(
      file: path,
      reason: name.hasPrefix("file://")
        ? "is an address, expected a path"
        : "is an address, expected a file; download it: curl -L ADDRESS | depth predict -")
  }

  /// The error for a listed photo that does not exist.
  private static func missingFailure(_ url: URL) -> (any Error)? {
    let path = url.path(percentEncoded: false)
    guard !FileManager.default.fileExists(atPath: path) else { return nil }
    do { try InputFile.requireOrdinaryFile(url) } catch { return error }
    return nil
  }
}

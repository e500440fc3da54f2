import DepthBase
import PictureFiles
import SystemEssentials

/// The photos in a folder, followed by the photos in its subfolders, in the byte order of names.
///
/// Hidden files and folders, links to folders, and pictures that this program wrote are left out.
struct PhotoFolder {
  private(set) var photos: [PhotoInput] = []
  /// Folders that could not be read, and why.
  private(set) var failures: [(path: String, error: any Error)] = []
  /// Number of visible files without a photo's extension.
  private(set) var otherFiles = 0

  private let isRecursive: Bool
  private let extensions: Set<String>
  private let excluded: Set<FolderListing.Identity>

  /// - Parameters:
  ///   - path: The folder.
  ///   - isRecursive: Whether subfolders are searched as well.
  ///   - extensions: The extensions of photos, in lower case.
  ///   - excluded: Output folders, which are not searched.
  init(
    _ path: String, isRecursive: Bool, extensions: Set<String>,
    excluding excluded: Set<FolderListing.Identity>
  ) {
    (self.isRecursive, self.extensions) = (isRecursive, extensions)
    self.excluded = excluded
    search(path.hasSuffix("/") ? path : path + "/", relativePath: "")
  }

  private mutating func search(_ folder: String, relativePath: String) {
    let listing: FolderListing
    do { listing = try FolderListing(of: URL(filePath: folder)) } catch {
      failures.append((folder, error))
      return
    }
    for name in listing.files where !name.hasPrefix(".") {
      let fileExtension = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
      guard extensions.contains(fileExtension.lowercased()) else {
        otherFiles += 1
        continue
      }
      if OwnPicture.isOwn(URL(filePath: folder + name)) { continue }
      photos.append(PhotoInput(path: folder + name, relativePath: relativePath + name))
    }
    guard isRecursive else { return }
    for name in listing.folders where !name.hasPrefix(".") {
      let below = folder + name + "/"
      if let identity = FolderListing.Identity(of: URL(filePath: below)),
        excluded.contains(identity)
      {
        continue
      }
      search(below, relativePath: relativePath + name + "/")
    }
  }
}

import DepthBase
import PictureFiles
import SystemEssentials

/// Photos of a folder that differ only in their extension, such as `IMG_1.HEIC` and `IMG_1.JPG` of an iPhone.
///
/// Their outputs would have the same name, so the outputs' names keep the photos' extensions. The names depend on the
/// whole folder, not on the run's choice of photos. Shards, lists and later runs therefore use the same names.
extension PhotoInput {
  /// The photo with its ``namesake``, if its folder has one.
  var withNamesake: PhotoInput {
    guard path != "-" else { return self }
    var photo = self
    photo.namesake = Self.namesake(of: url)
    return photo
  }

  private static func namesake(of photo: URL) -> String? {
    let folder = photo.deletingLastPathComponent()
    let stem = photo.deletingPathExtension().lastPathComponent
    for ending in PhotoFile.extensions.sorted() {
      for spelling in [
        ending, ending.uppercased(), ending.prefix(1).uppercased() + ending.dropFirst(),
      ] {
        let name = "\(stem).\(spelling)"
        let file = folder.appending(path: name)
        guard name != photo.lastPathComponent, FileFacts(of: file) != nil,
          // Some file systems treat upper and lower case in names as equal.
          FileIdentity(of: file) != FileIdentity(of: photo), !OwnPicture.isOwn(file)
        else { continue }
        return name
      }
    }
    return nil
  }
}

extension PhotoBatch {
  /// A note about names that keep their extension; `nil` if no photo has a namesake.
  var namesakesNote: String? {
    photos.first { $0.namesake != nil }.map { photo in
      "\(photo.path): differs from \(photo.namesake ?? "") only in the extension, so names of output files contain it: "
        + "\(photo.stem)_…"
    }
  }
}

import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
package import SystemEssentials

/// Pairs of photos and depth files.
package struct PairedFiles: EvaluationDataset {
  struct Pair: Sendable, Equatable {
    let name: String
    let photo, depth: URL
  }

  package let path: String
  package let incomplete: [SkippedFrame]
  let pairs: [Pair]
  /// The lists of the pairs.
  private let lists: [URL]
  /// Values per metre; `nil` if the files record their unit.
  let depthScale: Double?

  package var frameNames: [String] { pairs.map(\.name) }

  /// - Throws: `DepthError` with code `incompleteDataset` if there are no pairs.
  init(
    path: String, pairs: [Pair], incomplete: [SkippedFrame], lists: [URL] = [],
    depthScale: Double?
  ) throws {
    guard !pairs.isEmpty else {
      if let first = incomplete.first {
        throw DepthError.nothingMeasured(path: path, first: first)
      }
      throw DepthError(.incompleteDataset, file: path, "holds no frame")
    }
    (self.path, self.pairs, self.incomplete) = (path, pairs, incomplete)
    (self.lists, self.depthScale) = (lists, depthScale)
  }

  package var files: [String] {
    [path]
      + (lists + pairs.flatMap { [$0.photo, $0.depth] }).map(\.relativePath)
  }

  package func frame(_ index: Int) throws -> EvaluationFrame {
    let pair = pairs[index]
    for file in [pair.photo, pair.depth] { try InputFile.requireOrdinaryFile(file) }
    return try EvaluationFrame(
      name: pair.name, photo: Image(contentsOf: pair.photo), truth: truth(of: pair))
  }

  private func truth(of pair: Pair) throws -> DepthMap {
    guard let depthScale else {
      do {
        return try DepthMap(contentsOf: pair.depth)
      } catch let error as DepthError where error.code == .unknownUnit {
        throw DepthError.unknownScale(file: pair.depth.relativePath)
      }
    }
    return try DepthMap(contentsOf: pair.depth, unit: .metres, scale: 1 / depthScale)
  }
}

extension PairedFiles {
  /// Pairs photos in `rgb/` with depth files of the same names in `depth/`.
  ///
  /// - Parameter depthScale: Values per metre; 1000 for millimetres. With `nil`, the files must
  ///   record their unit, like the PNG of `depth predict`, PFM, `.npy` and `.npz`.
  /// - Throws: `DepthError` with code `incompleteDataset`; code `unsupportedFormat` if a folder
  ///   cannot be read.
  package init(folder: URL, depthScale: Double? = nil) throws {
    let photos = try Self.files(in: folder.appending(path: "rgb"), PhotoFile.extensions)
    let depths = try Self.files(
      in: folder.appending(path: "depth"), Set(DepthFileFormat.extensions))
    let partners = Dictionary(grouping: depths, by: \.stem)
    let stems = Set(photos.map(\.stem))
    var pairs: [Pair] = []
    var incomplete: [SkippedFrame] = []
    for photo in photos {
      let found = partners[photo.stem] ?? []
      guard found.count == 1 else {
        let file = photo.url.relativePath
        let reason =
          found.isEmpty
          ? DepthError.missingPair(
            file: file, expected: "depth/\(photo.stem)\(DepthFileFormat.anyExtension)")
          : DepthError.severalPartners(file: file, found: found.map(\.url.relativePath))
        incomplete.append(SkippedFrame(name: photo.stem, reason: reason.description))
        continue
      }
      pairs.append(Pair(name: photo.stem, photo: photo.url, depth: found[0].url))
    }
    for depth in depths where !stems.contains(depth.stem) {
      let reason = DepthError.missingPair(
        file: depth.url.relativePath, expected: "rgb/\(depth.stem).jpg or .png")
      incomplete.append(SkippedFrame(name: depth.stem, reason: reason.description))
    }
    try self.init(
      path: folder.relativePath, pairs: pairs, incomplete: incomplete, depthScale: depthScale)
  }

  /// Sorted names of all files and folders in a folder.
  static func names(in folder: URL) throws -> [String] {
    let path = folder.path(percentEncoded: false)
    do { return try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
      throw DepthError.unknownDataset(path: folder.relativePath, found: "cannot be read")
    }
  }

  /// Files with some extensions, by name.
  private static func files(
    in folder: URL, _ extensions: Set<String>
  ) throws -> [(stem: String, url: URL)] {
    try names(in: folder).compactMap { name in
      let url = folder.appending(path: name)
      guard !name.hasPrefix("."), extensions.contains(url.pathExtension.lowercased()) else {
        return nil
      }
      return (url.deletingPathExtension().lastPathComponent, url)
    }
  }
}

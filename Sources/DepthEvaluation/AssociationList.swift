import DepthBase
import DepthErrors
package import SystemEssentials

/// Sequences of the TUM RGB-D benchmark: lists of photos and depth files with their times.
///
/// > Source: J. Sturm et al. “A Benchmark for the Evaluation of RGB-D SLAM Systems.” IROS 2012.
/// > Depth is 16-bit PNG with 5000 values per metre.
extension PairedFiles {
  /// Default depth scale: 5000 values per metre, as in TUM RGB-D.
  private static let benchmarkScale = 5000.0
  /// Largest time between a photo and its depth, seconds, as in the benchmark's own script.
  private static let largestDifference = 0.02

  /// Reads a list of pairs, one `time photo time depth` per line, with paths relative to the list's folder.
  ///
  /// - Throws: `DepthError` with code `damaged`; code `incompleteDataset` if there are no frames.
  package init(associationList list: URL, depthScale: Double? = nil) throws {
    let folder = list.deletingLastPathComponent()
    let pairs = try Self.lines(of: list, columns: 4, "time photo time depth").map { fields in
      Pair(
        name: fields[0], photo: folder.appending(path: fields[1]),
        depth: folder.appending(path: fields[3]))
    }
    try self.init(
      path: list.relativePath, pairs: pairs, incomplete: [],
      depthScale: depthScale ?? Self.benchmarkScale)
  }

  /// Reads a folder with the lists `rgb.txt` and `depth.txt`, one `time file` per line. Each photo is paired
  /// with the depth nearest in time. The closest pairs come first, and each file is used once.
  ///
  /// - Throws: See ``init(associationList:depthScale:)``.
  package init(timestampedFolder folder: URL, depthScale: Double? = nil) throws {
    func entries(_ name: String) throws -> [(time: Double, file: String, label: String)] {
      let list = folder.appending(path: name)
      return try Self.lines(of: list, columns: 2, "time file").map {
        (Double($0[0]) ?? 0, $0[1], $0[0])
      }
    }
    let photos = try entries("rgb.txt").sorted { $0.time < $1.time }
    let depths = try entries("depth.txt").sorted { $0.time < $1.time }
    guard Self.mostCandidates(photos.map(\.time), depths.map(\.time)) <= Self.largestCrowd else {
      throw DepthError(
        .damaged, file: folder.appending(path: "depth.txt").relativePath,
        "lists more than \(Self.largestCrowd) files within \(Self.largestDifference) s of a photo, "
          + "expected the frames of one camera")
    }
    let partners = Self.partners(photos.map(\.time), depths.map(\.time))
    var pairs: [Pair] = []
    var incomplete: [SkippedFrame] = []
    for (photo, partner) in zip(photos, partners) {
      guard let partner else {
        let reason = DepthError.missingPair(
          file: photo.file, expected: "a depth file within \(Self.largestDifference) s")
        incomplete.append(SkippedFrame(name: photo.label, reason: reason.description))
        continue
      }
      pairs.append(
        Pair(
          name: photo.label, photo: folder.appending(path: photo.file),
          depth: folder.appending(path: depths[partner].file)))
    }
    try self.init(
      path: folder.relativePath, pairs: pairs, incomplete: incomplete,
      lists: ["rgb.txt", "depth.txt"].map { folder.appending(path: $0) },
      depthScale: depthScale ?? Self.benchmarkScale)
  }

  /// Maximum depth files near one photo; a camera of 1000 frames per second has 41.
  private static let largestCrowd = 100

  /// The largest number of times in `second` that are near one time in `first`. Both arrays ascend.
  private static func mostCandidates(_ first: [Double], _ second: [Double]) -> Int {
    var (start, end, most) = (0, 0, 0)
    for time in first {
      while start < second.count, second[start] < time - largestDifference { start += 1 }
      end = max(end, start)
      while end < second.count, second[end] <= time + largestDifference { end += 1 }
      most = max(most, end - start)
    }
    return most
  }

  /// The partners in `second` of the times in `first`, as indices; `nil` without a partner. Times and indices ascend.
  static func partners(_ first: [Double], _ second: [Double]) -> [Int?] {
    var candidates: [(difference: Double, first: Int, second: Int)] = []
    var start = 0
    for (i, time) in first.enumerated() {
      while start < second.count, second[start] < time - largestDifference { start += 1 }
      var j = start
      while j < second.count, second[j] <= time + largestDifference {
        candidates.append((abs(second[j] - time), i, j))
        j += 1
      }
    }
    var partners = [Int?](repeating: nil, count: first.count)
    var taken = Set<Int>()
    for (_, i, j) in candidates.sorted(by: { $0 < $1 }) where partners[i] == nil {
      if taken.insert(j).inserted { partners[i] = j }
    }
    return partners
  }

  /// The fields of every line except comments.
  private static func lines(
    of list: URL, columns: Int, _ expected: String
  ) throws -> [[String]] {
    try InputFile.requireOrdinaryFile(list)
    let text = String(decoding: try InputFile.bytes(of: list), as: UTF8.self)
    var result: [[String]] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "," }
        .map(String.init)
      if fields.isEmpty || fields[0].hasPrefix("#") { continue }
      guard fields.count == columns,
        stride(from: 0, to: columns, by: 2).allSatisfy({ Double(fields[$0])?.isFinite == true })
      else {
        throw DepthError(
          .damaged, file: list.relativePath,
          "line \(number + 1) cannot be read, expected '\(expected)'")
      }
      result.append(fields)
    }
    return result
  }
}

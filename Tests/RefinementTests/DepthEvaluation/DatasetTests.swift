import DepthBase
import DepthErrors
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthEvaluation

@Suite struct NYULabelledSetTests {
  /// Writes frames like MATLAB, with the order of all axes reversed.
  private func write(
    _ photos: [Image], _ depths: [DepthMap], to path: String, chunk: Int? = nil
  ) throws {
    let writer = try HDF5Writer(path: path)
    let (height, width) = (depths[0].height, depths[0].width)
    var (bytes, metres): ([Float], [Float]) = ([], [])
    for (photo, depth) in zip(photos, depths) {
      for c in 0..<3 {
        for x in 0..<width {
          for y in 0..<height { bytes.append(Float(photo.pixels[(y * width + x) * 3 + c])) }
        }
      }
      for x in 0..<width {
        for y in 0..<height { metres.append(depth.values[y * width + x]) }
      }
    }
    try writer.write(
      bytes, shape: [photos.count, 3, width, height], to: "images",
      as: .init(.uint8, chunk: chunk.map { [$0, 1, 4, 5] }, gzip: chunk == nil ? nil : 3))
    try writer.write(
      metres, shape: [photos.count, width, height], to: "depths",
      as: .init(.float32, chunk: chunk.map { [$0, 5, 4] }, gzip: chunk == nil ? nil : 3))
  }

  private let photos = (0..<5).map { index in
    var image = testImage(height: 9, width: 12).pixels
    for i in image.indices { image[i] &+= UInt8(index * 7) }
    return Image(height: 9, width: 12, pixels: image)
  }
  private let depths = (0..<5).map { Scenes.truth(height: 9, width: 12, seed: "\($0)") }

  @Test("frames of a MATLAB set are read upright in any order", arguments: [nil, 1, 2, 4])
  func everyFrameComesBackUpright(chunk: Int?) throws {
    let folder = try TemporaryFolder()
    try write(photos, depths, to: folder.path("small.mat"), chunk: chunk)
    let set = try openDataset(folder.path("small.mat"))
    #expect(set.frameNames == ["00000", "00001", "00002", "00003", "00004"])
    for index in [3, 0, 4, 1, 2] {
      let frame = try set.frame(index)
      #expect(frame.photo == photos[index])
      #expect(frame.truth == depths[index])
    }
  }

  /// MATLAB writes 512 bytes before the HDF5 data.
  @Test("a user block before the HDF5 data is skipped") func aUserBlockIsPassedOver() throws {
    let folder = try TemporaryFolder()
    try write(photos, depths, to: folder.path("bare.h5"), chunk: 2)
    let bytes = try TemporaryFolder.bytes(of: folder.path("bare.h5"))
    let path = try folder.write(
      Array("MATLAB 7.3 MAT-file".utf8) + [UInt8](repeating: 32, count: 493) + bytes, to: "m.mat")
    #expect(try openDataset(path).frame(3).truth == depths[3])
  }

  @Test("the default split of an NYU set is its 654 test frames")
  func ofAWholeSetTheTestFramesAreMeasured() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("whole.mat")
    let stamps = (0..<NYUSplit.frameCount).flatMap { index -> [Float] in [Float(index + 1), 7] }
    do {
      let writer = try HDF5Writer(path: path)
      try writer.write(
        stamps.flatMap { _ in [10, 20, 30] as [Float] }, shape: [1449, 3, 2, 1], to: "images",
        as: .init(.uint8))
      try writer.write(stamps, shape: [1449, 2, 1], to: "depths")
    }
    let set = try openDataset(path)
    #expect(set.frameNames.count == 654)
    #expect(set.frameNames.last == "01448")
    #expect(try set.frame(2).truth.values == [9, 7])  // frame 8 of the labelled set
    let sample = FrameSubset(set, every: 4)
    #expect(sample.frameNames.count == 164 && sample.frameNames[1] == set.frameNames[4])
    #expect(try sample.frame(1).truth == set.frame(4).truth)
    #expect(try openDataset(path, split: .train).frameNames.first == "00002")
    #expect(try openDataset(path, split: .all).frameNames.count == 1449)
  }

  @Test("a truncated MATLAB file is named") func aTruncatedFileIsNamed() throws {
    let folder = try TemporaryFolder()
    try write(photos, depths, to: folder.path("whole.mat"))
    let bytes = try TemporaryFolder.bytes(of: folder.path("whole.mat"))
    let cut = try folder.write(Array(bytes.dropLast(bytes.count / 3)), to: "cut.mat")
    let error = #expect(throws: DepthError.self) { try openDataset(cut) }
    let text = "\(try #require(error))"
    #expect(text.contains("cut.mat") && text.contains("truncated"), "\(text)")
  }

  /// Float depths are metres. Integers may be millimetres or another unit.
  @Test("a MATLAB set of integers needs a depth scale") func integersNeedAScale() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("millimetres.mat")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.write(
        [Float](repeating: 9, count: 2 * 3 * 4 * 3), shape: [2, 3, 4, 3], to: "images",
        as: .init(.uint8))
      try writer.write(
        (0..<24).map { Float($0 * 250) }, shape: [2, 4, 3], to: "depths", as: .init(.uint16))
    }
    #expect(throws: DepthError.unknownScale(file: path)) { try openDataset(path) }
    let truth = try openDataset(path, depthScale: 1000).frame(1).truth
    #expect(truth.values[1] == 3.75 && truth.values[4] == 3.25)
  }

  @Test("a MATLAB set with other arrays is refused") func otherArraysAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("odd.mat")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.write([Float](repeating: 0, count: 24), shape: [2, 3, 2, 2], to: "images")
      try writer.write([Float](repeating: 1, count: 8), shape: [2, 2, 2], to: "depths")
    }
    #expect(
      throws: DepthError.unexpectedArray(
        file: path, name: "images", expected: "frames×3×columns×rows uint8",
        found: "2×3×2×2 float32")
    ) { try openDataset(path) }
    try write(photos, depths, to: folder.path("few.mat"))
    #expect(throws: DepthError.self) { try openDataset(folder.path("few.mat"), split: .test) }
    let missing = #expect(throws: DepthError.self) {
      try openDataset(Golden.path("fcrn_protocol_golden.h5"))
    }
    #expect("\(try #require(missing))".contains("images"))
  }

  @Test("NYU's splits have 795 and 654 of 1449 frames") func theSplitsAreThoseOfTheDataSet() {
    let (train, test) = (NYUSplit.train.indices, NYUSplit.test.indices)
    #expect(train.count == 795)
    #expect(test.count == 654)
    #expect(Set(train).union(test) == Set(0..<1449))
    #expect(test == test.sorted())
    #expect(Array(test.prefix(4)) == [0, 1, 8, 13])
    #expect(train.first == 2 && test.last == 1448)
  }
}

@Suite struct PairedFilesTests {
  /// A folder with pairs of a photo and a depth file.
  private func folder(_ names: [String], unitless: Bool = false) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for part in ["rgb", "depth"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(part), withIntermediateDirectories: true)
    }
    for name in names {
      try testImage(height: 12, width: 16).write(
        to: URL(filePath: folder.path("rgb/\(name).png")))
      let truth = Scenes.truth(height: 12, width: 16, seed: name)
      try truth.write(to: URL(filePath: folder.path("depth/\(name).\(unitless ? "npy" : "png")")))
    }
    return folder
  }

  @Test("a split is refused for a folder of pairs") func onlyTheLabelledSetHasASplit() throws {
    let folder = try folder(["a"])
    #expect(throws: DepthError.noSplit(path: folder.path)) {
      try openDataset(folder.path, split: .test)
    }
  }

  @Test("pairs are found by name, and files without a partner are named")
  func pairsAreFoundByNameAndOrphansNamed() throws {
    let folder = try folder(["b", "a"])
    try testImage(height: 12, width: 16).write(to: URL(filePath: folder.path("rgb/lonely.jpg")))
    try Scenes.truth(height: 12, width: 16).write(
      to: URL(filePath: folder.path("depth/widow.pfm")))
    let set = try openDataset(folder.path)
    #expect(set.frameNames == ["a", "b"])
    #expect(set.incomplete.map(\.name) == ["lonely", "widow"])
    #expect(set.incomplete[0].reason.contains("lonely.jpg: has no matching file"))
    let frame = try set.frame(1)
    // The file stores whole millimetres.
    expectClose(
      frame.truth.values, Scenes.truth(height: 12, width: 16, seed: "b").values, absolute: 0.000501)
  }

  /// Either of the two files could be the truth.
  @Test("two depth files of one photo are an error") func oneDepthFileBelongsToAPhoto() throws {
    let folder = try folder(["a", "b"])
    try Scenes.truth(height: 12, width: 16).write(to: URL(filePath: folder.path("depth/a.npy")))
    let set = try openDataset(folder.path)
    #expect(set.frameNames == ["b"] && set.incomplete.map(\.name) == ["a"])
    #expect(set.incomplete[0].reason.contains("a.png: has 2 depth files, expected one of"))
  }

  @Test("a depth scale must equal the file's scale") func theScaleMayBeThatOfTheFile() throws {
    let folder = try folder(["a"])
    let plain = try openDataset(folder.path).frame(0).truth
    #expect(try openDataset(folder.path, depthScale: 1000).frame(0).truth == plain)
    let error = #expect(throws: DepthError.self) {
      try openDataset(folder.path, depthScale: 5000).frame(0)
    }
    #expect(error?.code == .unknownUnit)
  }

  @Test("a depth scale divides the numbers of files") func theScaleDividesTheFilesNumbers() throws {
    let folder = try folder(["a"], unitless: true)
    let plain = try openDataset(folder.path).frame(0).truth
    let scaled = try openDataset(folder.path, depthScale: 4).frame(0).truth
    #expect(scaled.values == plain.values.map { $0 / 4 })
  }

  @Test("depth without a unit needs a scale") func aDepthFileWithoutUnitNeedsAScale() throws {
    let folder = try folder([])
    try testImage(height: 12, width: 16).write(to: URL(filePath: folder.path("rgb/a.png")))
    // A gray picture of 8 bits does not state a unit.
    let gray = Image(height: 12, width: 16, pixels: [UInt8](repeating: 50, count: 576))
    try gray.write(to: URL(filePath: folder.path("depth/a.png")))
    let set = try openDataset(folder.path)
    let error = #expect(throws: DepthError.self) { try set.frame(0) }
    #expect("\(try #require(error))".contains("expected the number of values per metre"))
    let scaled = try openDataset(folder.path, depthScale: 25).frame(0)
    #expect(scaled.truth.values.allSatisfy { $0 == 2 })
  }

  @Test("truth of other proportions than the photo's is refused")
  func otherProportionsAreRefusedAndSmallerTruthIsNot() throws {
    let folder = try folder(["a", "b"])
    try Scenes.truth(height: 12, width: 20).write(
      to: URL(filePath: folder.path("depth/a.png")), overwrite: true)
    try Scenes.truth(height: 6, width: 8).write(
      to: URL(filePath: folder.path("depth/b.png")), overwrite: true)
    let set = try openDataset(folder.path)
    #expect(
      throws: DepthError.sizeMismatch(frame: "a", photo: "16×12", truth: "20×12")
    ) { try set.frame(0) }
    #expect(try set.frame(1).truth.width == 8)
  }

  /// A read from the pipe would wait for a writer.
  @Test("a named pipe is refused as photo and as depth") func namedPipesAreNoFrames() throws {
    let folder = try folder(["a", "b"])
    for name in ["rgb/a.png", "depth/b.png"] {
      #expect(try TemporaryFolder.remove(folder.path(name)))
      #expect(mkfifo(folder.path(name), 0o600) == 0)
    }
    let set = try openDataset(folder.path)
    for (index, name) in ["rgb/a.png", "depth/b.png"].enumerated() {
      let reason = "is a named pipe, expected a file"
      #expect(throws: DepthError.unreadable(file: folder.path(name), reason: reason)) {
        try set.frame(index)
      }
    }
  }

  @Test("a folder without pairs is refused") func emptyAndUnknownPlacesAreRefused() throws {
    let folder = try folder([])
    #expect(throws: DepthError.self) { try openDataset(folder.path) }
    #expect(throws: DepthError.self) { try openDataset(folder.path("nothing")) }
    #expect(throws: DepthError.self) { try openDataset(folder.path("rgb")) }
  }

  @Test("an association list pairs a photo with the depth on its line")
  func associationListsPairByLine() throws {
    let folder = try folder(["1.5", "2.5"], unitless: true)
    let list = try folder.write(
      Array(
        "# a comment\r\n1.5 rgb/1.5.png 1.51 depth/1.5.npy\r\n\n2.5 rgb/2.5.png 2.4 depth/1.5.npy"
          .utf8),
      to: "pairs.txt")
    let set = try openDataset(list)
    #expect(set.frameNames == ["1.5", "2.5"])
    // The default of association lists is 5000 values a metre.
    let truth = Scenes.truth(height: 12, width: 16, seed: "1.5").values
    expectClose(try set.frame(1).truth.values, truth.map { $0 / 5000 }, absolute: 1e-9)
    let bad = try folder.write(Array("1.5 rgb/1.5.png\n".utf8), to: "bad.txt")
    let error = #expect(throws: DepthError.self) { try openDataset(bad) }
    #expect("\(try #require(error))".contains("line 1 cannot be read"))
  }

  @Test("lists of times pair the nearest files within 0.02 s")
  func timesPairTheNearestOnce() throws {
    #expect(PairedFiles.partners([1, 1.015, 2, 3], [1.01, 2.005, 2.011]) == [nil, 0, 1, nil])
    #expect(PairedFiles.partners([], [1]).isEmpty)
    let folder = try folder(["a"], unitless: true)
    _ = try folder.write(Array("# time file\n1.000 rgb/a.png\n9 rgb/a.png\n".utf8), to: "rgb.txt")
    _ = try folder.write(Array("1.019 depth/a.npy\n".utf8), to: "depth.txt")
    let set = try openDataset(folder.path, depthScale: 1)
    #expect(set.frameNames == ["1.000"])
    #expect(set.incomplete.map(\.name) == ["9"])
    #expect(try set.frame(0).truth.height == 12)
  }

  /// Without a limit, every photo would be compared with every depth file.
  @Test("101 files within 0.02 s are refused") func crowdsOfFilesAtOneTimeAreRefused() throws {
    let folder = try TemporaryFolder()
    func list(_ count: Int) -> [UInt8] {
      Array((0..<count).map { "\(1 + Double($0) / 1e9) a.png\n" }.joined().utf8)
    }
    _ = try folder.write(list(5000), to: "rgb.txt")
    _ = try folder.write(list(100), to: "depth.txt")
    #expect(try openDataset(folder.path).frameNames.count == 100)
    _ = try folder.write(list(101), to: "depth.txt")
    let error = #expect(throws: DepthError.self) { try openDataset(folder.path) }
    #expect("\(try #require(error))".contains("more than 100 files within 0.02 s"))
  }
}

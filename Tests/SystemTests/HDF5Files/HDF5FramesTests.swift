import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import HDF5Files

/// Frames of datasets with every kind of chunk equal the values that were written.
@Suite struct HDF5FramesTests {
  private static let shape = [7, 3, 5, 4]
  private static let values = (0..<420).map { Float($0 * 37 % 251) }

  private static let storages: [HDF5Writer.Storage] = [
    .init(.uint8), .init(.float32, isBigEndian: true), .init(.float64),
    .init(.uint8, chunk: [1, 3, 5, 4], gzip: 3), .init(.float32, chunk: [1, 2, 3, 3]),
    .init(.uint8, chunk: [3, 1, 2, 4], gzip: 9), .init(.float16, chunk: [4, 3, 5, 4], gzip: 1),
    .init(.float64, isBigEndian: true, chunk: [7, 2, 2, 2], gzip: 5),
    .init(.uint16), .init(.int16, isBigEndian: true), .init(.uint16, chunk: [2, 3, 2, 3], gzip: 1),
    .init(.float32, chunk: [3, 2, 3, 3], gzip: 1, leavesEdges: true),
  ]

  private func frames(
    _ storage: HDF5Writer.Storage, in folder: TemporaryFolder, windowBytes: Int = 1 << 27
  ) throws -> HDF5Frames {
    let path = folder.path("f.h5")
    try HDF5Writer(path: path, isModern: storage.leavesEdges)
      .write(Self.values, shape: Self.shape, to: "film", as: storage)
    return try HDF5Frames(HDF5File(path: path), "film", windowBytes: windowBytes)
  }

  /// Windows hold all frames of a chunk, two frames or one frame.
  @Test(
    "frames of every storage are read in any order",
    arguments: storages.indices, [1 << 27, 960, 1])
  func everyFrameInAnyOrder(index: Int, windowBytes: Int) throws {
    let folder = try TemporaryFolder()
    let frames = try frames(Self.storages[index], in: folder, windowBytes: windowBytes)
    #expect(frames.count == 7 && frames.frameShape == [3, 5, 4])
    for frame in [6, 0, 3, 3, 5, 1, 4, 2, 0] {
      let expected = Array(Self.values[frame * 60..<(frame + 1) * 60])
      #expect(try frames.floats(ofFrame: frame) == expected, "\(Self.storages[index]), \(frame)")
      if case .uint8 = Self.storages[index].element {
        #expect(try frames.bytes(ofFrame: frame) == expected.map { UInt8($0) })
      } else {
        #expect(throws: DepthError.self) { try frames.bytes(ofFrame: frame) }
      }
    }
  }

  @Test("four threads read the right frames at once") func fourThreadsReadTheRightFrames() throws {
    let folder = try TemporaryFolder()
    let frames = try frames(.init(.uint8, chunk: [3, 1, 2, 4], gzip: 9), in: folder)
    parallelFor(200, threads: 4) { indices in
      for index in indices {
        let frame = index * 5 % 7
        let found = try? frames.floats(ofFrame: frame)
        #expect(found == Array(Self.values[frame * 60..<(frame + 1) * 60]))
      }
    }
  }

  /// zlib's checksum detects a changed bit in the compressed values.
  @Test("a damaged chunk fails only the frames in the chunk") func aDamagedChunkIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    let noise = CounterStream("film")
    let values = (0..<7 * 4000).map { Float(noise[$0] % 256) }
    try HDF5Writer(path: path).write(
      values, shape: [7, 4000], to: "film", as: .init(.uint8, chunk: [2, 4000], gzip: 1))
    var bytes = try TemporaryFolder.bytes(of: path)
    bytes[bytes.count - 1500] ^= 4
    let damaged = try folder.write(bytes, to: "damaged.h5")
    let frames = try HDF5Frames(HDF5File(path: damaged), "film")
    let messages = (0..<7).compactMap { frame -> String? in
      do {
        #expect(
          try frames.floats(ofFrame: frame) == Array(values[frame * 4000..<(frame + 1) * 4000]))
        return nil
      } catch { return "\(error)" }
    }
    #expect(!messages.isEmpty && messages.count <= 2)
    for message in messages {
      #expect(message.contains("damaged.h5") && message.contains("dataset 'film' is damaged"))
    }
  }

  /// The damaged header names no filter or a wrong filter.
  /// The reader must neither take stored bytes for values nor overrun the buffer.
  @Test("a damaged list of filters is refused or changes no value", arguments: [1, 9])
  func aDamagedListOfFiltersIsNoticed(gzip: UInt32) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    let noise = CounterStream("film")
    // Deflate makes noise a little longer.
    let values = (0..<4 * 900).map { Float(gzip == 1 ? Int(noise[$0] % 256) : $0 / 900) }
    try HDF5Writer(path: path).write(
      values, shape: [4, 900], to: "film", as: .init(.uint8, chunk: [2, 900], gzip: gzip))
    let bytes = try TemporaryFolder.bytes(of: path)
    var refused = 0
    for place in bytes.indices.dropLast() where bytes[place] == 0x0B && bytes[place + 1] == 0 {
      var damaged = bytes
      damaged[place + 1] = 0x36
      let file = try folder.write(damaged, to: "d\(place).h5")
      guard let frames = try? HDF5Frames(HDF5File(path: file), "film"),
        let found = try? (0..<4).map({ try frames.floats(ofFrame: $0) })
      else {
        refused += 1
        continue
      }
      #expect(Array(found.joined()) == values, "byte \(place + 1)")
    }
    #expect(refused > 0)
  }

  /// A description lists fewer chunks, so the library is asked for each chunk.
  @Test("frames of a dataset with 5000 chunks are read") func veryManyChunks() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    let values = (0..<5000 * 2).map { Float($0 % 251) }
    try HDF5Writer(path: path).write(
      values, shape: [5000, 2], to: "film", as: .init(.uint8, chunk: [1, 2], gzip: 1))
    let frames = try HDF5Frames(HDF5File(path: path), "film")
    for frame in [0, 4999, 2500] {
      #expect(try frames.floats(ofFrame: frame) == Array(values[2 * frame..<2 * frame + 2]))
    }
  }

  /// The library adds the length of the user block even to the address that means "no values".
  @Test("unwritten values behind a user block are refused")
  func unwrittenValuesBehindAUserBlock() throws {
    let folder = try TemporaryFolder()
    do {
      let writer = try HDF5Writer(path: folder.path("bare.h5"))
      try writer.createDataset("film", shape: [4, 8])
      try writer.write([Float](repeating: 1, count: 4000), shape: [4000], to: "other")
    }
    let bytes = try TemporaryFolder.bytes(of: folder.path("bare.h5"))
    let path = try folder.write([UInt8](repeating: 32, count: 512) + bytes, to: "f.mat")
    let error = #expect(throws: DepthError.self) {
      try HDF5Frames(HDF5File(path: path), "film").floats(ofFrame: 0)
    }
    #expect(
      error
        == DepthError(.damaged, file: path, "values of dataset 'film' were never written"))
    // The addition also moves a damaged address of 511 into the user block.
    let file = try HDF5File(path: path)
    var facts = try #require(try file.describe([.object("other")])["other"])
    #expect(try file.dataset(facts).floats().allSatisfy { $0 == 1 })
    facts.layout.offset = 511
    let damaged = #expect(throws: DepthError.self) { try file.dataset(facts) }
    #expect(damaged?.message == "values of dataset 'other' were never written")
  }

  /// Opening a linked pipe would wait for ever.
  @Test("links to other places are refused") func linksAreRefused() throws {
    let folder = try TemporaryFolder()
    do {
      try HDF5Writer(path: folder.path("other.h5"))
        .write([Float](repeating: 1, count: 8), shape: [2, 4], to: "film")
      let writer = try HDF5Writer(path: folder.path("f.h5"))
      try writer.link("film", to: "film", in: "other.h5")
      try writer.link("again", to: "film")
      try writer.write([Float](repeating: 2, count: 8), shape: [2, 4], to: "own")
      try writer.link("soft", to: "own")
      #expect(mkfifo(folder.path("pipe.h5"), 0o600) == 0)
      try writer.link("pipe", to: "film", in: "pipe.h5")
    }
    let file = try HDF5File(path: folder.path("f.h5"))
    for name in ["film", "again", "soft", "pipe"] {
      let error = #expect(throws: DepthError.self) { try HDF5Frames(file, name) }
      #expect("\(try #require(error))".contains("'\(name)' is a link to another place"))
    }
    #expect(try HDF5Frames(file, "own").floats(ofFrame: 1) == [2, 2, 2, 2])
  }

  @Test("a dataset that cannot hold frames is refused") func unfitDatasetsAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.write([1, 2, 3] as [Float], shape: [3], to: "list")
      try writer.createDataset("crumbs", shape: [2, 1 << 18], chunk: [1, 1])
      try writer.createDataset("missing", shape: [4, 8], chunk: [2, 8])
      try writer.createDataset("unwritten", shape: [4, 8])
      try writer.createDataset("endless", shape: [0, 1 << 39, 1 << 39])
    }
    let file = try HDF5File(path: path)
    func reason(_ dataset: String) throws -> String {
      let error = try #require(
        throws: DepthError.self
      ) { _ = try HDF5Frames(file, dataset).floats(ofFrame: 3) }
      #expect(error.file == path)
      return error.message
    }
    #expect(try reason("list") == "dataset 'list' is 3, expected frames")
    #expect(
      try reason("crumbs") == "dataset 'crumbs' has more than 16384 chunks without a filter")
    #expect(
      try reason("endless")
        == "dataset 'endless' claims 0×549755813888×549755813888 values, expected at most 1099511627776"
    )
    #expect(try reason("missing") == "values of dataset 'missing' are missing from [2, 0] on")
    #expect(try reason("unwritten") == "values of dataset 'unwritten' were never written")
  }

  /// Only chunks that reach beyond the dataset are stored unfiltered.
  @Test("chunks that end with their dataset are decompressed")
  func chunksThatEndWithTheirDatasetAreInflated() throws {
    let folder = try TemporaryFolder()
    let storage = HDF5Writer.Storage(.float32, chunk: [3, 3, 5, 2], gzip: 1, leavesEdges: true)
    let frames = try frames(storage, in: folder)
    for frame in 0..<7 {
      #expect(
        try frames.floats(ofFrame: frame) == Array(Self.values[frame * 60..<(frame + 1) * 60]))
    }
  }

  /// The length in a damaged table reserves no memory.
  @Test("a chunk longer than its file is refused as damaged", arguments: [0, 1 << 62] as [UInt64])
  func aChunkLongerThanItsFileIsRefused(excess: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    do {
      try HDF5Writer(path: path).write(
        [Float](repeating: 1, count: 8), shape: [2, 4], to: "film",
        as: .init(.uint8, chunk: [2, 4], gzip: 1))
    }
    let file = try HDF5File(path: path)
    var facts = try #require(try file.describe([.object("film")])["film"])
    #expect(facts.layout.chunkTable.count == 5)
    let claim = UInt64(file.size) - facts.layout.chunkTable[0] + 1 + excess
    facts.layout.chunkTable[1] = claim
    let dataset = try file.dataset(facts)
    let error = #expect(throws: DepthError.self) { try dataset.floats() }
    #expect(error?.code == .damaged && error?.file == path)
    #expect(error?.message.contains("claims \(claim) bytes") == true, "\(error as Any)")
  }
}

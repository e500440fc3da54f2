import Kernels
import NeuralLayers
import Testing
import _TestSupport

@testable import HDF5Archives

/// Frames out of datasets that are cut up in every way, against the values that were written.
@Suite struct HDF5FramesTests {
  private static let shape = [7, 3, 5, 4]
  private static let values = (0..<420).map { Float($0 * 37 % 251) }

  private static let storages: [HDF5Writer.Storage] = [
    .init(.uint8), .init(.float32, isBigEndian: true), .init(.float64),
    .init(.uint8, chunk: [1, 3, 5, 4], gzip: 3), .init(.float32, chunk: [1, 2, 3, 3]),
    .init(.uint8, chunk: [3, 1, 2, 4], gzip: 9), .init(.float16, chunk: [4, 3, 5, 4], gzip: 1),
    .init(.float64, isBigEndian: true, chunk: [7, 2, 2, 2], gzip: 5),
  ]

  private func frames(
    _ storage: HDF5Writer.Storage, in folder: TemporaryFolder, windowBytes: Int = 1 << 27
  ) throws -> HDF5Frames {
    let path = folder.path("f.h5")
    try HDF5Writer(path: path).write(Self.values, shape: Self.shape, to: "film", as: storage)
    return try HDF5Frames(HDF5File(path: path), "film", windowBytes: windowBytes)
  }

  /// Windows of all frames that share a chunk, of two frames, and of one.
  @Test(arguments: storages.indices, [1 << 27, 960, 1])
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
        #expect(throws: WeightsError.self) { try frames.bytes(ofFrame: frame) }
      }
    }
  }

  @Test func readersThatTakeTurnsSeeTheSame() throws {
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

  /// One bit anywhere in the compressed values: zlib's checksum sees it.
  @Test func aDamagedChunkIsNamed() throws {
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

  @Test func whatIsNoSeriesIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("f.h5")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.write([1, 2, 3] as [Float], shape: [3], to: "list")
      try writer.createDataset("crumbs", shape: [2, 1 << 18], chunk: [1, 1])
      try writer.createDataset("missing", shape: [4, 8], chunk: [2, 8])
      try writer.createDataset("unwritten", shape: [4, 8])
    }
    let file = try HDF5File(path: path)
    func reason(_ path: String) throws -> String {
      let error = try #require(
        throws: WeightsError.self
      ) { _ = try HDF5Frames(file, path).floats(ofFrame: 3) }
      guard case .unreadable("f.h5", let reason) = error else { return "\(error)" }
      return reason
    }
    #expect(try reason("list") == "dataset 'list' is 3, expected frames")
    #expect(
      try reason("crumbs")
        == "a frame of dataset 'crumbs' has 262144 chunks, expected at most 131072")
    #expect(try reason("missing") == "values of dataset 'missing' are missing from [2, 0] on")
    #expect(try reason("unwritten") == "values of dataset 'unwritten' were never written")
  }
}

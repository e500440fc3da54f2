import DepthErrors
import DepthImages
import Foundation
import MonocularDepth
import Testing
import _TestSupport

/// Weights from `Data` give the estimates and refusals of a file.
@Suite struct WeightsInMemoryTests {
  static let path = packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5"
  static let url = URL(filePath: path)
  static func data() throws -> Data { try Data(contentsOf: url) }

  @Test("weights in memory give their file's maps") func theyGiveTheMapsOfTheFile() async throws {
    let photo = testImage(height: 48, width: 64)
    func fromFile() throws -> (DepthMap, String) {
      let estimator = try DepthEstimator(.file(URL(filePath: Self.path)), threads: 2)
      return (
        try estimator.depth(of: photo, options: .unrefined), try estimator.weightsIdentifier()
      )
    }
    let (expected, digest) = try fromFile()
    let estimator = try await DepthEstimator.load(.data(Self.data()), threads: 2)
    #expect(try await estimator.depth(of: photo, options: .unrefined) == expected)
    #expect(try estimator.weightsIdentifier() == digest)
    #expect(estimator.weights.isEmpty)
  }

  private func error(_ data: Data) throws -> DepthError {
    try #require(throws: DepthError.self) { try DepthEstimator(.data(data, name: "robot")) }
  }

  @Test("damaged weights in memory are refused by their checksum")
  func damagedBytesAreRefusedByTheirChecksum() throws {
    for place in [20, 600, 100_000] {
      var data = try Self.data()
      data[place] ^= 1
      let error = try error(data)
      #expect(error.code == .damaged && error.file == "robot")
      #expect(error.message.contains("checksum") || error.message.contains("expected"))
    }
  }

  @Test("bytes of another file kind are refused") func otherBytesAreRefused() throws {
    #expect(try error(Data()).message == "is empty, expected an HDF5 file")
    #expect(try error(Data("no weights".utf8)).message == "is not an HDF5 file")
    #expect(try error(try Self.data().dropLast(1000)).code == .damaged)
    #expect(try error(try Data(Self.data().dropFirst(512).prefix(2000))).code == .damaged)
  }

  /// h5repack writes such files. A child process reads them with HDF5's library.
  @Test("weights without a block of checksums are read by the HDF5 library")
  func theLibraryReadsWithoutChecksums() throws {
    let photo = testImage(height: 48, width: 64)
    let rewritten = try DepthEstimator(.data(Data(Self.data().dropFirst(512))), threads: 2)
    let original = try DepthEstimator(.data(Self.data()), threads: 2)
    #expect(
      try rewritten.depth(of: photo, options: .unrefined)
        == original.depth(of: photo, options: .unrefined))
  }

  @Test("a file of version 1 is identified by all of its bytes")
  func aFileOfVersionOneIsIdentifiedByAllItsBytes() throws {
    let path = Golden.path("fcrn_narrow16_weights.h5")
    let data = try Data(contentsOf: URL(filePath: path))
    let (memory, file) = (
      try DepthEstimator(.data(data), threads: 1),
      try DepthEstimator(.file(URL(filePath: path)), threads: 1)
    )
    #expect(try memory.weightsIdentifier() == file.weightsIdentifier())
  }
}

import Foundation
import HDF5Files
import NetworkWeights
import Testing
import _TestSupport

/// Damaged weights and data sets end in one line and exit status 1; `Scripts/check-long.sh` does the same
/// with thousands of files.
@Suite(.offPool) struct HostileWeightsTests {
  private static let shipped = packageFolder + "/Weights/fcrn18-nyu-int8.h5"

  private func expectRefusal(
    _ arguments: [String], _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try depthTool.run(arguments)
    #expect(
      !outcome.wasKilled && outcome.status == 1 && outcome.errorLines.count == 1,
      "\(comment): \(outcome.status), \(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// One byte of the shipped file, near its beginning or anywhere.
  @Test func editedWeightsAreRefused() throws {
    let folder = try TemporaryFolder()
    let whole = try TemporaryFolder.bytes(of: Self.shipped)
    let stream = CounterStream("edited weights")
    let file = folder.path("edited.h5")
    for i in 0..<90 {
      var bytes = whole
      let place = Int(stream[2 * i]) % (i < 60 ? 4096 : whole.count)
      bytes[place] ^= UInt8(1 + stream[2 * i + 1] % 255)
      _ = try folder.write(bytes, to: "edited.h5")
      try expectRefusal(["weights", "verify", file], "verify, byte \(place)")
      try expectRefusal(
        ["predict", livingRoom, "--weights", file, "-o", folder.path("d.png")],
        "predict, byte \(place)")
    }
  }

  /// Frames whose datasets carry text, as MATLAB's do.
  @Test func editedDataSetsAreRefusedOrRead() throws {
    let folder = try TemporaryFolder()
    do {
      let writer = try HDF5Writer(path: folder.path("whole.mat"))
      try writer.write(
        [Float](repeating: 90, count: 2 * 3 * 16 * 12), shape: [2, 3, 16, 12], to: "images",
        as: .init(.uint8, chunk: [1, 3, 16, 12], gzip: 1))
      try writer.write([Float](repeating: 2, count: 2 * 16 * 12), shape: [2, 16, 12], to: "depths")
      for name in ["images", "depths"] {
        try writer.set("MATLAB_class", .text("single"), of: name)
        try writer.set("note", .text(String(repeating: "text ", count: 40)), of: name)
      }
    }
    let whole = try TemporaryFolder.bytes(of: folder.path("whole.mat"))
    let stream = CounterStream("edited data sets")
    for i in 0..<100 {
      var bytes = whole
      let place = Int(stream[2 * i]) % min(whole.count, 6000)
      bytes[place] ^= UInt8(1 + stream[2 * i + 1] % 255)
      let outcome = try depthTool.run([
        "evaluate", folder.write(bytes, to: "edited.mat"), "--split", "all", "--protocol",
        "per-image",
      ])
      #expect(!outcome.wasKilled && [0, 1].contains(outcome.status), "byte \(place)")
      #expect(outcome.status == 0 || outcome.errorLines.count == 1, "\(outcome.errors)")
    }
  }

  /// The identifier in a depth file is the one that the weights file says of itself.
  @Test func theIdentifierIsTheDigestOfTheRest() throws {
    let archive = try HDF5WeightArchive(path: Self.shipped)
    try archive.verifyDigest()
    let outcome = try depthTool.run(["weights", "info", "--json", Self.shipped])
    #expect(outcome.text.contains("\"sha256\":\"\(try #require(archive.sha256))\""))
  }
}

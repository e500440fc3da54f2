import Foundation
import Testing
import _TestSupport

@testable import HDF5Files
@testable import WeightsFiles

/// Damaged weights and data sets end in one line and exit status 1.
/// `Scripts/checks/check-long.sh` tests thousands of such files.
@Suite struct HostileWeightsTests {
  private static let shipped = packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5"

  private static func expectRefusal(
    _ arguments: [String], _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try runDepth(arguments)
    #expect(
      !outcome.wasKilled && outcome.status == 1 && outcome.errorLines.count == 1,
      "\(comment): \(outcome.status), \(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// A file with right checksums and a header that crashes the HDF5 library.
  /// A contiguous dataset is marked as compact, with no bytes.
  private func hostile(_ folder: TemporaryFolder) throws -> String {
    var bytes = try TemporaryFolder.bytes(of: Self.shipped)
    // A data layout message (type 8, 24 bytes, no flags) of version 3 and class 1.
    let layout: [UInt8] = [8, 0, 24, 0, 0, 0, 0, 0, 3, 1]
    let message = try #require(
      bytes.indices.dropLast(layout.count + 2).last {
        bytes[$0..<$0 + layout.count].elementsEqual(layout)
      })
    for byte in 9...11 { bytes[message + byte] = 0 }
    let rest = Array(bytes[WeightsBlock.count...])
    return try folder.write(WeightsBlock.bytes(for: rest) + rest, to: "hostile.h5")
  }

  /// Without a child process, a crash of the library would end the program.
  ///
  /// Of five descriptors, three are standard streams and one is the file, so none is left for the pipe to a child.
  @Test("without a child process, only the package's reader is used")
  func withoutAChildProcessOnlyTheReaderReads() throws {
    let folder = try TemporaryFolder()
    let file = try hostile(folder)
    try Self.expectRefusal(["weights", "info", file], "with a child process")
    let without = try depthTool.run(
      ["weights", "info", file], wrapper: ["prlimit", "--nofile=5"])
    #expect(!without.wasKilled && without.status == 75, "\(without.status) \(without.errors)")
    #expect(
      without.errorLines.count == 1
        && without.errors.contains("hostile.h5: cannot be checked, no process can be started"),
      "\(without.errors)")
    // The package's weights need no child process.
    let known = try depthTool.run(
      ["weights", "info", "--json", Self.shipped], wrapper: ["prlimit", "--nofile=5"])
    #expect(known.status == 0, "\(known.errors)")
    #expect(known.text == (try runDepth(["weights", "info", "--json", Self.shipped])).text)
  }

  /// A negative scale inverts the signs of a channel. Nearly all depths would be 0.
  @Test("weights with a scale below zero are refused") func stepsBelowZeroAreRefused() throws {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: Self.shipped)
    let file = try HDF5File(path: Self.shipped)
    let scale = try file.dataset("ConvPred/scale")
    guard case .contiguous(let offset) = scale.layout else {
      Issue.record("not contiguous")
      return
    }
    let value = Float(-0.01).bitPattern
    for i in 0..<4 { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
    let rest = Array(bytes[WeightsBlock.count...])
    let edited = try folder.write(WeightsBlock.bytes(for: rest) + rest, to: "edited.h5")
    let outcome = try runDepth([
      "predict", livingRoom, "--weights", edited, "-o", folder.path("d.png"),
    ])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains(
        "'ConvPred/scale' holds -0.01 at index 0, expected a positive number"),
      "\(outcome.errors)")
  }

  @Test("weights with one byte changed are refused") func editedWeightsAreRefused() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let whole = try TemporaryFolder.bytes(of: Self.shipped)
      let stream = CounterStream("edited weights")
      let file = folder.path("edited.h5")
      for i in 0..<90 {
        var bytes = whole
        let place = Int(stream[2 * i]) % (i < 60 ? 4096 : whole.count)
        bytes[place] ^= UInt8(1 + stream[2 * i + 1] % 255)
        _ = try folder.write(bytes, to: "edited.h5")
        try Self.expectRefusal(["weights", "verify", file], "verify, byte \(place)")
        try Self.expectRefusal(
          ["predict", livingRoom, "--weights", file, "-o", folder.path("d.png")],
          "predict, byte \(place)")
      }
    }
  }

  /// Frames whose datasets have text attributes, like MATLAB's.
  @Test("data with a changed byte is refused or read") func editedDataSetsAreRefusedOrRead() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      do {
        let writer = try HDF5Writer(path: folder.path("whole.mat"))
        try writer.write(
          [Float](repeating: 90, count: 2 * 3 * 16 * 12), shape: [2, 3, 16, 12], to: "images",
          as: .init(.uint8, chunk: [1, 3, 16, 12], gzip: 1))
        try writer.write(
          [Float](repeating: 2, count: 2 * 16 * 12), shape: [2, 16, 12], to: "depths")
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
        let outcome = try runDepth([
          "evaluate", folder.write(bytes, to: "edited.mat"), "--split", "all", "--protocol",
          "per-image",
        ])
        #expect([0, 1].contains(outcome.status), "byte \(place)")
        #expect(outcome.status == 0 || outcome.errorLines.count == 1, "\(outcome.errors)")
      }
    }
  }

  @Test("the identifier of weights is the digest of the rest of the file")
  func theIdentifierIsTheDigestOfTheRest() throws {
    let archive = try HDF5WeightArchive(path: Self.shipped)
    try archive.verifyDigest()
    let outcome = try runDepth(["weights", "info", "--json", Self.shipped])
    #expect(outcome.text.contains("\"sha256\":\"\(try #require(archive.sha256))\""))
  }
}

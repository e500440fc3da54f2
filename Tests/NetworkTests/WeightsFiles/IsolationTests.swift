import DepthErrors
import Foundation
import HDF5Files
import Testing
import WeightsFiles
import _TestSupport

/// A crash of the HDF5 library ends only a child process.
@Suite struct IsolationTests {
  /// A weights file of version 1 with attributes of every kind, including h5py's kind.
  private static func described(_ folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.path("w.h5")
    do {
      let writer = try HDF5Writer(path: path)
      for i in 0..<6 { try writer.setVariableText("note\(i)", "variable text \(i)") }
      for name in HDF5WeightArchive.publishedAttributes {
        try writer.set(name, .text("text of \(name)"))
      }
      try writer.write(testValues(12), shape: [12], to: "a/bias")
      try writer.write(
        testValues(96), shape: [12, 8], to: "a/kernel", as: .init(.float32, chunk: [5, 8], gzip: 1))
    }
    return try TemporaryFolder.bytes(of: path)
  }

  /// Some edits caused a SIGSEGV or an endless loop in the library. The test has a separate
  /// process, as in ``HostileFileTests``.
  @Test("edited descriptions never end the process") func editedDescriptions() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let whole = try Self.described(folder)
      #expect(try HDF5WeightArchive(path: folder.path("w.h5")).shapes.count == 2)
      let stream = CounterStream("edited descriptions")
      let refused = try HostileFileTests.refusals(of: 400) { i in
        var bytes = whole
        bytes[Int(stream[2 * i]) % min(bytes.count, 4096)] = UInt8(stream[2 * i + 1] % 256)
        return bytes
      }
      #expect(refused > 20)
    }
  }

  /// The objects of this text heap claim a length of zero, on which the library loops forever.
  @Test("a damaged text heap is never read") func textHeapsAreNeverRead() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.described(folder)
    let signature = Array("GCOL".utf8)
    let heaps = bytes.indices.dropLast(64).filter { Array(bytes[$0..<$0 + 4]) == signature }
    #expect(!heaps.isEmpty)
    for heap in heaps {
      for i in 24..<32 { bytes[heap + i] = 0 }
    }
    let path = try folder.write(bytes, to: "heap.h5")
    #expect(try HDF5WeightArchive(path: path).shapes.count == 2)
  }

  @Test("an attribute of variable length is refused") func variableTextIsRefusedByItsType() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do {
      let writer = try HDF5Writer(path: path)
      try writer.setVariableText("architecture", "fcrn")
      try writer.write([1] as [Float], shape: [1], to: "a/bias")
    }
    #expect(
      throws: DepthError(
        .unsupportedFormat, file: path,
        "attribute 'architecture' is text of variable length, expected text of fixed length"
      )
    ) { try HDF5WeightArchive(path: path) }
  }

  @Test("opening weights does not change the blocked signals") func signalsAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    _ = try Self.described(folder)
    func blocked() -> [Bool] {
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      return (1..<32).map { sigismember(&mask, $0) == 1 }
    }
    let before = blocked()
    _ = try HDF5WeightArchive(path: folder.path("w.h5"))
    #expect(blocked() == before)
  }
}

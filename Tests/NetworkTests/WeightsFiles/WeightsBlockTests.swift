import DepthBase
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import HDF5Files
@testable import WeightsFiles

/// Weights files of version 2, which begin with a block of checksums.
@Suite struct WeightsBlockTests {
  /// A small file with every kind of storage of version 2.
  private func small(_ folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.path("w.h5")
    do {
      let writer = try HDF5Writer(path: path, hasBlock: true)
      try writer.set("format_version", .integers([2]))
      try writer.set("architecture", .text("test"))
      for layer in ["a", "b"] {
        let quantized = (0..<3 * 50).map { Int8(truncatingIfNeeded: 7 * $0) }
        try writer.write(quantized, shape: [3, 50], to: "\(layer)/kernel")
        try writer.write(testValues(3), shape: [3], to: "\(layer)/scale")
        try writer.write(testValues(3), shape: [3], to: "\(layer)/bias")
      }
      try writer.write([0.25] as [Float], shape: [1], to: "b/activation_scale")
      try writer.write(
        testValues(64), shape: [8, 8], to: "c/kernel",
        as: .init(.float16, chunk: [3, 8], gzip: 9))
    }
    return try TemporaryFolder.bytes(of: path)
  }

  @Test("version 2 keeps values, scales and digest") func valuesAreThoseThatWereWritten() throws {
    let folder = try TemporaryFolder()
    let bytes = try small(folder)
    let archive = try HDF5WeightArchive(path: folder.path("w.h5"))
    #expect(
      archive.shapes
        == [
          "a/kernel": [3, 50], "a/bias": [3], "b/kernel": [3, 50], "b/bias": [3],
          "c/kernel": [8, 8],
        ])
    let scale = testValues(3)
    let expected = (0..<150).map { Float(Int8(truncatingIfNeeded: 7 * $0)) * scale[$0 / 50] }
    #expect(try archive.elements(of: "b/kernel") == expected)
    #expect(try archive.elements(of: "a/bias") == scale)
    expectClose(
      try archive.elements(of: "c/kernel"), testValues(64), absolute: 0, relative: 0x1p-11)
    #expect(try archive.inputScale(of: "a") == nil)
    #expect(try archive.inputScale(of: "b") == 0.25)
    var digest = SHA256()
    digest.update(Array(bytes[512...]))
    #expect(archive.sha256 == digest.hexadecimal)
    try archive.verifyDigest()
  }

  /// Kernels can then be mapped and read with aligned loads.
  @Test("every dataset begins at a multiple of 64 bytes")
  func everyDatasetBeginsAtAMultipleOf64() throws {
    let folder = try TemporaryFolder()
    _ = try small(folder)
    let file = try HDF5File(path: folder.path("w.h5"))
    for path in ["a/kernel", "a/scale", "a/bias", "b/kernel", "b/scale", "b/bias"] {
      guard case .contiguous(let offset) = try file.dataset(path).layout else {
        Issue.record("\(path) is not contiguous")
        continue
      }
      #expect(offset > 512 && offset % 64 == 0, "\(path) begins at \(offset)")
    }
  }

  @Test("weights with one changed byte are refused") func everyChangedByteIsRefused() throws {
    let folder = try TemporaryFolder()
    let bytes = try small(folder)
    let stream = CounterStream("edits")
    let places = Array(0..<600) + Array(stride(from: 600, to: bytes.count, by: 29))
    for place in places {
      var damaged = bytes
      damaged[place] ^= UInt8(1 + stream[place] % 255)
      let path = try folder.write(damaged, to: "damaged.h5")
      #expect(throws: DepthError.self, "byte \(place)") { try HDF5WeightArchive(path: path) }
    }
  }

  @Test("weights of another length are damaged") func otherLengthsAreRefused() throws {
    let folder = try TemporaryFolder()
    let bytes = try small(folder)
    for other in [Array(bytes.dropLast()), bytes + [0], Array(bytes[..<512]), Array(bytes[..<100])]
    {
      let path = try folder.write(other, to: "other.h5")
      let error = #expect(throws: DepthError.self) { try HDF5WeightArchive(path: path) }
      #expect("\(try #require(error))".contains("is damaged: it"), "\(String(describing: error))")
    }
  }

  /// The SHA-256 belongs to other bytes, but the checksums are correct.
  @Test("verifying compares the SHA-256 of all bytes") func verifyingComparesTheDigest() throws {
    let folder = try TemporaryFolder()
    var bytes = try small(folder)
    bytes[40] ^= 1
    let checksum = CRC32.checksum(bytes[..<508])
    for i in 0..<4 { bytes[508 + i] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(i))) }
    let archive = try HDF5WeightArchive(path: folder.write(bytes, to: "other.h5"))
    let error = #expect(throws: DepthError.self) { try archive.verifyDigest() }
    #expect("\(try #require(error))".contains("differ from their SHA-256"))
  }
}

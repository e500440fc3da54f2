import DepthErrors
import Foundation
import HDF5Files
import Testing
import WeightsFiles
import _TestSupport

/// Each invalid file is refused with a sentence that names the fault.
///
/// Tests of hundreds of files have their own process, since children of a large process are slow.
@Suite struct HostileFileTests {
  /// The reason why an archive refuses `path`.
  private func reason(_ path: String) throws -> String {
    let error = try #require(throws: DepthError.self) { try HDF5WeightArchive(path: path) }
    #expect(
      [.unreadable, .unsupportedFormat, .damaged].contains(error.code) && error.file == path,
      "\(error.code) \(error)")
    return error.message
  }

  /// The reason why an archive refuses the file that `fill` writes.
  private func reason(_ fill: (HDF5Writer) throws -> Void) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do { try fill(HDF5Writer(path: path)) }
    return try reason(path)
  }

  @Test("a refusal names the kind of a file that is not HDF5") func filesThatAreNotHDF5() throws {
    let folder = try TemporaryFolder()
    #expect(try reason(folder.path("none.h5")) == "no such file")
    #expect(try reason(folder.path("none/none.h5")) == "no such file")
    #expect(try reason(folder.path) == "is a folder, expected an HDF5 file")
    #expect(try reason("/dev/null") == "is not a regular file")
    #expect(
      try reason(folder.write([], to: "empty.h5")) == "is empty, expected an HDF5 file")
    for bytes in [[0x89], Array("weights of a network\n".utf8), [UInt8](repeating: 7, count: 5000)]
    {
      #expect(try reason(folder.write(bytes, to: "text.h5")) == "is not an HDF5 file")
    }
  }

  @Test("unreadable, unsupported and damaged files have different codes")
  func codesTellFaultsApart() throws {
    let folder = try TemporaryFolder()
    func code(_ path: String) throws -> DepthError.Code {
      try #require(throws: DepthError.self) { try HDF5WeightArchive(path: path) }.code
    }
    let path = folder.path("w.h5")
    do { try HDF5Writer(path: path).write(testValues(4000), shape: [4000], to: "a/bias") }
    let bytes = try TemporaryFolder.bytes(of: path)
    #expect(try code(folder.path("none.h5")) == .unreadable)
    #expect(try code(folder.path) == .unreadable)
    #expect(try code(folder.write(Array("no HDF5".utf8), to: "text.h5")) == .unsupportedFormat)
    #expect(try code(folder.write(Array(bytes.dropLast(2000)), to: "cut.h5")) == .damaged)
    let filtered = folder.path("filtered.h5")
    do {
      try HDF5Writer(path: filtered).write(
        testValues(4), shape: [4], to: "a/bias",
        as: .init(.float32, chunk: [4], fletcher32: true))
    }
    #expect(try code(filtered) == .unsupportedFormat)
  }

  @Test("a signature without HDF5 data is a damaged header")
  func signatureWithoutAFileBehindIt() throws {
    let folder = try TemporaryFolder()
    let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    let path = try folder.write(signature + [UInt8](repeating: 0xff, count: 1000), to: "w.h5")
    #expect(try reason(path).hasPrefix("header is damaged"))
  }

  @Test("an object that is not a layer or tensor is refused") func otherObjectsThanLayers() throws {
    #expect(
      try reason { try $0.write([1] as [Float], shape: [1], to: "bias") }
        == "'bias' is not a group, expected one group per layer")
    #expect(
      try reason { try $0.createGroup("a/kernel") } == "'a/kernel' is not a dataset")
    #expect(
      try reason { try $0.link("a", to: "/b") }
        == "'a' is a link to another place, expected an object of the file")
    #expect(
      try reason {
        try $0.createGroup("a")
        try $0.link("a/kernel", to: "/a/kernel", in: "other.h5")
      } == "'a/kernel' is a link to another place, expected an object of the file")
  }

  @Test("integer biases and unsigned kernels are refused") func elementsThatAreNotWeights() throws {
    let bytes: [Int8] = [1, 2, 3, 4]
    #expect(
      try reason { try $0.write(bytes, shape: [4], to: "a/bias") }
        == "dataset 'a/bias' holds int8, expected float16, float32, float64")
    #expect(
      try reason { try $0.write(bytes, shape: [4], to: "a/kernel", as: .init(.uint8)) }
        == "dataset 'a/kernel' holds uint8, expected float16, float32, float64 or int8")
  }

  @Test("a missing, misshapen or mistyped scale is refused") func scalesThatDoNotFit() throws {
    let bytes: [Int8] = [1, 2, 3, 4]
    #expect(
      try reason { try $0.write(bytes, shape: [2, 2, 1, 1], to: "a/kernel") }
        == "int8 kernel 'a/kernel' has no 'a/scale' beside it")
    #expect(
      try reason {
        try $0.write(bytes, shape: [2, 2, 1, 1], to: "a/kernel")
        try $0.write([1, 2, 3] as [Float], shape: [3], to: "a/scale")
      } == "'a/scale' has shape 3, expected 2 for the output channels of 'a/kernel'")
    #expect(
      try reason {
        try $0.write(bytes, shape: [2, 2, 1, 1], to: "a/kernel")
        try $0.write([1, 2] as [Float], shape: [2], to: "a/scale", as: .init(.float64))
      } == "'a/scale' holds float64, expected float32")
    #expect(
      try reason {
        try $0.write([1, 2] as [Float], shape: [2, 1, 1, 1], to: "a/kernel")
        try $0.write([1, 2] as [Float], shape: [2], to: "a/scale")
      } == "'a/scale' has no int8 kernel beside it")
    #expect(
      try reason { try $0.write([1, 2] as [Float], shape: [2], to: "a/scale") }
        == "'a/scale' has no int8 kernel beside it")
  }

  @Test("too many values, chunks or links are refused") func claimsBeyondAllBounds() throws {
    #expect(
      try reason { try $0.createDataset("a/kernel", shape: [1 << 20, 1 << 20, 3, 3]) }
        == "dataset 'a/kernel' claims 1048576×1048576×3×3 values, expected at most 134217728")
    #expect(
      try reason { try $0.createDataset("a/bias", shape: [64]) }
        == "values of dataset 'a/bias' were never written")
    #expect(
      try reason { try $0.createDataset("a/bias", shape: [1 << 20], chunk: [16]) }
        == "dataset 'a/bias' has more than 4096 chunks")
    #expect(
      try reason { writer in
        for i in 0..<4097 { try writer.createGroup("layer\(i)") }
      } == "group '/' has more than 4096 links")
  }

  @Test("a missing chunk is damage at a named position") func chunksThatAreMissing() throws {
    let archive = try archive { try $0.createDataset("a/bias", shape: [64], chunk: [16]) }
    let error = try #require(throws: DepthError.self) { try archive.elements(of: "a/bias") }
    #expect(
      error
        == DepthError(
          .damaged, file: archive.name, "values of dataset 'a/bias' are missing from [0] on"))
  }

  @Test("an unknown filter is named") func filtersThatAreNotKnown() throws {
    let storage = HDF5Writer.Storage(.float32, chunk: [4], fletcher32: true)
    #expect(
      try reason { try $0.write([1, 2, 3, 4] as [Float], shape: [4], to: "a/bias", as: storage) }
        == "dataset 'a/bias' needs filter 3 (fletcher32), expected gzip or shuffle")
  }

  @Test("a tensor that does not exist is named") func tensorsThatAreNotThere() throws {
    let archive = try archive { try $0.write([1] as [Float], shape: [1], to: "a/bias") }
    #expect(
      throws: DepthError(
        .weightsMismatch, file: archive.name, "has no tensor 'a/kernel'")
    ) { try archive.elements(of: "a/kernel") }
  }

  @Test("a truncated weights file is refused", arguments: [false, true])
  func truncatedFiles(isCompressed: Bool) async {
    await #expect(processExitsWith: .success) { [isCompressed = isCompressed as Bool] in
      let folder = try TemporaryFolder()
      let whole = try TemporaryFolder.bytes(of: Self.small(folder, isCompressed: isCompressed))
      for i in 0..<100 {
        let path = try folder.write(Array(whole.prefix(whole.count * i / 100)), to: "short.h5")
        #expect(throws: DepthError.self, "\(i) % left") { try HDF5WeightArchive(path: path) }
      }
      let path = try folder.write(Array(whole.dropLast()), to: "short.h5")
      let found = try HostileFileTests().reason(path)
      #expect(found == "is truncated at \(whole.count - 1) bytes")
    }
  }

  @Test("a weights file that is shortened while open is an error")
  func shortenedWhileOpen() throws {
    let folder = try TemporaryFolder()
    for isCompressed in [false, true] {
      let path = try Self.small(folder, isCompressed: isCompressed)
      let archive = try HDF5WeightArchive(path: path)
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 100)
      #expect(throws: DepthError.self) { try archive.elements(of: "layer7/kernel") }
    }
  }

  /// Each file has one flipped byte in the tensors.
  @Test(
    "flipped bytes that change compressed data are refused",
    arguments: [false, true])
  func flippedData(isCompressed: Bool) async {
    await #expect(processExitsWith: .success) { [isCompressed = isCompressed as Bool] in
      let folder = try TemporaryFolder()
      let whole = try TemporaryFolder.bytes(of: Self.small(folder, isCompressed: isCompressed))
      let intact = try HDF5WeightArchive(path: folder.path("w.h5"))
      let names = intact.shapes.keys.sorted()
      let values = try names.map { try intact.elements(of: $0) }
      let stream = CounterStream("flipped data")
      // The last layer's kernel is at the end of the file.
      let region = whole.count - (isCompressed ? 2000 : 2500)..<whole.count
      var refused = 0
      for i in 0..<100 {
        var bytes = whole
        bytes[region.lowerBound + Int(stream[2 * i]) % region.count] ^= UInt8(
          1 + stream[2 * i + 1] % 255)
        let archive = try HDF5WeightArchive(path: folder.write(bytes, to: "flipped.h5"))
        do {
          let found = try names.map { try archive.elements(of: $0) }
          #expect(found.map(\.count) == values.map(\.count))
          if isCompressed { #expect(found == values, "a flip that changes values must be refused") }
        } catch is DepthError {
          refused += 1
        }
      }
      #expect(isCompressed ? refused > 90 : refused == 0)
    }
  }

  /// Flips anywhere in the description of the tensors. HDF5 crashes on some flips, but this package
  /// finds the faults of these seeds before HDF5 reads them.
  @Test("a flipped description of tensors is refused or read", arguments: [false, true])
  func flippedDescriptions(isCompressed: Bool) async {
    await #expect(processExitsWith: .success) { [isCompressed = isCompressed as Bool] in
      let folder = try TemporaryFolder()
      let whole = try TemporaryFolder.bytes(of: Self.small(folder, isCompressed: isCompressed))
      let stream = CounterStream("flipped descriptions")
      let refused = try Self.refusals(of: 300) { i in
        var bytes = whole
        bytes[Int(stream[2 * i]) % bytes.count] ^= UInt8(1 + stream[2 * i + 1] % 255)
        return bytes
      }
      #expect(refused > 10)
    }
  }

  /// The number of damaged files that are refused, among `count` files. Other files are readable.
  static func refusals(of count: Int, _ damaged: (_ index: Int) -> [UInt8]) throws -> Int {
    let folder = try TemporaryFolder()
    return try (0..<count).count { index in
      let path = try folder.write(damaged(index), to: "damaged.h5")
      do {
        let archive = try HDF5WeightArchive(path: path)
        for name in archive.shapes.keys { _ = try archive.elements(of: name) }
        return false
      } catch is DepthError {
        return true
      }
    }
  }

  /// Eight small layers. The last layer's kernel is at the end of the file.
  private static func small(_ folder: TemporaryFolder, isCompressed: Bool) throws -> String {
    let path = folder.path("w.h5")
    let writer = try HDF5Writer(path: path)
    try writer.set("architecture", .text("test"))
    for i in 0..<8 {
      try writer.write(testValues(12), shape: [12], to: "layer\(i)/bias")
      let shape = [12, 6, 3, 3]
      if isCompressed {
        try writer.write(testValues(12), shape: [12], to: "layer\(i)/scale")
        let stream = CounterStream("integers \(i)")
        let integers = (0..<648 * 4).map { Int8(truncatingIfNeeded: Int(stream[$0] >> 3)) }
        try writer.write(
          integers, shape: [12, 24, 3, 3], to: "layer\(i)/kernel",
          as: .init(.int8, chunk: [12, 24, 3, 3], gzip: 9))
      } else {
        try writer.write(testValues(648), shape: shape, to: "layer\(i)/kernel")
      }
    }
    return path
  }
}

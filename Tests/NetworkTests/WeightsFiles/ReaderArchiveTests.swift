import DepthErrors
import Foundation
import HDF5Files
import Testing
import WeightsFiles
import _TestSupport

/// This package's reader and the HDF5 library give equal bits for every number of weights.
@Suite struct ReaderArchiveTests {
  private func expectSame(_ found: HDF5WeightArchive, _ expected: HDF5WeightArchive) throws {
    #expect(found.shapes == expected.shapes && !found.shapes.isEmpty)
    #expect(found.sha256 == expected.sha256)
    #expect(Set(found.attributeNames) == Set(expected.attributeNames))
    #expect(!found.attributeNames.isEmpty)
    for name in expected.attributeNames {
      #expect(found.attributeDescription(name) == expected.attributeDescription(name), "\(name)")
      #expect(found.text(name) == expected.text(name), "\(name)")
      #expect(found.integers(name) == expected.integers(name), "\(name)")
      #expect(found.numbers(name) == expected.numbers(name), "\(name)")
    }
    for (tensor, shape) in expected.shapes {
      let (values, others) = (try found.elements(of: tensor), try expected.elements(of: tensor))
      #expect(haveSameBits(values, others), "\(tensor)")
      #expect(try found.factors(of: tensor) == expected.factors(of: tensor), "\(tensor)")
      #expect(found.readsRows(of: tensor) == expected.readsRows(of: tensor), "\(tensor)")
      let rows = 0..<(shape.first ?? 0)
      #expect(
        try found.integers(of: tensor, rows: rows) == expected.integers(of: tensor, rows: rows),
        "\(tensor)")
    }
    for layer in Set(expected.shapes.keys.map { String($0.prefix { $0 != "/" }) }) {
      #expect(try found.inputScale(of: layer) == expected.inputScale(of: layer))
      #expect(try found.residualScale(of: layer) == expected.residualScale(of: layer))
    }
    try found.verifyDigest()
  }

  @Test(
    "the reader and the HDF5 library give equal bundled weights",
    arguments: [
      "/Weights/fcrn-lite2-nyu-int8.h5", "/Tests/Golden/fcrn_narrow16_weights.h5",
    ])
  func weightsOfThePackage(file: String) throws {
    let path = packageFolder + file
    let expected = try HDF5WeightArchive(path: path, describer: .library)
    for describer in [HDF5Describer.reader, .readerOrLibrary] {
      try expectSame(HDF5WeightArchive(path: path, describer: describer), expected)
    }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try expectSame(
      HDF5WeightArchive(bytes: bytes.span, name: path, describer: .reader), expected)
  }

  @Test("the reader and the HDF5 library give equal floats of every width")
  func generatedWeightsInEveryElementType() throws {
    let folder = try TemporaryFolder()
    let weights = GeneratedWeights(widthDivisor: 16)
    for element in [HDF5Writer.Storage.Element.float16, .float32, .float64] {
      let path = folder.path("w.h5")
      try write(weights, to: path) { _ in .init(element, isBigEndian: element == .float64) }
      try expectSame(
        HDF5WeightArchive(path: path, describer: .reader),
        HDF5WeightArchive(path: path, describer: .library))
    }
  }

  /// The reader leaves chunks, newer formats and files without checksum to the library.
  @Test("the library reads files that the reader cannot", arguments: [true, false], [true, false])
  func theLibraryReadsWhatTheReaderDoesNot(hasBlock: Bool, isModern: Bool) throws {
    let folder = try TemporaryFolder()
    for chunk in [nil, [5, 8]] {
      let path = folder.path("w.h5")
      do {
        let writer = try HDF5Writer(path: path, isModern: isModern, hasBlock: hasBlock)
        try writer.set("format_version", .integers([hasBlock ? 2 : 1]))
        try writer.write(testValues(12), shape: [12], to: "a/bias")
        try writer.write(
          testValues(96), shape: [12, 8], to: "a/kernel",
          as: .init(.float32, chunk: chunk, gzip: chunk == nil ? nil : 1))
      }
      let expected = try HDF5WeightArchive(path: path, describer: .library)
      try expectSame(HDF5WeightArchive(path: path, describer: .readerOrLibrary), expected)
      #expect(expected.readsRows(of: "a/kernel") == (chunk == nil))
    }
  }

  /// The bytes of weights with checksums, as in the package.
  private func original(_ path: String) throws -> [UInt8] {
    do {
      try fill(HDF5Writer(path: path, hasBlock: true), chunk: nil, isRewritten: false)
    }
    return try TemporaryFolder.bytes(of: path)
  }

  private func fill(_ writer: HDF5Writer, chunk: [Int]?, isRewritten: Bool) throws {
    try writer.set("format_version", .integers([2]))
    try writer.set("architecture", .text("test"))
    try writer.write(testValues(12), shape: [12], to: "a/bias")
    try writer.write(testValues(12).map { abs($0) + 1 }, shape: [12], to: "a/scale")
    try writer.write(
      (0..<96).map { Int8(truncatingIfNeeded: $0 * 5 - 128) }, shape: [12, 8], to: "a/kernel",
      as: .init(.int8, chunk: chunk, gzip: chunk == nil ? nil : 1))
    try writer.write([0.5], shape: [1], to: "a/activation_scale")
    // Another program leaves other gaps, which change the file's length.
    if isRewritten { try writer.set("note", .text(String(repeating: "text", count: 2000))) }
  }

  /// h5repack and h5py rewrite weights in another layout. The block of checksums is then copied,
  /// missing or empty. HDF5's library reads equal values without comparing a checksum.
  @Test(
    "weights that another program rewrote are read",
    arguments: ["copied", "left out", "empty", "other"],
    [(nil, false), ([5, 8], false), (nil, true), ([5, 8], true)] as [([Int]?, Bool)])
  func rewrittenWeightsAreRead(block: String, form: (chunk: [Int]?, isModern: Bool)) throws {
    let folder = try TemporaryFolder()
    let original = try original(folder.path("original.h5"))
    let path = folder.path("rewritten.h5")
    let hasBlock = block != "left out"
    do {
      let writer = try HDF5Writer(path: path, isModern: form.isModern, hasBlock: hasBlock)
      try fill(writer, chunk: form.chunk, isRewritten: true)
    }
    if hasBlock {
      let bytes = try TemporaryFolder.bytes(of: path)
      let start: [UInt8] =
        switch block {
        case "copied": Array(original.prefix(WeightsBlock.count))
        case "empty": Array(repeating: 0, count: WeightsBlock.count)
        default: Array(repeating: UInt8(ascii: "x"), count: WeightsBlock.count)
        }
      _ = try folder.write(start + bytes.dropFirst(WeightsBlock.count), to: "rewritten.h5")
    }
    let expected = try HDF5WeightArchive(path: folder.path("original.h5"))
    let found = try HDF5WeightArchive(path: path)
    #expect(expected.sha256 != nil && found.sha256 == nil)
    #expect(found.shapes == expected.shapes && found.text("architecture") == "test")
    for tensor in expected.shapes.keys {
      #expect(try found.elements(of: tensor) == expected.elements(of: tensor))
      #expect(try found.factors(of: tensor) == expected.factors(of: tensor))
    }
    #expect(try found.inputScale(of: "a") == 0.5)
    try found.verifyDigest()
  }

  @Test(
    "weights that are cut, lengthened or changed are damaged",
    arguments: [
      "cut by 1", "cut by 1000", "lengthened by 1", "lengthened by 5000", "byte 3", "byte 24",
      "byte 1500",
    ])
  func damagedWeightsAreNotRewrittenOnes(fault: String) throws {
    let folder = try TemporaryFolder()
    var bytes = try original(folder.path("original.h5"))
    let number = try #require(fault.split(separator: " ").last.flatMap { Int($0) })
    switch fault.prefix(3) {
    case "cut": bytes.removeLast(number)
    case "len": bytes += [UInt8](repeating: 7, count: number)
    default: bytes[number] ^= 1
    }
    let path = try folder.write(bytes, to: "damaged.h5")
    let error = #expect(throws: DepthError.self) { try HDF5WeightArchive(path: path) }
    #expect(error?.code == .damaged && error?.message.contains("is damaged") == true)
  }

  /// A byte near the beginning may be wrong under a correct checksum. The reader then reads the
  /// correct values, or gives the library's error.
  @Test("damage under a correct checksum gives the library's error")
  func damageBehindARightChecksumIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do {
      let writer = try HDF5Writer(path: path, hasBlock: true)
      try writer.set("format_version", .integers([2]))
      try writer.write(testValues(12), shape: [12], to: "a/bias")
    }
    let whole = try TemporaryFolder.bytes(of: path)
    let stream = CounterStream("damage behind a checksum")
    func outcome(_ path: String, _ describer: HDF5Describer) throws -> String {
      do {
        let archive = try HDF5WeightArchive(path: path, describer: describer)
        let names = archive.shapes.keys.sorted()
        return try "\(names.map { ($0, archive.shapes[$0], try archive.elements(of: $0)) })"
      } catch let error as DepthError { return "\(error)" }
    }
    var refused = 0
    for i in 0..<60 {
      var rest = Array(whole[WeightsBlock.count...])
      rest[Int(stream[2 * i]) % min(rest.count, 2400)] ^= UInt8(1 + stream[2 * i + 1] % 255)
      let edited = try folder.write(WeightsBlock.bytes(for: rest) + rest, to: "edited.h5")
      let either = try outcome(edited, .readerOrLibrary)
      // Values that can be read come from the position that the file states.
      guard either != (try? outcome(edited, .reader)) else { continue }
      refused += 1
      #expect(either == (try outcome(edited, .library)), "edit \(i)")
    }
    #expect(refused > 5)
  }

  @Test("a changed byte of weights fails the checksum") func aChangedByteIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = packageFolder + "/Weights/fcrn-lite2-nyu-int8.h5"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[bytes.count / 2] ^= 1
    let damaged = try folder.write(bytes, to: "w.h5")
    #expect(
      throws: DepthError(
        .damaged, file: damaged, "is damaged: its bytes differ from their checksum")
    ) { try HDF5WeightArchive(path: damaged, describer: .reader) }
  }
}

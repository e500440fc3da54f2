import DepthErrors
import Foundation
import HDF5Files
import NetworkWeights
import Testing
import _TestSupport

/// Weights described by this package's own reader: every number is the library's, to the bit.
@Suite(.offPool) struct ReaderArchiveTests {
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
      let bits = try expected.elements(of: tensor).map(\.bitPattern)
      #expect(try found.elements(of: tensor).map(\.bitPattern) == bits, "\(tensor)")
      #expect(try found.factors(of: tensor) == expected.factors(of: tensor), "\(tensor)")
      #expect(found.readsRows(of: tensor) == expected.readsRows(of: tensor), "\(tensor)")
      let rows = 0..<(shape.first ?? 0)
      #expect(
        try found.codes(of: tensor, rows: rows) == expected.codes(of: tensor, rows: rows),
        "\(tensor)")
    }
    for layer in Set(expected.shapes.keys.map { String($0.prefix { $0 != "/" }) }) {
      #expect(try found.activationStep(of: layer) == expected.activationStep(of: layer))
      #expect(try found.residualStep(of: layer) == expected.residualStep(of: layer))
    }
    try found.verifyDigest()
  }

  @Test(arguments: [
    "/Weights/fcrn18-nyu-int8.h5", "/Weights/fcrn18-confidence-nyu-int8.h5",
    "/Tests/Golden/fcrn_narrow16_weights.h5",
  ])
  func weightsOfThePackage(file: String) throws {
    let path = packageFolder + file
    let expected = try HDF5WeightArchive(path: path, describer: .library)
    try expectSame(HDF5WeightArchive(path: path, describer: .reader), expected)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try expectSame(
      HDF5WeightArchive(bytes: bytes.span, name: path, describer: .reader), expected)
  }

  @Test func generatedWeightsInEveryElementType() throws {
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

  /// The checksum is compared before anything of the file is believed.
  @Test func aChangedByteIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = packageFolder + "/Weights/fcrn18-nyu-int8.h5"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[bytes.count / 2] ^= 1
    let damaged = try folder.write(bytes, to: "w.h5")
    #expect(
      throws: DepthError(
        .damaged, file: damaged, "is damaged: its bytes differ from their checksum")
    ) { try HDF5WeightArchive(path: damaged, describer: .reader) }
  }
}

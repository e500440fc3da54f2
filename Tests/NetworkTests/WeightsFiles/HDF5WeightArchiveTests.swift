import HDF5Files
import Testing
import WeightsFiles
import _TestSupport

/// Archives in every supported storage, from this package and from an independent writer.
@Suite struct HDF5WeightArchiveTests {
  @Test("golden files have the generated weights and attributes")
  func goldenWeightsEqualTheGeneratedOnes() throws {
    let generated = GeneratedWeights(widthDivisor: 16)
    let path = Golden.path("fcrn_narrow16_weights.h5")
    let archive = try HDF5WeightArchive(path: path, attributes: Array(generated.attributes.keys))
    #expect(archive.name == path)
    #expect(archive.shapes == generated.shapes)
    for (name, value) in generated.attributes {
      #expect(archive.attributeDescription(name) == value.description, "\(name)")
      #expect(archive.text(name) == value.text && archive.integers(name) == value.integers)
      #expect(archive.numbers(name) == value.numbers)
    }
    #expect(archive.attributeDescription("no such attribute") == nil)
    for tensor in generated.tensors {
      let elements = try archive.elements(of: tensor.name)
      #expect(elements == tensor.elements(), "\(tensor.name)")
    }
  }

  /// Kinds of storage and the largest relative error of each kind.
  static let storages: [(HDF5Writer.Storage, Double)] = [
    (.init(.float32), 0), (.init(.float32, isBigEndian: true), 0),
    (.init(.float32, chunk: [3, 2, 2, 3], gzip: 4), 0),
    (.init(.float32, isBigEndian: true, chunk: [5, 3, 3, 3], gzip: 9), 0),
    (.init(.float64), 0), (.init(.float64, isBigEndian: true), 0),
    (.init(.float16), 0x1p-11), (.init(.float16, isBigEndian: true), 0x1p-11),
    (.init(.float16, chunk: [2, 3, 3, 3], gzip: 1), 0x1p-11),
  ]

  @Test("tensors and rows are read back from every kind of storage", arguments: storages.indices)
  func everyStorageGivesTheValuesBack(index: Int) throws {
    let (storage, tolerance) = Self.storages[index]
    let values = testValues(5 * 3 * 3 * 3)
    let archive = try archive {
      try $0.write(values, shape: [5, 3, 3, 3], to: "a/kernel", as: storage)
    }
    #expect(archive.shapes == ["a/kernel": [5, 3, 3, 3]])
    expectClose(
      try archive.elements(of: "a/kernel"), values, absolute: 0, relative: tolerance)
    // Only some kinds of storage allow partial reading.
    expectClose(
      try archive.elements(of: "a/kernel", rows: 1..<4), values[27..<108].map { $0 }, absolute: 0,
      relative: tolerance)
  }

  @Test("every 16-bit float is converted exactly to 32 bits", arguments: [false, true])
  func everyHalfIsWidenedExactly(isBigEndian: Bool) throws {
    // All finite 16-bit floats by definition, from the smallest subnormal on.
    var values: [Float] = []
    for exponent in 0..<31 {
      for mantissa in 0..<1024 {
        let significand = Float(mantissa) + (exponent == 0 ? 0 : 1024)
        let scale = Float(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
        values += [significand * scale, -significand * scale]
      }
    }
    values += [.infinity, -.infinity]
    let archive = try archive {
      try $0.write(
        values, shape: [values.count], to: "a/bias", as: .init(.float16, isBigEndian: isBigEndian))
    }
    let found = try archive.elements(of: "a/bias")
    #expect(found.map(\.bitPattern) == values.map(\.bitPattern))
  }

  @Test("NaN stays NaN in every float storage") func notANumberStaysOne() throws {
    for element in [HDF5Writer.Storage.Element.float16, .float32, .float64] {
      let archive = try archive {
        try $0.write([1, .nan, 2] as [Float], shape: [3], to: "a/bias", as: .init(element))
      }
      let found = try archive.elements(of: "a/bias")
      #expect(found[0] == 1 && found[1].isNaN && found[2] == 2)
    }
  }

  @Test(
    "each output channel of an int8 kernel has a scale",
    arguments: [
      HDF5Writer.Storage(.int8), .init(.int8, chunk: [3, 2, 2, 1], gzip: 9),
    ])
  func integersAreScaledByOutputChannel(storage: HDF5Writer.Storage) throws {
    let integers = (0..<24).map { Int8(truncatingIfNeeded: $0 * 37 - 128) }
    let scale: [Float] = [0.5, 3, 1.0 / 3]
    let archive = try archive {
      try $0.write(integers, shape: [3, 2, 2, 2], to: "a/kernel", as: storage)
      try $0.write(scale, shape: [3], to: "a/scale")
      try $0.write([7, 8, 9] as [Float], shape: [3], to: "a/bias")
    }
    #expect(archive.shapes == ["a/kernel": [3, 2, 2, 2], "a/bias": [3]])
    let expected = integers.indices.map { Float(integers[$0]) * scale[$0 / 8] }
    #expect(try archive.elements(of: "a/kernel") == expected)
  }

  @Test("attributes of every supported kind are read") func attributesOfEveryKind() throws {
    let values: [String: HDF5Attribute] = [
      "text": .text("naïve"), "empty": .text(""), "texts": .texts(["a", "bcd", ""]),
      "integer": .integers([-7]), "integers": .integers([1, 2, 1 << 40]),
      "number": .numbers([1e-4]), "numbers": .numbers([0.1, -.infinity]),
    ]
    let archive = try archive(attributes: Array(values.keys) + ["none"]) { writer in
      for (name, value) in values { try writer.set(name, value) }
      try writer.setVariableText("unknown", "never looked at")
      try writer.write([1] as [Float], shape: [1], to: "a/bias")
    }
    for (name, value) in values {
      #expect(archive.attributeDescription(name) == value.description, "\(name)")
      #expect(archive.text(name) == value.text && archive.integers(name) == value.integers)
      #expect(archive.numbers(name) == value.numbers)
    }
    for name in ["none", "unknown"] { #expect(archive.attributeDescription(name) == nil) }
  }

  @Test("several threads read one archive at once") func threadsReadAtOnce() async throws {
    let generated = GeneratedWeights(widthDivisor: 16)
    let folder = try TemporaryFolder()
    try write(generated, to: folder.path("w.h5")) { shape in
      shape.count == 4 ? .init(.float32, chunk: shape, gzip: 1) : .init(.float32)
    }
    let archive = try HDF5WeightArchive(path: folder.path("w.h5"))
    try await withThrowingTaskGroup { group in
      for first in 0..<4 {
        group.addTask {
          for i in stride(from: first * 50, to: generated.tensors.count, by: 3) {
            let tensor = generated.tensors[i]
            let elements = try archive.elements(of: tensor.name)
            #expect(elements == tensor.elements(), "\(tensor.name)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("an open archive outlives the removal of its file")
  func anArchiveOutlivesTheRemovalOfItsFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("w.h5")
    do { try HDF5Writer(path: path).write([1, 2] as [Float], shape: [2], to: "a/bias") }
    let archive = try HDF5WeightArchive(path: path)
    let isRemoved = try TemporaryFolder.remove(path)
    #expect(isRemoved)
    #expect(try archive.elements(of: "a/bias") == [1, 2])
  }
}

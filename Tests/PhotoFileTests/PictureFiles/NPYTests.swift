import DepthErrors
import Testing

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct NPYTests {
  private func file(
    _ type: String, order: String = "False", shape: String, version: UInt8 = 1, _ values: [UInt8]
  ) -> [UInt8] {
    let header = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': \(shape), }\n"
    let count = header.utf8.count
    let length: [UInt8] = [UInt8(count & 255), UInt8(count >> 8)] + (version == 1 ? [] : [0, 0])
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + Array(header.utf8) + values
  }

  private func values(
    _ bytes: [UInt8], unit: DepthMap.Unit? = .metres, scale: Double? = nil
  ) throws -> [Float] {
    try DepthMap(decoding: bytes, name: "array.npy", unit: unit, scale: scale).values
  }

  /// 1.5 and −2 in every type, with bit patterns from IEEE 754.
  @Test(
    "NPY floats of 16, 32 and 64 bits are read in both byte orders",
    arguments: [
      ("<f2", [0x00, 0x3E, 0x00, 0xC0]), (">f2", [0x3E, 0x00, 0xC0, 0x00]),
      ("<f4", [0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0]), (">f4", [0x3F, 0xC0, 0, 0, 0xC0, 0, 0, 0]),
      ("<f8", [0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0]),
      (">f8", [0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0]),
    ] as [(String, [UInt8])], [1, 2, 3] as [UInt8])
  func floatTypes(_ stored: (type: String, bytes: [UInt8]), version: UInt8) throws {
    let bytes = file(stored.type, shape: "(1, 2)", version: version, stored.bytes)
    #expect(try values(bytes, unit: nil) == [1.5, -2])
  }

  @Test("half precision converts exactly to 32 bits") func halfPrecisionIsExact() {
    for (bits, value) in [
      (0x0000, 0), (0x0001, 0x1p-24), (0x03FF, 0x1.FF8p-15), (0x0400, 0x1p-14), (0x3C00, 1),
      (0x7BFF, 65_504), (0x7C00, .infinity), (0xFC00, -.infinity), (0xBC01, -0x1.004p0),
    ] as [(UInt16, Float)] {
      #expect(Float(binary16: bits) == value)
    }
    #expect(Float(binary16: 0x7E00).isNaN)
  }

  @Test("an NPY of integers needs the caller's unit") func integersNeedAUnit() throws {
    let wide = file("<u2", shape: "(1, 2)", [0xDC, 0x05, 0, 0])
    #expect(try values(wide, scale: 0.001) == [1.5, 0])
    #expect(throws: DepthError.unknownUnit(file: "array.npy", options: StoredUnit.names)) {
      try values(wide, unit: nil)
    }
    #expect(
      try values(file("|u1", shape: "(2, 1)", [0, 255]), unit: .normalized(near: .white)) == [0, 1])
  }

  @Test("an NPY in Fortran order is transposed") func fortranOrderIsTurned() throws {
    // The columns of [[1, 2, 3], [4, 5, 6]], one after the other.
    let bytes = file("|u1", order: "True", shape: "(2, 3)", [1, 4, 2, 5, 3, 6])
    #expect(try values(bytes) == [1, 2, 3, 4, 5, 6])
  }

  @Test(
    "axes of length 1 are dropped from an NPY's shape",
    arguments: ["(2, 3)", "(1, 2, 3)", "(2, 3, 1)", "(1, 1, 2, 3)", "(1, 2, 3, 1)"])
  func singleAxesAreDropped(shape: String) throws {
    let map = try DepthMap(
      decoding: file("|u1", shape: shape, [1, 2, 3, 4, 5, 6]), name: "", unit: .metres)
    #expect((map.height, map.width) == (2, 3))
  }

  @Test("an NPY has the bytes that NumPy writes") func writtenHeaderIsWhatNumPyWrites() throws {
    let bytes = NPY.encode(FloatGrid(height: 2, width: 1, values: [1, 2]))
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"
    let padding = String(repeating: " ", count: 128 - 10 - header.utf8.count - 1)
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0]
    #expect(
      bytes == start + Array((header + padding + "\n").utf8) + [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40])
  }

  @Test("an NPY of wrong shape, type, length or version is refused") func badFilesAreRefused() {
    let bad = [
      file("<f4", shape: "(2,)", [0, 0, 0, 0, 0, 0, 0, 0]),
      file("<f4", shape: "()", [0, 0, 0, 0]),
      file("<f4", shape: "(2, 2, 3)", [UInt8](repeating: 0, count: 48)),
      file("<f4", shape: "(0, 2)", []),
      file("<f4", shape: "(1, 2)", [0, 0, 0, 0]),
      file("<f4", shape: "(1, 1)", [0, 0, 0, 0, 9]),
      file("<f4", shape: "(-1, -1)", [0, 0, 0, 0]),
      file("<f4", shape: "(1, x)", [0, 0, 0, 0]),
      file("<f4", shape: "(30000, 30000)", []),
      file("<f4", shape: "(9223372036854775807, 9223372036854775807)", []),
      file("<c8", shape: "(1, 1)", [UInt8](repeating: 0, count: 8)),
      file("|O", shape: "(1, 1)", [1]),
      file("<f4", order: "Maybe", shape: "(1, 1)", [0, 0, 0, 0]),
      file("<f4", shape: "(1, 1)", version: 4, [0, 0, 0, 0]),
    ]
    for bytes in bad {
      #expect(throws: DepthError.self) { try values(bytes) }
    }
  }

  @Test("the error about an NPY names its type or shape") func errorNamesTypeAndShape() {
    #expect(
      throws: DepthError.unsupportedFormat(
        file: "array.npy", expected: "float16, float32, float64, uint8 or uint16",
        found: "an array of type '<i8'")
    ) { try values(file("<i8", shape: "(1, 1)", [UInt8](repeating: 0, count: 8))) }
    #expect(
      throws: DepthError.unsupportedFormat(
        file: "array.npy", expected: "(height, width)", found: "an array of shape (2, 2, 3)")
    ) { try values(file("|u1", shape: "(2, 2, 3)", [UInt8](repeating: 0, count: 12))) }
  }
}

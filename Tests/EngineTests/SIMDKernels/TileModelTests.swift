import CDepthSIMD
import CDepthSIMDModels
import Foundation
import Testing
import _TestSupport

@testable import DepthBase

/// The model of AMX tiles follows Intel's description of the instructions.
@Suite struct TileModelTests {
  /// Rows and bytes per row of one tile.
  typealias Shape = (rows: Int, bytes: Int)

  /// The 64 bytes that LDTILECFG reads.
  static func configuration(_ shapes: [Shape]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes[0] = 1
    for (tile, shape) in shapes.enumerated() {
      bytes[16 + 2 * tile] = UInt8(shape.bytes % 256)
      bytes[17 + 2 * tile] = UInt8(shape.bytes / 256)
      bytes[48 + tile] = UInt8(shape.rows)
    }
    return bytes
  }

  /// Runs instructions and returns the first broken rule.
  @discardableResult
  static func fault(
    of shapes: [Shape] = [(3, 20), (3, 8), (2, 20)], _ body: (OpaquePointer) -> Void
  ) throws -> String? {
    try fault(configuration(shapes), body)
  }

  @discardableResult
  static func fault(
    _ configuration: [UInt8]?, _ body: (OpaquePointer) -> Void = { _ in }
  ) throws -> String? {
    let model = try #require(ck_amx_model_create())
    defer { ck_amx_model_free(model) }
    if let configuration { ck_amx_model_configure(model, configuration) }
    body(model)
    return ck_amx_model_fault(model).map { String(cString: $0) }
  }

  static func bytes(_ tile: Int32, of model: OpaquePointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: 16 * 64)
    ck_amx_model_store(model, tile, &bytes, 64)
    return bytes
  }

  static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
    (0..<count).map { index -> UInt8 in
      let product = (UInt64(index) + seed) &* 0x9E37_79B9_7F4A_7C15
      return UInt8(truncatingIfNeeded: product >> 40)
    }
  }

  /// c[m][n] += Σ a[m][4k + i] · b[k][4n + i]; bytes beyond the shapes are not used.
  @Test(
    "the tile model's product sums bytes and wraps on overflow",
    arguments: [(1, 1, 1), (3, 2, 5), (16, 16, 16), (15, 7, 16), (16, 3, 1)])
  func productSumsBytes(rows: Int, depth: Int, columns: Int) throws {
    let a = Self.noise(rows * 4 * depth, 1)
    let b = Self.noise(depth * 4 * columns, 77)
    let first = Self.noise(rows * 4 * columns, 501)
    var found: [UInt8] = []
    let fault = try Self.fault(of: [(rows, 4 * columns), (rows, 4 * depth), (depth, 4 * columns)]) {
      ck_amx_model_load($0, 0, first, 4 * columns)
      ck_amx_model_load($0, 1, a, 4 * depth)
      ck_amx_model_load($0, 2, b, 4 * columns)
      ck_amx_model_dot($0, 0, 1, 2)
      found = Self.bytes(0, of: $0)
    }
    #expect(fault == nil)
    var expected = [UInt8](repeating: 0xEE, count: 16 * 64)
    for m in 0..<rows {
      for n in 0..<columns {
        let place = 4 * (m * columns + n)
        var sum = 0
        for i in 0..<4 { sum |= Int(first[place + i]) << (8 * i) }
        for k in 0..<4 * depth {
          let weight = Int8(bitPattern: b[4 * (k / 4 * columns + n) + k % 4])
          sum += Int(a[4 * m * depth + k]) * Int(weight)
        }
        // Sums wrap instead of saturating.
        let wrapped = UInt32(truncatingIfNeeded: sum)
        for i in 0..<4 {
          expected[64 * m + 4 * n + i] = UInt8(truncatingIfNeeded: wrapped >> (8 * UInt32(i)))
        }
      }
    }
    #expect(found == expected)
  }

  /// A stride may be any number of bytes; bytes beyond a row are not read.
  @Test("loads and stores of tiles touch only their rows")
  func loadsAndStoresKeepToTheirRows() throws {
    let source = Self.noise(7 * 4 + 8, 3)
    var target = [UInt8](repeating: 0xEE, count: 3 * 11 + 8)
    let fault = try Self.fault(of: [(5, 8)]) {
      ck_amx_model_load($0, 0, source, 7)
      ck_amx_model_store($0, 0, &target, 8)
    }
    #expect(fault == nil)
    var expected: [UInt8] = []
    for row in 0..<5 { expected += source[7 * row..<7 * row + 8] }
    #expect([UInt8](target[0..<40]) == expected)
    #expect(target[40] == 0xEE)
  }

  @Test("configuring or zeroing a tile clears it") func configuringAndZeroingClear() throws {
    let source = Self.noise(64, 9)
    var found: [[UInt8]] = []
    let fault = try Self.fault(of: [(2, 32), (2, 32)]) {
      for tile in 0..<2 { ck_amx_model_load($0, Int32(tile), source, 32) }
      ck_amx_model_zero($0, 0)
      found = [Self.bytes(0, of: $0), Self.bytes(1, of: $0)]
      ck_amx_model_configure($0, Self.configuration([(2, 32), (2, 32)]))
      found.append(Self.bytes(1, of: $0))
    }
    #expect(fault == nil)
    #expect(found[0].prefix(32).allSatisfy { $0 == 0 })
    #expect(found[1].prefix(32) == source.prefix(32))
    #expect(found[2].prefix(32).allSatisfy { $0 == 0 })
  }

  @Test("a wrong configuration of tiles is a fault") func wrongConfigurationsAreFaults() throws {
    #expect(try Self.fault(Self.configuration([(16, 64)])) == nil)
    #expect(try Self.fault(Self.configuration([(17, 64)]))?.contains("16 rows") == true)
    #expect(try Self.fault(Self.configuration([(16, 68)]))?.contains("64 bytes") == true)
    #expect(try Self.fault(Self.configuration([(16, 320)]))?.contains("64 bytes") == true)
    #expect(try Self.fault(Self.configuration([(0, 4)]))?.contains("without") == true)
    #expect(try Self.fault(Self.configuration([(4, 0)]))?.contains("without") == true)
    for (index, value) in [
      (0, UInt8(2)), (1, 1), (2, 1), (15, 1), (32, 1), (47, 1), (56, 1), (63, 1),
    ] {
      var bytes = Self.configuration([(16, 64)])
      bytes[index] = value
      #expect(try Self.fault(bytes) != nil, "byte \(index)")
    }
  }

  @Test("wrong use of a tile is a fault that names the rule") func wrongUseIsAFault() throws {
    func dot(_ shapes: [Shape], _ c: Int32 = 0, _ a: Int32 = 1, _ b: Int32 = 2) throws -> String? {
      try Self.fault(of: shapes) { ck_amx_model_dot($0, c, a, b) }
    }
    #expect(try dot([(3, 20), (3, 8), (2, 20)]) == nil)
    #expect(try dot([(4, 20), (3, 8), (2, 20)])?.contains("rows") == true)
    #expect(try dot([(3, 16), (3, 8), (2, 20)])?.contains("columns") == true)
    #expect(try dot([(3, 20), (3, 12), (2, 20)])?.contains("depth") == true)
    #expect(try dot([(3, 20), (3, 9), (2, 20)])?.contains("dwords") == true)
    #expect(try dot([(3, 20), (3, 8)])?.contains("no shape") == true)
    #expect(try dot([(2, 8), (2, 8), (2, 8)], 1, 1, 2)?.contains("same") == true)
    #expect(try dot([(2, 8), (2, 8), (2, 8)], 0, 2, 2)?.contains("same") == true)
    #expect(try dot([(2, 8), (2, 8), (2, 8)], 0, 1, 8)?.contains("number") == true)
    let bytes = Self.noise(64, 0)
    #expect(try Self.fault(nil) { ck_amx_model_zero($0, 0) }?.contains("configured") == true)
    #expect(
      try Self.fault(nil) { ck_amx_model_load($0, 0, bytes, 0) }?.contains("configured") == true)
    #expect(
      try Self.fault {
        ck_amx_model_release($0)
        ck_amx_model_dot($0, 0, 1, 2)
      }?.contains("configured") == true)
    // Later faults do not replace the first fault.
    #expect(
      try Self.fault {
        ck_amx_model_zero($0, 5)
        ck_amx_model_dot($0, 1, 1, 1)
      }?.contains("no shape") == true)
  }

  @Test("AMX is supported only if Linux lists it") func supportAgreesWithTheSystem() throws {
    let isListed =
      (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)).map {
        $0.split(whereSeparator: \.isWhitespace).contains("amx_int8")
      } ?? false
    if Int8InstructionSet.supported.contains(.amx) { #expect(isListed) }
    #expect(ck_int8_is_supported(ck_int8_amx) == Int8InstructionSet.supported.contains(.amx))
  }
}

import CDepthSIMD
import DepthBase
import Testing
import _TestSupport

@testable import NeuralEngine

extension BFloat16InstructionSet {
  /// The sets of this machine, and the models of all.
  static let tested = supported + models

  var order: ReferenceBFloat16.Order { self == .neon ? .oddPairs : hasTiles ? .tiles : .pairs }

  /// The nearest values of bfloat16.
  func rounded(_ x: [Float]) -> [UInt16] {
    var codes = [UInt16](repeating: 0xABCD, count: x.count)
    kernels.pointee.round(x.count, x, &codes)
    return codes
  }

  /// The product of `rows` rows of a and of `columns` columns of b, both rounded, as attention asks for it.
  ///
  /// - Parameter b: Rows of `columns` numbers, as many as a row of a has.
  func product(_ a: [Float], _ b: [Float], rows: Int, columns: Int) -> [Float] {
    let depth = a.count / rows
    let (pairs, width) = ((depth + 1) / 2, Int(kernels.pointee.panel_width))
    let panels = (columns + width - 1) / width
    let (left, right) = (rounded(a), rounded(b))
    // A second value after an odd number meets a zero.
    var x = [UInt16](repeating: 0, count: rows * 2 * pairs)
    for row in 0..<rows { for k in 0..<depth { x[row * 2 * pairs + k] = left[row * depth + k] } }
    var weights = [UInt16](repeating: 0, count: panels * pairs * width * 2)
    for column in 0..<columns {
      for k in 0..<depth {
        let pair = column / width * pairs + k / 2
        weights[(pair * width + column % width) * 2 + k % 2] = right[k * columns + column]
      }
    }
    var y = [Float](repeating: .nan, count: rows * columns)
    x.withUnsafeBytes { x in
      weights.withUnsafeBufferPointer { weights in
        y.withUnsafeMutableBufferPointer { y in
          withUnsafePointer(to: 0) { offset in
            var product = ck_bfloat16_convolution(
              lines: 1, pixels: rows, columns: columns, segments: 1, pairs: pairs,
              x: x.baseAddress!.assumingMemoryBound(to: UInt8.self), x_pixel_stride: 4 * pairs,
              x_line_stride: 0, offsets: offset, weights: weights.baseAddress!,
              y: y.baseAddress!, y_pixel_stride: columns, y_line_stride: 0,
              epilogue: ck_epilogue(), residual_line_stride: 0)
            kernels.pointee.convolution(&product)
          }
        }
      }
    }
    return y
  }
}

/// Products in bfloat16 against the order of each instruction's additions, to the bit.
@Suite struct BFloat16ProductTests {
  /// Sizes around pairs, vectors, register tiles, AMX tiles and panels: rows, depth and columns.
  @Test(arguments: [
    (1, 1, 1), (3, 5, 33), (13, 16, 31), (7, 6, 20), (17, 32, 70), (67, 62, 40), (9, 300, 96),
    (33, 64, 64), (16, 1024, 35), (2, 2048, 2),
  ])
  func bitsAreTheInstructions(rows: Int, depth: Int, columns: Int) {
    let a = noise("a", rows * depth)
    let b = noise("b", depth * columns)
    let (left, right) = (a.map(ReferenceBFloat16.rounded), b.map(ReferenceBFloat16.rounded))
    for set in BFloat16InstructionSet.tested {
      let found = set.product(a, b, rows: rows, columns: columns)
      let tolerance = 1e-6 * Double(depth).squareRoot()
      for place in stride(from: 0, to: rows * columns, by: 3) {
        let (row, column) = place.quotientAndRemainder(dividingBy: columns)
        var run = (a: Array(left[row * depth..<(row + 1) * depth]), b: [Float]())
        run.b = (0..<depth).map { right[$0 * columns + column] }
        let exact = zip(run.a, run.b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        if depth % 2 == 1 {
          run.a.append(0)
          run.b.append(0)
        }
        let expected = ReferenceBFloat16.sum([run], set.order)
        guard found[place] == expected, abs(Double(found[place]) - exact) <= tolerance else {
          Issue.record("\(set), \(row), \(column): \(found[place]), expected \(expected), \(exact)")
          break
        }
      }
    }
  }

  /// The processor's own tiles on many threads, so that the system saves and restores them during calls.
  @Test(
    .enabled(
      if: BFloat16InstructionSet.supported.contains { $0 == .amx }, "this machine has no AMX"))
  func tilesSurviveOtherThreads() throws {
    let amx = try #require(BFloat16InstructionSet.amx)
    let (a, b) = (noise("a", 330 * 64), noise("b", 64 * 70))
    let expected = BFloat16InstructionSet.amxModel.product(a, b, rows: 330, columns: 70)
    ThreadTeam.run(threads: 16) { team in
      team.forEach(320) { _, _ in
        #expect(amx.product(a, b, rows: 330, columns: 70) == expected)
      }
    }
  }

  /// Halves, denormals, what is too large, and what is no number.
  @Test func valuesAreRoundedToTheNearest() {
    let values: [Float] =
      [
        0, -0.0, 1, -1, 1.00390625, 1.01171875, -1.00390625, 1.0039063, .pi, 255, 257, 0x1p-126,
        0x1.fep-127, -0x1p-130, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0x1.fefffep127,
        .infinity, -.infinity, 0x1.fdp-126,
      ] + noise("values", 40).map { $0 * 1000 }
    for set in BFloat16InstructionSet.tested {
      for count in [1, 3, 4, 15, 16, 17, 33, 60] {
        let x = Array(values.prefix(count)) + [.nan]
        var codes = [UInt16](repeating: 0xABCD, count: x.count + 1)
        set.kernels.pointee.round(x.count, x, &codes)
        let found = codes.dropLast().map { Float(bitPattern: UInt32($0) << 16) }
        let expected = x.map(ReferenceBFloat16.rounded)
        #expect(found.dropLast().map(\.bitPattern) == expected.dropLast().map(\.bitPattern))
        #expect(found[x.count - 1].isNaN)
        #expect(codes.last == 0xABCD, "\(set), \(count) values")
      }
    }
  }
}

import DepthBase
import Testing
import _TestSupport

@testable import ViewSynthesis

/// The kernels of `HoleHistory` equal their references on every instruction set.
@Suite struct HoleHistoryKernelTests {
  /// Reproducible numbers below `limit`. Each seed gives an independent sequence.
  private func numbers(_ count: Int, below limit: Int, seed: Int) -> [Int] {
    let stream = CounterStream("holes \(seed)")
    return (0..<count).map { Int(stream[$0]) % limit }
  }

  /// A parallax that mostly changes by less than 1.5 pixels per step. Views then show positions
  /// between pixels.
  private func glidingShifts(_ width: Int) -> [Int32] {
    let (steps, jumps) = (
      numbers(width, below: 141, seed: width), numbers(width, below: 900, seed: width + 1)
    )
    var shift = 0
    return (0..<width).map { x in
      let next = shift + steps[x] - 70
      shift = x % 16 == 15 || abs(next) > 450 ? jumps[x] - 450 : next
      return Int32(shift)
    }
  }

  private func bytes(_ count: Int, below limit: Int = 256, seed: Int) -> [UInt8] {
    numbers(count, below: limit, seed: seed).map { UInt8($0) }
  }

  @Test("parallax levels equal the reference", arguments: InstructionSet.supported)
  func levels(set: InstructionSet) {
    let kernels = ViewKernels(set)
    for width in [1, 7, 64, 131] {
      var seen = SeenLine(width: width, margin: 16)
      kernels.warpLine(stretch: 96, glidingShifts(width), into: &seen)
      let sources = (0..<width).map { seen[$0] }
      #expect(width < 64 || sources.contains { $0 > 0 && $0 & 63 > 32 }, "none is rounded up")
      for step in [8, 9, 31, 1000] {
        let parallax = numbers(width, below: 1 << 14, seed: step).map { Int32($0 - 1 << 13) }
        var level = [UInt8](repeating: 0, count: width)
        kernels.levelLine(step: step, parallax, seen, into: &level)
        #expect(
          level == ReferenceHoleHistory.levels(step: step, parallax, seen: sources),
          "\(width), step \(step)")
      }
    }
  }

  @Test("widened bytes equal the reference", arguments: InstructionSet.supported)
  func widenedBytes(set: InstructionSet) {
    let kernels = ViewKernels(set)
    for (width, rows) in [(1, 3), (5, 2), (64, 2), (301, 3)] {
      let x = bytes(width * rows, seed: width)
      for radius in [0, 1, 2, 3, 9, 40] {
        #expect(
          kernels.widened(x, width: width, radius: radius)
            == ReferenceHoleHistory.widened(x, width: width, radius: radius),
          "\(width), radius \(radius)")
      }
    }
  }

  @Test("filled holes and their memory equal the reference", arguments: InstructionSet.supported)
  func filledHoles(set: InstructionSet) {
    let kernels = ViewKernels(set)
    // Some rows have uniform blocks, and some have mixed pixels.
    for (count, kinds) in [(1, 2), (63, 2), (64, 2), (640, 2), (333, 64)] {
      let isHole = numbers(count, below: kinds, seed: 3).map { $0 == 1 }
      let holes = isHole.map { $0 ? UInt8(255) : 0 }
      let levels = bytes(count, seed: 5)
      let nearest = zip(levels, bytes(count, below: 40, seed: 6)).map { max($0, $0 &+ $1) }
      var memory = HoleHistory.Memory(
        colors: bytes(3 * count, seed: 7),
        parallax: zip(levels, bytes(count, below: 60, seed: 8)).map { $0 &+ $1 &- 30 },
        known: kinds == 64 ? [UInt8](repeating: 2, count: count) : bytes(count, below: 3, seed: 9))
      let before = memory
      let view = bytes(3 * count, seed: 10)
      let remainders = Set(view.indices.map { (4 * Int(before.colors[$0]) + Int(view[$0])) % 5 })
      #expect(count < 63 || remainders.count == 5, "the numbers do not test rounding")
      var pixels = view
      kernels.fillHoles(
        holes, levels: levels, nearest: nearest, sameSurface: 20, of: &pixels,
        colors: &memory.colors, distances: &memory.parallax, known: &memory.known)
      for i in 0..<count {
        let color = 3 * i..<3 * i + 3
        let expected = ReferenceHoleHistory.shown(
          Array(view[color]), isHole: isHole[i], level: levels[i], nearest: nearest[i], same: 20,
          known: .init(
            known: before.known[i], level: before.parallax[i], color: Array(before.colors[color])))
        #expect(Array(pixels[color]) == expected.color, "pixel \(i) of \(count)")
        #expect(
          ReferenceHoleHistory.Pixel(
            known: memory.known[i], level: memory.parallax[i], color: Array(memory.colors[color]))
            == expected.known, "pixel \(i) of \(count)")
      }
    }
  }

  @Test("a block of one surface is copied as a whole", arguments: InstructionSet.supported)
  func wholeBlocks(set: InstructionSet) {
    let count = 200
    var memory = HoleHistory.Memory(
      colors: bytes(3 * count, seed: 1), parallax: [UInt8](repeating: 100, count: count),
      known: [UInt8](repeating: 2, count: count))
    let view = bytes(3 * count, seed: 2)
    var pixels = view
    let levels = [UInt8](repeating: 95, count: count)
    ViewKernels(set).fillHoles(
      [UInt8](repeating: 0, count: count), levels: levels, nearest: levels, sameSurface: 20,
      of: &pixels, colors: &memory.colors, distances: &memory.parallax, known: &memory.known)
    #expect(pixels == view && memory.colors == view && memory.parallax == levels)
  }
}

import DepthBase
import PictureFiles
import Testing
import _TestSupport

@Suite struct PNGFilterTests {
  private func filtered(
    _ bytes: [UInt8], rows: Range<Int>, rowBytes: Int, pixelBytes: Int, isa: InstructionSet
  ) -> [UInt8] {
    // Extra bytes show whether the kernel writes beyond the end.
    let count = rows.count * (1 + rowBytes)
    var result = [UInt8](repeating: 0xA5, count: count + 64)
    var span = result.mutableSpan
    span.withPart(0..<count) {
      filterForPNG(
        rows: rows, of: bytes.span, rowBytes: rowBytes,
        layout: pixelBytes == 2 ? .gray16 : .rgb8, into: &$0, isa: isa)
    }
    #expect(result.suffix(64).allSatisfy { $0 == 0xA5 })
    return result.dropLast(64)
  }

  @Test(
    "PNG filters equal the formulas on every instruction set",
    arguments: InstructionSet.supported, [1, 2, 3, 5, 10, 11, 16, 21, 22, 33, 43, 64, 65, 99])
  func matchesTheFormulas(isa: InstructionSet, width: Int) {
    let stream = CounterStream("png/\(width)")
    for pixelBytes in [2, 3] {
      let rowBytes = width * pixelBytes
      // Noise of all amplitudes on slopes of all directions.
      let bytes = (0..<9 * rowBytes).map { i in
        let (y, x) = (i / rowBytes, i % rowBytes / pixelBytes)
        let noise = stream[i] % (1 + stream[y] % 256)
        return UInt8(truncatingIfNeeded: x * (y % 3) * 2 + y * (x % 2) * 9 + Int(noise))
      }
      let expected = referenceFilteredForPNG(bytes, rowBytes: rowBytes, pixelBytes: pixelBytes)
      #expect(
        filtered(bytes, rows: 0..<9, rowBytes: rowBytes, pixelBytes: pixelBytes, isa: isa)
          == expected)
      // A block of rows from the middle also uses the row above the block.
      #expect(
        filtered(bytes, rows: 4..<7, rowBytes: rowBytes, pixelBytes: pixelBytes, isa: isa)
          == Array(expected[4 * (1 + rowBytes)..<7 * (1 + rowBytes)]))
    }
  }

  /// One row for each filter, long enough for sums that overflow 16 bits in a lane.
  @Test("each of the PNG filters is chosen in turn", arguments: InstructionSet.supported, [2, 3])
  func everyFilterIsChosenWhereItFits(isa: InstructionSet, pixelBytes: Int) {
    let rowBytes = 30_000
    let stream = CounterStream("png/long")
    var rows: [[UInt8]] = []
    // None fits dark noise below black. Left fits a slope. Up fits equal noise below.
    let noise = (0..<rowBytes).map { UInt8(stream[$0] % 256) }
    rows.append((0..<rowBytes).map { UInt8(stream[$0] % 2 * 3) })
    rows.append((0..<rowBytes).map { UInt8(truncatingIfNeeded: $0 / pixelBytes * 2) })
    rows.append(noise)
    rows.append(noise)
    // Mean fits bytes that are half of left plus above.
    var mean: [UInt8] = []
    for i in 0..<rowBytes {
      mean.append(UInt8((Int(i < pixelBytes ? 0 : mean[i - pixelBytes]) + Int(noise[i])) / 2))
    }
    rows.append(mean)
    // Paeth fits both sides of a step, where one neighbor predicts exactly.
    var steps: [UInt8] = []
    for i in 0..<rowBytes {
      let left = i < pixelBytes ? 0 : steps[i - pixelBytes]
      steps.append(i / 300 % 2 == 0 ? mean[i] : left)
    }
    rows.append(steps)
    let bytes = rows.flatMap { $0 }
    let result = filtered(
      bytes, rows: 0..<rows.count, rowBytes: rowBytes, pixelBytes: pixelBytes,
      isa: isa)
    #expect(result == referenceFilteredForPNG(bytes, rowBytes: rowBytes, pixelBytes: pixelBytes))
    let types = stride(from: 0, to: result.count, by: 1 + rowBytes).map { result[$0] }
    #expect(Set(types) == [0, 1, 2, 3, 4], "\(types)")
  }
}

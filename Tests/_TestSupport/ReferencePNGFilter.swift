/// A picture's rows filtered for PNG by the standard's formulas, byte by byte; every row by the first
/// of the types with the smallest sum of magnitudes.
public func referenceFilteredForPNG(_ bytes: [UInt8], rowBytes: Int, pixelBytes: Int) -> [UInt8] {
  func sample(_ row: Int, _ i: Int) -> Int {
    row < 0 || i < 0 ? 0 : Int(bytes[row * rowBytes + i])
  }
  func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let (pa, pb, pc) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
  }
  return (0..<bytes.count / rowBytes).flatMap { row -> [UInt8] in
    let filtered = (0..<5).map { type -> [UInt8] in
      (0..<rowBytes).map { i in
        let (a, b) = (sample(row, i - pixelBytes), sample(row - 1, i))
        let c = sample(row - 1, i - pixelBytes)
        let prediction = [0, a, b, (a + b) / 2, paeth(a, b, c)][type]
        return UInt8(truncatingIfNeeded: sample(row, i) - prediction)
      }
    }
    let sums = filtered.map { $0.reduce(0) { $0 + abs(Int(Int8(bitPattern: $1))) } }
    let best = (0..<5).min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
    return [UInt8(best)] + filtered[best]
  }
}

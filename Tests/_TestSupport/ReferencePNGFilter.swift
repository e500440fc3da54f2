/// A picture's rows, filtered for PNG by the standard's formulas. Each row has the first filter
/// type of the lowest cost, which is the sum of magnitudes. With 16-bit pixels, only residuals that
/// differ from the previous residual count, and each costs 32 more.
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
    func magnitude(_ byte: UInt8) -> Int { abs(Int(Int8(bitPattern: byte))) }
    let costs = filtered.map { row -> Int in
      guard pixelBytes == 2 else { return row.reduce(0) { $0 + magnitude($1) } }
      var (cost, last) = (0, (UInt8(0), UInt8(0)))
      for i in stride(from: 0, to: row.count, by: 2) where (row[i], row[i + 1]) != last {
        last = (row[i], row[i + 1])
        cost += 32 + magnitude(row[i]) + magnitude(row[i + 1])
      }
      return cost
    }
    let best = (0..<5).min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
    return [UInt8(best)] + filtered[best]
  }
}

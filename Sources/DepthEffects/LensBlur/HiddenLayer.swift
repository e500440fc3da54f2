import DepthBase
import DepthImages

/// The hidden background behind the edges of nearer objects, estimated from the pixels beside the edges.
///
/// Light from behind an edge reaches a lens: a point at defocus `b` behind an edge at defocus `a` is visible up to
/// `a − b` pixels inside the edge. Ring by ring from each edge, pixels of the nearer object get a second color and
/// defocus, the mean of the neighbors' background.
struct HiddenLayer: Sendable {
  /// Index of the first pixel of each row, and the number of pixels at the end.
  let rowStart: [Int]
  /// The columns of the pixels, in ascending order in each row.
  let columns: [Int32]
  let levels: [Int16]
  /// Linear light and 1 for each pixel, and one additional element that kernels read.
  let light: [SIMD4<Float>]

  /// The difference of defocus between neighbors above which there is an edge, in pixels.
  static let edgeStep = 1.5

  /// - Parameter cancellation: After a cancellation, further rings are omitted.
  init(
    of photo: Image, _ map: DefocusMap, isa: InstructionSet = .current, threads: Int,
    cancellation: Cancellation? = nil
  ) {
    let filling = HiddenFilling(photo, map, isa: isa, threads: threads, cancellation)
    var fills = filling.fills
    fills.sort { $0.pixel < $1.pixel }
    var starts = [Int](repeating: 0, count: map.height + 1)
    for fill in fills { starts[fill.pixel / map.width + 1] += 1 }
    for row in 0..<map.height { starts[row + 1] += starts[row] }
    rowStart = starts
    columns = fills.map { Int32($0.pixel % map.width) }
    levels = fills.map(\.level)
    light = fills.map(\.light) + [.zero]
  }

  /// Indices of the pixels of a row inside `columns`.
  func points(row: Int, columns inside: Range<Int>) -> Range<Int> {
    let end = rowStart[row + 1]
    /// The first pixel of the row at or after a column.
    func first(from column: Int) -> Int {
      var (low, high) = (rowStart[row], end)
      while low < high {
        let half = (low + high) / 2
        if Int(columns[half]) < column { low = half + 1 } else { high = half }
      }
      return low
    }
    guard rowStart[row] < end else { return end..<end }
    return first(from: inside.lowerBound)..<first(from: inside.upperBound)
  }
}

/// The rings that grow from edges into nearer objects.
private struct HiddenFilling {
  struct Fill {
    var pixel: Int
    var level: Int16
    var light: SIMD4<Float>
  }

  private(set) var fills: [Fill] = []

  init(
    _ photo: Image, _ map: DefocusMap, isa: InstructionSet, threads: Int,
    _ cancellation: Cancellation?
  ) {
    let (height, width) = (map.height, map.width)
    let edge = Int(HiddenLayer.edgeStep / map.step)
    var ring = Self.edges(map, edge: edge, kernels: EffectKernels(isa), threads: threads)
    guard !ring.isEmpty else { return }
    let linear = SRGB.linear
    // The index of a pixel's fill. −1 without a fill; a smaller number marks a pixel that was visited for a ring.
    var slots = [Int32](repeating: -1, count: height * width)
    var depth = 0
    while !ring.isEmpty, cancellation?.isCancelled != true {
      let before = fills.count
      for pixel in ring {
        let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
        let own = Int(map.levels[pixel])
        var (sum, level, weight) = (SIMD4<Float>.zero, Float(0), Float(0))
        for row in max(y - 1, 0)...min(y + 1, height - 1) {
          for column in max(x - 1, 0)...min(x + 1, width - 1) {
            let other = row * width + column
            guard other != pixel else { continue }
            let slot = Int(slots[other])
            // The first ring is computed from the photo, each later ring from earlier rings.
            guard depth == 0 || (0..<before).contains(slot) else { continue }
            let behind = Int(depth == 0 ? map.levels[other] : fills[slot].level)
            guard behind < own - edge, Double(depth) <= Double(own - behind) * map.step + 1
            else { continue }
            let share: Float = row == y || column == x ? 1 : 0.7
            if depth == 0 {
              let at = other * 3
              let color = SIMD4(
                linear[Int(photo.pixels[at])], linear[Int(photo.pixels[at + 1])],
                linear[Int(photo.pixels[at + 2])], 1)
              sum += share * color
            } else {
              sum += share * fills[slot].light
            }
            level += share * Float(behind)
            weight += share
          }
        }
        guard weight > 0 else { continue }
        fills.append(
          Fill(pixel: pixel, level: Int16((level / weight).rounded()), light: sum / weight))
      }
      for index in before..<fills.count { slots[fills[index].pixel] = Int32(index) }
      ring = Self.next(fills[before...], &slots, mark: Int32(-depth - 2), height, width)
      depth += 1
    }
  }

  /// Pixels beside a farther pixel, in order.
  private static func edges(
    _ map: DefocusMap, edge: Int, kernels: EffectKernels, threads: Int
  ) -> [Int] {
    let (height, width) = (map.height, map.width)
    @Sendable func row(_ y: Int) -> Range<Int> {
      let y = min(max(y, 0), height - 1)
      return y * width..<(y + 1) * width
    }
    let rows = parallelMap(height, threads: threads) { y in
      let levels = map.levels.span
      return kernels.columnsBesideFarther(
        levels.extracting(row(y)), above: levels.extracting(row(y - 1)),
        below: levels.extracting(row(y + 1)), edge: edge
      ).map { y * width + Int($0) }
    }
    return Array(rows.joined())
  }

  /// The unfilled neighbors of a ring, without duplicates.
  private static func next(
    _ ring: ArraySlice<Fill>, _ slots: inout [Int32], mark: Int32, _ height: Int, _ width: Int
  ) -> [Int] {
    var result: [Int] = []
    for fill in ring {
      let (y, x) = fill.pixel.quotientAndRemainder(dividingBy: width)
      for row in max(y - 1, 0)...min(y + 1, height - 1) {
        for column in max(x - 1, 0)...min(x + 1, width - 1) {
          let pixel = row * width + column
          guard slots[pixel] < 0, slots[pixel] != mark else { continue }
          slots[pixel] = mark
          result.append(pixel)
        }
      }
    }
    return result
  }
}

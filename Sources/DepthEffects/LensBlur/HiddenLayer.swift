import DepthBase
import DepthImages

/// What the photo does not show behind the edges of nearer things, guessed from what lies beside them.
///
/// A lens looks around edges: a point at defocus `b` behind an edge at defocus `a` is seen up to `a − b`
/// pixels inside the edge. Ring by ring from each edge, pixels of the nearer thing get a second color and
/// defocus, the mean of their neighbors behind.
struct HiddenLayer: Sendable {
  /// Index of the first pixel of each row, and the number of pixels at the end.
  let rowStart: [Int]
  /// Ascending in each row.
  let columns: [Int32]
  let levels: [Int16]
  /// Linear light and 1.
  let light: [SIMD4<Float>]

  /// Neighbors whose defocus differs by more are an edge, pixels.
  static let edgeStep = 1.5

  /// - Parameter cancellation: Leaves rings out once it has come.
  init(of photo: Image, _ map: DefocusMap, threads: Int, cancellation: Cancellation? = nil) {
    let filling = HiddenFilling(photo, map, threads: threads, cancellation)
    var fills = filling.fills
    fills.sort { $0.pixel < $1.pixel }
    var starts = [Int](repeating: 0, count: map.height + 1)
    for fill in fills { starts[fill.pixel / map.width + 1] += 1 }
    for row in 0..<map.height { starts[row + 1] += starts[row] }
    rowStart = starts
    columns = fills.map { Int32($0.pixel % map.width) }
    levels = fills.map(\.level)
    light = fills.map(\.light)
  }
}

/// The rings that grow from edges into nearer things.
private struct HiddenFilling {
  struct Fill {
    var pixel: Int
    var level: Int16
    var light: SIMD4<Float>
  }

  private(set) var fills: [Fill] = []

  init(_ photo: Image, _ map: DefocusMap, threads: Int, _ cancellation: Cancellation?) {
    let (height, width) = (map.height, map.width)
    let edge = Int(HiddenLayer.edgeStep / map.step)
    var ring = Self.edges(map, edge: edge, threads: threads)
    guard !ring.isEmpty else { return }
    let linear = SRGB.linear
    // The index of a pixel's fill; −1 without one, less when it has been looked at for a ring.
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
            // Rings see what earlier rings filled; the first one sees the photo.
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

  /// Pixels beside a farther one, in order.
  private static func edges(_ map: DefocusMap, edge: Int, threads: Int) -> [Int] {
    let (height, width, levels) = (map.height, map.width, map.levels)
    var rows = [[Int]](repeating: [], count: height)
    unsafe rows.withUnsafeMutableBufferPointer { rows in
      // Each chunk writes its own rows.
      nonisolated(unsafe) let rows = unsafe rows
      parallelFor(height, grain: 32, threads: threads) { chunk in
        unsafe levels.withUnsafeBufferPointer { levels in
          var lowest = [Int16](repeating: 0, count: width)
          for y in chunk {
            let (above, below) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
            for x in 0..<width {
              lowest[x] = unsafe min(
                levels[above + x], min(levels[y * width + x], levels[below + x]))
            }
            for x in 0..<width {
              let low = min(lowest[max(x - 1, 0)], min(lowest[x], lowest[min(x + 1, width - 1)]))
              if unsafe Int(low) < Int(levels[y * width + x]) - edge {
                unsafe rows[y].append(y * width + x)
              }
            }
          }
        }
      }
    }
    return Array(rows.joined())
  }

  /// The neighbors of a ring that have no fill, each once.
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

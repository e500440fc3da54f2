import DepthImages
import SystemEssentials

/// Propagates a depth map along the motion of the photo, for frames whose depth is not estimated.
///
/// Block matching on small pictures of twice the map's size finds the motion since the last estimate. Each pixel of the
/// map takes the depth from its earlier position. Newly visible surfaces take the depth of similar surfaces until the
/// next estimate.
struct DepthPropagation: Sendable {
  private struct Key: Sendable {
    let depth: DepthMap
    /// Luma at twice the map's size.
    let luma: [UInt8]
    var motion: BlockMotion
  }

  private var key: Key?

  init() {}

  /// Stores a map for propagation.
  mutating func keep(_ depth: DepthMap, photo: Image) {
    key = Key(
      depth: depth, luma: Self.luma(photo, depth),
      motion: BlockMotion(height: 2 * depth.height, width: 2 * depth.width))
  }

  /// The stored map moved to another frame; `nil` without a map.
  mutating func moved(to photo: Image) -> DepthMap? {
    guard var known = key else { return nil }
    let depth = known.depth
    let luma = Self.luma(photo, depth)
    known.motion.follow(luma, from: known.luma)
    key = known
    var values = depth.values
    for y in 0..<depth.height {
      for x in 0..<depth.width {
        // This is the pixel of the small pictures next to the center of the map's pixel.
        let vector = known.motion.vector(y: 2 * y + 1, x: 2 * x + 1, luma, from: known.luma)
        let fromY = min(max(y + Int((vector.y + 1) >> 1), 0), depth.height - 1)
        let fromX = min(max(x + Int((vector.x + 1) >> 1), 0), depth.width - 1)
        values[y * depth.width + x] = depth.values[fromY * depth.width + fromX]
      }
    }
    return DepthMap(height: depth.height, width: depth.width, unit: depth.unit, values: values)
  }

  /// Luma of ITU-R BT.601 with weights in 1/256.
  private static func luma(_ photo: Image, _ depth: DepthMap) -> [UInt8] {
    let small = areaAveraged(photo, height: 2 * depth.height, width: 2 * depth.width, threads: 1)
    var luma = [UInt8](repeating: 0, count: small.height * small.width)
    for pixel in luma.indices {
      let red = 77 * Int(small.pixels[3 * pixel])
      let green = 150 * Int(small.pixels[3 * pixel + 1])
      let blue = 29 * Int(small.pixels[3 * pixel + 2])
      luma[pixel] = UInt8((red + green + blue + 128) >> 8)
    }
    return luma
  }
}

extension DepthPropagation {
  /// The stored map and its motion so far.
  struct Saved: Sendable, Hashable, Codable {
    var height, width: Int
    var unit: SavedUnit
    /// Bit patterns of the map's values.
    var depth: [UInt32]
    var luma: Data
    /// Alternating horizontal and vertical components.
    var vectors: [Int32]

    /// A range that exceeds all pictures and prevents overflow in sums of lengths.
    private static let lengths: ClosedRange<Int32> = -1 << 20...1 << 20

    /// Whether the counts match the size and all vectors have possible lengths, as in every undamaged file.
    var isConsistent: Bool {
      let (pixels, overflows) = height.multipliedReportingOverflow(by: width)
      return !overflows && height > 0 && pixels > 0 && depth.count == pixels
        && luma.count == 4 * depth.count && vectors.allSatisfy { Self.lengths.contains($0) }
    }
  }

  var saved: Saved? {
    key.map { key in
      Saved(
        height: key.depth.height, width: key.depth.width,
        unit: SavedUnit(key.depth.unit), depth: key.depth.values.map(\.bitPattern),
        luma: Data(key.luma), vectors: key.motion.vectors.flatMap { [$0.x, $0.y] })
    }
  }

  /// - Precondition: ``Saved/isConsistent``.
  init(_ saved: Saved?) {
    key = saved.map { saved in
      let vectors = stride(from: 0, to: saved.vectors.count - 1, by: 2).map {
        SIMD2(saved.vectors[$0], saved.vectors[$0 + 1])
      }
      return Key(
        depth: DepthMap(
          height: saved.height, width: saved.width,
          unit: saved.unit.unit,
          values: saved.depth.map { Float(bitPattern: $0) }), luma: Array(saved.luma),
        motion: BlockMotion(
          height: 2 * saved.height, width: 2 * saved.width, vectors: vectors))
    }
  }
}

import DepthImages
import PictureFiles

/// The meaning of a depth picture's samples: a quantity that increases linearly from `low` at 0 to `high` at 255.
///
/// > Source: ITU-T H.265, section G.14.3.3 (depth representation information); for phones, the
/// > namespace of ``PixelDataInfo``.
struct DepthRepresentation {
  var low, high: Double
  /// Unit of the map. Normalized maps do not use `low` and `high`.
  var unit: DepthMap.Unit
  /// Whether the quantity is a distance, whose reciprocal the map contains.
  var isReciprocal = false

  /// Only the order of depths is known; near is bright.
  static let ordered = DepthRepresentation(low: 0, high: 1, unit: .normalized(near: .white))

  init(low: Double, high: Double, unit: DepthMap.Unit) {
    (self.low, self.high, self.unit) = (low, high, unit)
  }

  init(_ info: PixelDataInfo) {
    self.init(
      low: info.minimum, high: info.maximum,
      unit: info.isRelative ? .relativeDisparity : info.isDisparity ? .disparity : .metres)
    isReciprocal = info.isRelative && !info.isDisparity
  }

  init(_ range: HEIFDepth.Range) {
    switch range {
    case .inverse(let near, let far): self.init(low: 1 / far, high: 1 / near, unit: .disparity)
    case .linear(let near, let far): self.init(low: far, high: near, unit: .metres)
    }
  }

  func map(_ samples: [UInt8], height: Int, width: Int) -> DepthMap {
    let table = (0...255).map { number -> Float in
      let share = Double(number) / 255
      if case .normalized = unit { return Float(share) }
      let quantity = low + share * (high - low)
      let value = isReciprocal ? 1 / quantity : quantity
      let isKnown = value.isFinite && (value > 0 || unit == .relativeDisparity && !isReciprocal)
      return isKnown ? Float(value) : unit.missingValue
    }
    return DepthMap(
      height: height, width: width, unit: unit, values: samples.map { table[Int($0)] })
  }
}

extension DepthPhoto {
  /// Converts a depth picture to a map.
  ///
  /// The scale comes from a phone's XMP packet, or else from the depth representation information. Without both, only the
  /// order of depths is known, and the nearest point is the brightest.
  static func heifDepth(_ depth: HEIFDepth) -> DepthMap {
    let info = depth.packet.flatMap { PixelDataInfo(packet: $0) }
    let representation =
      info.map { DepthRepresentation($0) } ?? depth.range.map { DepthRepresentation($0) }
    return (representation ?? .ordered)
      .map(depth.samples, height: depth.height, width: depth.width)
  }
}

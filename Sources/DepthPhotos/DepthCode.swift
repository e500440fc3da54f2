import DepthImages

/// How Google's formats store depth: a gray picture of numbers `dn` between 0 (nearest) and 1.
///
/// > Source: Google, "Depthmap Metadata", sections RangeInverse and RangeLinear; Dynamic Depth 1.0,
/// > section DepthMap.
struct DepthCode: Equatable {
  enum Format: String {
    /// `dn = f (d − n) / (d (f − n))`: steps of equal disparity.
    case inverse = "RangeInverse"
    /// `dn = (d − n) / (f − n)`: steps of equal distance.
    case linear = "RangeLinear"
  }

  var format: Format
  /// Depth at 0 and at 1.
  var near, far: Double

  /// The code that spans a map's range.
  ///
  /// - Returns: `nil` for a normalized map, which has no depth, and for one without values.
  init?(spanning depth: DepthMap) {
    guard let (near, far) = try? depth.inMetres.range else { return nil }
    format = .inverse
    // A constant map still needs a range.
    (self.near, self.far) = (Double(near), far > near ? Double(far) : Double(near) * 2)
  }

  init(format: Format, near: Double, far: Double) {
    (self.format, self.near, self.far) = (format, near, far)
  }

  func number(of depth: Double) -> Double {
    switch format {
    case .inverse: far * (depth - near) / (depth * (far - near))
    case .linear: (depth - near) / (far - near)
    }
  }

  func depth(of number: Double) -> Double {
    switch format {
    case .inverse: far * near / (far - number * (far - near))
    case .linear: near + number * (far - near)
    }
  }

  /// 16-bit samples of a map; pixels without a value become the farthest.
  ///
  /// - Throws: `DepthError/noUnit` for a normalized map.
  func samples(of depth: DepthMap) throws -> [UInt16] {
    let metres = try depth.inMetres
    return metres.values.map { value in
      guard metres.hasValue(value) else { return .max }
      let number = min(1, max(0, number(of: Double(value))))
      return UInt16((number * 65_535).rounded())
    }
  }

  /// The map that a stored picture holds.
  ///
  /// - Parameters:
  ///   - numbers: 0…1 as stored, whether black or white is near.
  ///   - unit: `m` and `Meters` are metres, `mm` millimetres, `Diopters` their reciprocal; without
  ///     one, only the order of depths is known.
  func map(_ numbers: DepthMap, unit: String?) -> DepthMap {
    func map(_ mapUnit: DepthMap.Unit, scale: Double) -> DepthMap {
      DepthMap(
        height: numbers.height, width: numbers.width, unit: mapUnit,
        values: numbers.values.map { value in
          let depth = depth(of: Double(value)) * scale
          return value.isFinite && depth.isFinite && depth > 0 ? Float(depth) : 0
        })
    }
    switch unit {
    case "m", "Meters": return map(.metres, scale: 1)
    case "mm": return map(.metres, scale: 0.001)
    case "Diopters": return map(.disparity, scale: 1)
    default:
      // RangeInverse is disparity up to its scale already; RangeLinear becomes it where it can.
      if format == .inverse || !(near > 0) {
        return DepthMap(
          height: numbers.height, width: numbers.width, unit: .normalized(near: .black),
          values: numbers.values)
      }
      return map(.metres, scale: 1).normalized(near: .white, over: .disparity)
    }
  }
}

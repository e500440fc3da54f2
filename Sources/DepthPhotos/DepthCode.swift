import DepthErrors
import DepthImages

/// The encoding of depth in Google's formats: a gray picture of numbers `dn` between 0 (nearest) and 1.
///
/// > Source: Google, "Depthmap Metadata", sections RangeInverse and RangeLinear; Dynamic Depth 1.0,
/// > section DepthMap.
struct DepthCode: Equatable {
  enum Format: String {
    /// `dn = f (d − n) / (d (f − n))`: steps of equal disparity.
    case inverse = "RangeInverse"
    /// `dn = (d − n) / (f − n)`: steps of equal distance.
    case linear = "RangeLinear"

    /// Some writers spell the names in lower case.
    init?(spelling name: String) {
      let known = [Format.inverse, .linear].first {
        $0.rawValue.lowercased() == name.lowercased()
      }
      guard let known else { return nil }
      self = known
    }
  }

  /// The meaning of a distance in a file.
  enum Unit: Equatable {
    case metres, millimetres
    /// Only the order of depths is known.
    case unknown
    /// Near and far are dioptres, but near is not larger than far. Only the order of depths is known.
    case exchangedDioptres
  }

  var format: Format
  /// The depth at `dn` = 0 and at `dn` = 1.
  var near, far: Double
  var unit = Unit.metres

  /// The encoding that spans a map's range.
  ///
  /// - Returns: `nil` for a normalized map, which has no depth, and for a map without values.
  init?(spanning depth: DepthMap) {
    guard let (near, far) = try? depth.inMetres().range() else { return nil }
    format = .inverse
    // A constant map still needs a range.
    (self.near, self.far) = (Double(near), far > near ? Double(far) : Double(near) * 2)
  }

  /// The encoding described by a file's properties.
  ///
  /// Distances in dioptres are converted to metres. Dioptres decrease with distance, so Near is larger than Far, which may
  /// be 0. Pixel phones exchange Near and Far, so no distances can be computed.
  ///
  /// - Throws: `DepthError` with code `damaged` for incomplete or invalid properties.
  init(
    format: String?, near: String?, far: String?, unit: String?, file: String, container: String
  ) throws {
    func fault(_ reason: String) -> DepthError {
      .damaged(file: file, format: container, reason: reason)
    }
    guard let known = format.flatMap(Format.init(spelling:)) else {
      throw fault("the format is \(format ?? "missing"), expected RangeInverse or RangeLinear")
    }
    guard let near = near.flatMap(Double.init), let far = far.flatMap(Double.init),
      near.isFinite, far.isFinite, near != far, min(near, far) >= 0
    else { throw fault(Self.noRange) }
    self.format = known
    let unit = unit?.lowercased()
    if unit == "diopters" {
      self.unit = near > far ? .metres : .exchangedDioptres
      (self.near, self.far) = near > far ? (1 / near, 1 / far) : (near, far)
      // Steps of equal distance cannot extend to infinity.
      if known == .linear, self.far.isInfinite { throw fault(Self.noRange) }
      return
    }
    self.unit = unit == "m" || unit == "meters" ? .metres : unit == "mm" ? .millimetres : .unknown
    (self.near, self.far) = (near, far)
    guard far > near, known == .linear || near > 0 else { throw fault(Self.noRange) }
  }

  private static let noRange = "near and far do not span a range"

  func number(of depth: Double) -> Double {
    switch format {
    case .inverse: far * (depth - near) / (depth * (far - near))
    case .linear: (depth - near) / (far - near)
    }
  }

  func depth(of number: Double) -> Double {
    switch format {
    case .inverse where far.isInfinite: near / (1 - number)
    case .inverse: far * near / (far - number * (far - near))
    case .linear: near + number * (far - near)
    }
  }

  /// The 16-bit samples of a map. Pixels without a value have the farthest depth.
  ///
  /// - Throws: `DepthError/noUnit` for a normalized map.
  func samples(of depth: DepthMap) throws -> [UInt16] {
    let metres = try depth.inMetres()
    return metres.values.map { value in
      guard metres.hasValue(value) else { return .max }
      let number = min(1, max(0, number(of: Double(value))))
      return UInt16((number * 65_535).rounded())
    }
  }

  /// The depth in a stored picture.
  ///
  /// - Parameter numbers: The stored numbers, 0…1, where 0 is near.
  func depth(_ numbers: DepthMap) -> EmbeddedDepth {
    func map(scale: Double) -> DepthMap {
      DepthMap(
        height: numbers.height, width: numbers.width, unit: .metres,
        values: numbers.values.map { value in
          let depth = depth(of: Double(value)) * scale
          return value.isFinite && depth.isFinite && depth > 0 ? Float(depth) : 0
        })
    }
    let ordered = DepthMap(
      height: numbers.height, width: numbers.width, unit: .normalized(near: .black),
      values: numbers.values)
    switch unit {
    case .metres: return EmbeddedDepth(map: map(scale: 1))
    case .millimetres: return EmbeddedDepth(map: map(scale: 0.001))
    case .exchangedDioptres:
      return EmbeddedDepth(
        map: ordered,
        note:
          "the depth inside the photo is relative: its near end has \(near.shortened) dioptres, its far end "
          + "\(far.shortened)")
    case .unknown:
      // RangeInverse is disparity up to a scale. RangeLinear is converted to disparity if possible.
      let isDisparity = format == .inverse || !(near > 0)
      return EmbeddedDepth(
        map: isDisparity ? ordered : map(scale: 1).normalized(near: .white, over: .disparity))
    }
  }
}

package import DepthImages

/// The meaning of a depth file's numbers: the unit of the map, and the conversion factor to this unit.
///
/// A file may store millimetres; a ``DepthMap`` stores metres.
package struct StoredUnit: Hashable, Sendable {
  /// Unit of the map.
  package var unit: DepthMap.Unit
  /// Whether the file stores reciprocals of the map's values. Such a file contains depth up to an unknown scale, as
  /// from Depth Anything 3.
  package var isReciprocal = false
  /// Value of the map for a stored 1; `nil` for the default of
  /// ``DepthMap/init(contentsOf:unit:scale:key:limits:)``.
  package var scale: Double?

  /// Whole millimetres, as in depth PNGs.
  package static let millimetre = StoredUnit(unit: .metres, scale: 0.001)
  /// Metres.
  package static let metre = StoredUnit(unit: .metres, scale: 1)

  package init(unit: DepthMap.Unit, scale: Double? = nil, isReciprocal: Bool = false) {
    (self.unit, self.scale, self.isReciprocal) = (unit, scale, isReciprocal)
  }

  /// Depth up to an unknown scale.
  private static let relativeDepth = StoredUnit(unit: .relativeDisparity, isReciprocal: true)

  private static func all(near: DepthMap.Polarity) -> [StoredUnit] {
    [
      .millimetre, .metre, StoredUnit(unit: .disparity), StoredUnit(unit: .relativeDisparity),
      .relativeDepth, StoredUnit(unit: .normalized(near: near)),
    ]
  }

  /// Names of the units, in files and on the command line.
  package static let names = all(near: .white).map(\.name)

  /// - Parameters:
  ///   - name: One of ``names``.
  ///   - near: The brightness of the near end of a normalized map; ignored for other units.
  /// - Returns: `nil` for any other name.
  package init?(name: String, near: DepthMap.Polarity = .white) {
    guard let unit = Self.all(near: near).first(where: { $0.name == name }) else { return nil }
    self = unit
  }

  /// One of ``names``. It is `metre` for metres whose scale is not a thousandth.
  package var name: String {
    switch unit {
    case .metres: self == .millimetre ? "millimetre" : "metre"
    case .disparity: "disparity"
    case .relativeDisparity: isReciprocal ? "relative-depth" : "relative-disparity"
    case .normalized: "normalized"
    }
  }

  /// The unit in errors, such as "normalized, near white".
  var phrase: String {
    if case .normalized(let near) = unit { return "\(name), near \(near.rawValue)" }
    guard let scale, self != .metre, self != .millimetre else { return name }
    return "\(name) times \(scale)"
  }

  /// Returns whether numbers with this unit satisfy the caller's unit. If the caller specifies no scale, the file's
  /// scale is accepted.
  func agrees(with wanted: StoredUnit) -> Bool {
    unit == wanted.unit && isReciprocal == wanted.isReciprocal
      && (wanted.scale == nil || wanted.scale == scale)
  }
}

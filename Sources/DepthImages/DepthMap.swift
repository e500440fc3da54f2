package import DepthErrors

/// Distances from the camera for every pixel, with a unit (``unit``).
///
/// Depth is measured along the optical axis. A pixel has *no value* if the number is not finite, or if a number in metres or
/// disparity is not positive; see ``hasValue(_:)``.
///
/// ``inMetres()`` and all other calls that need distances throw for relative disparity and normalized maps, from which no
/// distances can be computed.
///
/// ```swift
/// let map = DepthMap(height: 1, width: 3, unit: .metres, values: [1, 2, 0])  // 0 is no value
/// let disparity = try map.inDisparity()  // 1, 0.5, 0
/// let gray = map.normalized()  // nearest 1, farthest 0
/// ```
public struct DepthMap: Sendable, Hashable {
  /// The meaning of a map's numbers.
  ///
  /// ```swift
  /// switch depth.unit {
  /// case .metres, .disparity: print("absolute")
  /// case .relativeDisparity: print("disparity of unknown scale and shift, larger is nearer")
  /// case .normalized(let near): print("only an order, nearest \(near)")
  /// }
  /// ```
  public enum Unit: Hashable, Sendable, Codable {
    /// Metres along the optical axis; larger is farther.
    case metres
    /// 1 / metres; larger is nearer.
    case disparity
    /// scale / metres + shift, with an unknown positive scale and an unknown shift; larger is nearer. 0 is a value. Neither
    /// distances nor their ratios can be computed before known points determine scale and shift.
    case relativeDisparity
    /// 0…1 over the map's own range. `near` gives the color of the nearest point.
    case normalized(near: Polarity)
  }

  /// The end of the gray scale, black or white, for the nearest point.
  ///
  /// ```swift
  /// let nearWhite = depth.normalized(near: .white)
  /// let nearBlack = depth.normalized(near: .black)
  /// ```
  public enum Polarity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nearest is 1, farthest is 0: the convention of pictures, masks and stereo.
    case white
    /// Nearest is 0, farthest is 1.
    case black
  }

  /// Rows and columns.
  public let height, width: Int
  /// The unit of the values.
  public let unit: Unit
  /// `height·width` values, row 0 at the top; pixel `(y, x)` is at `y·width + x`.
  public let values: [Float]

  /// Creates a map from its values, row by row.
  ///
  /// - Precondition: both sides are positive and `values.count == height·width`.
  public init(height: Int, width: Int, unit: Unit, values: [Float]) {
    precondition(height > 0 && width > 0, "map is \(width)×\(height), expected at least 1×1")
    precondition(
      values.count == height * width,
      "\(values.count) values for a \(width)×\(height) map, expected \(height * width)")
    (self.height, self.width, self.unit, self.values) = (height, width, unit, values)
  }

  /// A map in metres where no pixel has a value.
  package static func empty(height: Int, width: Int) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: [Float](repeating: 0, count: height * width))
  }

  /// Throws if no pixel of the map has a value.
  ///
  /// - Parameter name: The name of the photo or depth file for the error.
  package func requireValues(of name: String?) throws(DepthError) {
    guard values.contains(where: hasValue) else {
      throw DepthError(.noDepth, file: name, "no pixel of its depth map has a value")
    }
  }

  /// Returns whether a number is a depth: a finite number, in metres and disparity also a positive number.
  public func hasValue(_ value: Float) -> Bool {
    unit.valuesWithDepth.contains(value)
  }

  /// The depth of a pixel in the map's unit; `nil` without a value.
  ///
  /// - Parameters:
  ///   - x: Column, from 0 at the left.
  ///   - y: Row, from 0 at the top.
  /// - Precondition: The pixel lies inside the map.
  public subscript(x x: Int, y y: Int) -> Float? {
    precondition(
      (0..<width).contains(x) && (0..<height).contains(y),
      "pixel \(x), \(y) of a \(width)×\(height) map")
    let value = values[y * width + x]
    return hasValue(value) ? value : nil
  }
}

extension DepthMap.Unit {
  /// Whether values are metres or their reciprocals, which are valid only if positive.
  package var isMetric: Bool {
    switch self {
    case .metres, .disparity: true
    case .relativeDisparity, .normalized: false
    }
  }

  /// Whether larger values are nearer.
  package var isLargerNearer: Bool {
    switch self {
    case .metres: false
    case .disparity, .relativeDisparity: true
    case .normalized(let near): near == .white
    }
  }

  /// The number for no value: 0 if only positive numbers are valid, else NaN.
  package var missingValue: Float { isMetric ? 0 : .nan }

  /// Throws for a unit without distances.
  ///
  /// - Parameter purpose: The use of the distances, such as "a depth photo".
  /// - Throws: `DepthError` with code `unknownUnit`, which names the remedy.
  package func requireMetric(for purpose: String) throws(DepthError) {
    guard isMetric else { throw DepthError.noUnit(for: purpose, found: self) }
  }

  /// The range of all numbers for which ``DepthMap/hasValue(_:)`` is true. NaN is in no range.
  package var valuesWithDepth: ClosedRange<Float> {
    isMetric
      ? .leastNonzeroMagnitude ... .greatestFiniteMagnitude
      : -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  }
}

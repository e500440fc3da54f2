/// A named part of the picture.
///
/// ```swift
/// let door = ProximityZone(name: "door", corners: [[0.2, 0], [0.6, 0], [0.6, 1], [0.2, 1]])
/// let zones = ProximityZone.thirds + [door]
/// ```
public struct ProximityZone: Sendable, Hashable {
  /// The zone's name in events.
  public let name: String
  /// Corners as shares x and y of the picture's width and height, 0…1 from the top left.
  public let corners: [SIMD2<Double>]

  /// A zone with the given corners, in order along its outline.
  ///
  /// - Precondition: there are at least three corners.
  public init(name: String, corners: [SIMD2<Double>]) {
    precondition(
      corners.count >= 3, "zone '\(name)' has \(corners.count) corners, expected 3 or more")
    (self.name, self.corners) = (name, corners)
  }

  /// Parses text such as `door:0.2,0,0.6,0,0.6,1,0.2,1`: a name and at least three corners, each as x and y. The name of a zone
  /// of ``thirds`` or ``halves`` alone is also valid.
  ///
  /// - Returns: `nil` for other text, and for corners outside the picture.
  package init?(_ text: String) {
    if let known = (Self.thirds + Self.halves).first(where: { $0.name == text }) {
      self = known
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let numbers = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) }
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2),
      numbers.allSatisfy({ $0.map { (0...1).contains($0) } ?? false })
    else { return nil }
    name = String(parts[0])
    corners = stride(from: 0, to: numbers.count, by: 2).map {
      SIMD2(numbers[$0]!, numbers[$0 + 1]!)
    }
  }

  /// The left, middle and right third of the picture.
  public static let thirds = ["left", "center", "right"].enumerated().map { index, name in
    let (left, right) = (Double(index) / 3, Double(index + 1) / 3)
    return ProximityZone(name: name, corners: [[left, 0], [right, 0], [right, 1], [left, 1]])
  }

  /// The upper and the lower half of the picture.
  public static let halves = ["upper", "lower"].enumerated().map { index, name in
    let (top, bottom) = (Double(index) / 2, Double(index + 1) / 2)
    return ProximityZone(name: name, corners: [[0, top], [1, top], [1, bottom], [0, bottom]])
  }

  /// Indices `y · width + x` of a map's pixels whose centers lie inside the zone, by the even–odd rule.
  package func pixels(height: Int, width: Int) -> [Int] {
    (0..<height).flatMap { row in
      let crossings = crossings(at: (Double(row) + 0.5) / Double(height))
      return (0..<width).filter { column in
        let x = (Double(column) + 0.5) / Double(width)
        return !crossings.count { x < $0 }.isMultiple(of: 2)
      }.map { row * width + $0 }
    }
  }

  /// Whether the outline encloses an area.
  package var hasArea: Bool {
    let heights = (corners.map(\.y) + crossingHeights).sorted()
    // Between two consecutive heights, no edges begin, end or cross. The width is then linear and nonnegative, so the width in
    // the middle is positive unless the width is 0 everywhere.
    return zip(heights, heights.dropFirst()).contains { width(at: ($0 + $1) / 2) > 1e-9 }
  }

  /// The heights at which two edges cross or touch.
  private var crossingHeights: [Double] {
    let edges = corners.indices.map { index in
      let (from, to) = (corners[index], corners[(index + 1) % corners.count])
      return (from: from, x: to.x - from.x, y: to.y - from.y)
    }
    return edges.indices.flatMap { index -> [Double] in
      let edge = edges[index]
      return edges[..<index].compactMap { other -> Double? in
        let (x, y) = (other.from.x - edge.from.x, other.from.y - edge.from.y)
        // Cramer's rule gives a number that is not finite for parallel edges.
        let determinant = edge.x * other.y - edge.y * other.x
        let share = (x * other.y - y * other.x) / determinant
        let otherShare = (x * edge.y - y * edge.x) / determinant
        guard (0...1).contains(share), (0...1).contains(otherShare) else { return nil }
        return edge.from.y + share * edge.y
      }
    }
  }

  /// The length of the horizontal line at height `y` inside the zone.
  private func width(at y: Double) -> Double {
    let crossings = crossings(at: y).sorted()
    return stride(from: 1, to: crossings.count, by: 2).reduce(0) {
      $0 + crossings[$1] - crossings[$1 - 1]
    }
  }

  /// The crossings of the edges with the horizontal line at height `y`.
  private func crossings(at y: Double) -> [Double] {
    var crossings: [Double] = []
    var last = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > y) != (last.y > y) {
        crossings.append((last.x - corner.x) * (y - corner.y) / (last.y - corner.y) + corner.x)
      }
      last = corner
    }
    return crossings
  }
}

/// A change in a zone that ``ProximityMonitor`` reports.
///
/// ```swift
/// if event.kind == .enter { print(event.zone, event.nearest ?? 0, event.secondsToContact ?? 0) }
/// ```
public struct ProximityEvent: Sendable, Hashable {
  /// The kind of change.
  ///
  /// ```swift
  /// if event.kind == .blind { stop() }
  /// ```
  public enum Kind: String, Sendable {
    /// Something has come near.
    case enter
    /// Nothing is near anymore.
    case leave
    /// The zone cannot be watched, because too few of its pixels have a depth or because frames have stopped.
    case blind = "BLIND"
    /// The zone can be watched again, and starts as clear. If something is near, ``enter`` is reported again after
    /// ``ProximityRule/enterTime``.
    case sighted
  }

  /// The kind of change.
  public var kind: Kind
  /// The time that the caller passed with the map or to ``ProximityMonitor/lose(at:)``, in seconds.
  public var time: Double
  /// The zone's name.
  public var zone: String
  /// The 5th percentile of the depths in the zone, metres; `nil` for an event `blind`.
  public var nearest: Double?
  /// The number that the rule compares, 0…1. For ``ProximityRule/Kind/metres``, it is the share of near pixels among
  /// the zone's pixels that have a depth. For ``ProximityRule/Kind/nearHalf``, it is the share of the picture in the
  /// nearer half of the map's range. `nil` for an event `blind`.
  public var share: Double?
  /// Seconds until ``nearest`` reaches 0 at the speed of the last second.
  ///
  /// `nil` for an approach by less than 5 cm per second, for fewer than four maps in the last second, and for an event `blind`.
  /// Maps less than 1/32 s apart count as one map.
  public var secondsToContact: Double?

  /// An event with the given values.
  package init(
    kind: Kind, time: Double, zone: String, nearest: Double? = nil, share: Double? = nil,
    secondsToContact: Double? = nil
  ) {
    (self.kind, self.time, self.zone) = (kind, time, zone)
    (self.nearest, self.share, self.secondsToContact) = (nearest, share, secondsToContact)
  }
}

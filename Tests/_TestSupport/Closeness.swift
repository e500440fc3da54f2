public import Testing

/// Differences of two lists of numbers.
public struct Closeness: CustomStringConvertible {
  /// The largest absolute difference and its index.
  public var absolute = (difference: 0.0, index: 0)
  /// The largest difference relative to the expected value, and its index.
  public var relative = (difference: 0.0, index: 0)
  /// The number of elements beyond the tolerance.
  public var mismatches = 0
  /// The index, actual value and expected value of the first five mismatches.
  public var first: [(index: Int, actual: Double, expected: Double)] = []
  let shape: [Int]

  /// Compares elements. A difference of up to `absolute + relative · |expected|` is allowed. NaN
  /// equals only NaN, and an infinity equals itself.
  // Tests are compiled without optimization, which would run the slow generic form.
  @_specialize(where A == Float, E == Float)
  @_specialize(where A == Float, E == Double)
  public init<A: BinaryFloatingPoint, E: BinaryFloatingPoint>(
    _ actual: [A], _ expected: [E], absolute: Double, relative: Double = 0, shape: [Int] = []
  ) {
    self.shape = shape.isEmpty ? [expected.count] : shape
    for i in 0..<min(actual.count, expected.count) {
      let (a, e) = (Double(actual[i]), Double(expected[i]))
      if a == e || a.isNaN && e.isNaN { continue }
      let difference = a.isFinite && e.isFinite ? abs(a - e) : .infinity
      if difference > self.absolute.difference { self.absolute = (difference, i) }
      let share = e == 0 ? .infinity : difference / abs(e)
      if share > self.relative.difference { self.relative = (share, i) }
      guard difference > absolute + relative * abs(e) else { continue }
      mismatches += 1
      if first.count < 5 { first.append((i, a, e)) }
    }
  }

  /// The indices of an element within the shape, outermost axis first.
  private func position(_ index: Int) -> String {
    var rest = index
    var place: [Int] = []
    for extent in shape.reversed() {
      place.append(rest % max(extent, 1))
      rest /= max(extent, 1)
    }
    return "[" + place.reversed().map(String.init).joined(separator: ", ") + "]"
  }

  public var description: String {
    let lines = first.map { "  \(position($0.index)): \($0.actual), expected \($0.expected)" }
    return """
      \(mismatches) of \(shape.reduce(1, *)) elements differ; \
      max abs \(absolute.difference) at \(position(absolute.index)), \
      max rel \(relative.difference) at \(position(relative.index))
      """ + lines.map { "\n" + $0 }.joined()
  }
}

/// Expects every element within `absolute + relative · |expected|`. A failure records one issue
/// with the first five mismatches and the largest differences.
///
/// - Parameter shape: Extents of the axes, outermost first, for positions in the message.
/// - Returns: The largest absolute difference.
@discardableResult
public func expectClose<A: BinaryFloatingPoint, E: BinaryFloatingPoint>(
  _ actual: [A], _ expected: [E], absolute: Double, relative: Double = 0, shape: [Int] = [],
  _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation
) -> Double {
  guard actual.count == expected.count else {
    Issue.record(
      "\(what) has \(actual.count) elements, expected \(expected.count)",
      sourceLocation: sourceLocation)
    return .infinity
  }
  let closeness = Closeness(
    actual, expected, absolute: absolute, relative: relative, shape: shape)
  if closeness.mismatches > 0 {
    Issue.record("\(what): \(closeness.description)", sourceLocation: sourceLocation)
  }
  return closeness.absolute.difference
}

/// Whether numbers are equal to the bit.
public func haveSameBits(_ a: [Float], _ b: [Float]) -> Bool {
  a.elementsEqual(b) { $0.bitPattern == $1.bitPattern }
}

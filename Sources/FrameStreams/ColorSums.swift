import DepthBase

/// Sums of the colors of a row, which repeats its first and last pixel beyond its ends.
struct ColorSums {
  /// Elements before a row's first, and those behind its last that a window may reach.
  private static let (before, after) = (1, 4)

  let width: Int
  private var red, green, blue: [Int32]

  init(width: Int) {
    self.width = width
    red = [Int32](repeating: 0, count: Self.before + width + Self.after)
    (green, blue) = (red, red)
  }

  mutating func repeatEnds() {
    Self.repeatEnds(&red, width)
    Self.repeatEnds(&green, width)
    Self.repeatEnds(&blue, width)
  }

  private static func repeatEnds(_ sums: inout [Int32], _ width: Int) {
    sums[0] = sums[before]
    for x in before + width..<sums.count { sums[x] = sums[before + width - 1] }
  }

  typealias Pointers = (
    UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
  )

  mutating func withPointers(_ body: (Pointers) -> Void) {
    unsafe Self.withPointers(&red, &green, &blue, body)
  }

  private static func withPointers(
    _ red: inout [Int32], _ green: inout [Int32], _ blue: inout [Int32], _ body: (Pointers) -> Void
  ) {
    var red = red.mutableSpan
    var green = green.mutableSpan
    var blue = blue.mutableSpan
    unsafe red.withPointer { r in
      unsafe green.withPointer { g in
        unsafe blue.withPointer { unsafe body((r + before, g + before, $0 + before)) }
      }
    }
  }

  /// - Parameter first: The column to begin at, −1 or 0.
  func withPointers(
    from first: Int,
    _ body: (UnsafePointer<Int32>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Void
  ) {
    precondition(first >= -Self.before && first <= 0)
    let start = Self.before + first
    unsafe red.span.withPointer { r in
      unsafe green.span.withPointer { g in
        unsafe blue.span.withPointer { unsafe body(r + start, g + start, $0 + start) }
      }
    }
  }
}

/// Assigns offsets in the workspace to feature maps.
struct WorkspaceAllocator {
  private(set) var offsets: [Int: Int] = [:]
  /// Floats from the beginning of the workspace to the end of all maps that were placed so far.
  private(set) var top = 0
  private var live: [Int: Range<Int>] = [:]

  /// Assigns a value the buffer of `predecessor`, or else the lowest gap between live maps.
  mutating func place(_ value: Int, count: Int, insteadOf predecessor: Int?) {
    var range: Range<Int>
    if let predecessor, let inherited = live.removeValue(forKey: predecessor) {
      range = inherited
    } else {
      range = 0..<count
      for taken in live.values.sorted(by: { $0.lowerBound < $1.lowerBound })
      where taken.lowerBound < range.upperBound {
        let start = max(range.lowerBound, taken.upperBound)
        range = start..<start + count
      }
    }
    offsets[value] = range.lowerBound
    live[value] = range
    top = max(top, range.upperBound)
  }

  /// The end of the last live map.
  var liveTop: Int { live.values.reduce(0) { max($0, $1.upperBound) } }

  /// Frees the buffers of values that are no longer needed.
  mutating func release(where isOver: (Int) -> Bool) {
    live = live.filter { !isOver($0.key) }
  }
}

import DepthBase

/// The tables for resampling between two sizes, shared by photos of one size.
struct LanczosTables: Sendable {
  let windows: LanczosWindows
  /// The first byte of each window in a row of interleaved RGB.
  let rgbStarts: [Int32]
  /// The windows' weights, repeated per channel. Each window is padded to `rgbPitch`.
  let rgbWeights: [Int32]
  let rgbPitch: Int
  /// The end of the padded windows, in bytes from the beginning of a row; possibly beyond the row's end.
  let rgbReach: Int

  private init(from inputs: Int, to outputs: Int) {
    windows = LanczosWindows(from: inputs, to: outputs)
    rgbPitch = (windows.taps * 3 + 11) / 12 * 12
    rgbStarts = windows.starts.map { Int32($0 * 3) }
    rgbReach = max((windows.starts.max() ?? 0) * 3 + rgbPitch, inputs * 3)
    rgbWeights = windows.rgbWeights(pitch: rgbPitch)
  }

  private static let recent = Monitor<[LanczosTables]>([])
  /// Number of cached tables, enough for both axes of landscape and portrait photos of two cameras.
  private static let capacity = 8

  /// The tables for two sizes, from a cache of recent tables.
  static func shared(from inputs: Int, to outputs: Int) -> LanczosTables {
    func isWanted(_ tables: LanczosTables) -> Bool {
      tables.windows.inputs == inputs && tables.windows.starts.count == outputs
    }
    if let known = recent.read({ $0.first(where: isWanted) }) { return known }
    let tables = LanczosTables(from: inputs, to: outputs)
    recent.update {
      if $0.contains(where: isWanted) { return }
      if $0.count == capacity { $0.removeFirst() }
      $0.append(tables)
    }
    return tables
  }
}

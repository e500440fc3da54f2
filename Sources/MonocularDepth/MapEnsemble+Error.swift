extension MapEnsemble {
  /// How much of the networks' disagreement is added to the errors that they predict.
  ///
  /// The predicted errors contain most of it already. On held-out frames, ¼ ranks the pixels of a photo better than ⅛, and photos
  /// nearly as well; expected errors are 5 % too large (`Scripts/train/RECORD.md`).
  static let disagreement = 0.25

  /// The mean of the errors that networks predict, plus ``disagreement`` times the mean distance of all networks' ln depths from
  /// the mean of these.
  ///
  /// Numbers of one pixel are added in ascending order, so that the order of the networks changes no bit.
  ///
  /// - Parameters:
  ///   - errors: The expected errors of the maps whose networks predict them, at least one.
  ///   - logarithms: Of each map's depths, in ``steps``.
  static func error(
    _ errors: [ErrorMap], logarithms: [[Int64]], mapsPerNetwork: Int
  ) -> ErrorMap {
    let firsts = Array(stride(from: 0, to: logarithms.count, by: mapsPerNetwork))
    var own = [Double](repeating: 0, count: errors.count)
    var levels = [Double](repeating: 0, count: firsts.count)
    var values = [Float](repeating: 0, count: errors[0].values.count)
    for pixel in values.indices {
      for (index, map) in errors.enumerated() { own[index] = Double(map.values[pixel]) }
      var count = 0
      for first in firsts {
        var (sum, known) = (Int64(0), 0)
        for map in first..<first + mapsPerNetwork where logarithms[map][pixel] != missing {
          sum += logarithms[map][pixel]
          known += 1
        }
        guard known > 0 else { continue }
        levels[count] = Double(sum) / Double(known) / steps
        count += 1
      }
      // Sums of two numbers have no order.
      if own.count > 2 { own.sort() }
      if count > 2 { levels[..<count].sort() }
      values[pixel] = Float(
        own.reduce(0, +) / Double(own.count) + disagreement * distance(levels[..<count]))
    }
    return ErrorMap(height: errors[0].height, width: errors[0].width, values: values)
  }

  /// The mean distance of some numbers from their mean.
  private static func distance(_ values: ArraySlice<Double>) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + abs($1 - mean) } / Double(values.count)
  }
}

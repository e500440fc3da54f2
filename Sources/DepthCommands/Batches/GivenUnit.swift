import DepthImages
import PictureFiles

/// The unit that a user gives for depth files that do not record one.
struct GivenUnit: Sendable {
  /// `nil` without one.
  var stored: StoredUnit?
  /// Whether it is a number of values per metre.
  var isScale = false

  /// A note about depths that are farther than those of photos, because the file has another unit than was thought.
  ///
  /// - Parameters:
  ///   - depth: The map of a depth file.
  ///   - file: Its name.
  /// - Returns: `nil` where nothing is unusual, and where the user has given the scale.
  func doubt(about depth: DepthMap, of file: String) -> String? {
    // The samples of other scales, read as millimetres, make distances of some ten metres.
    let limit: Float = stored == .millimetre ? 20 : 200
    guard !isScale, depth.unit == .metres,
      // The range takes less time than the median.
      let range = depth.valueRange(threads: 1), range.high > limit,
      let median = depth.median(), median > limit
    else { return nil }
    return
      "half of \(file) is farther than \(Int(median.rounded())) m; if that is wrong, give its unit with --depth-unit or "
      + "the number of its values per metre with --depth-scale"
  }
}

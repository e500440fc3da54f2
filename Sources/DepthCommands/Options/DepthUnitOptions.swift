import ArgumentParser
import DepthImages
import DepthPhotos
import PictureFiles

/// The unit of a depth file that does not record it.
struct DepthUnitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Unit of a depth file that does not record one: \(StoredUnit.names.joined(separator: ", ")).
      """,
      discussion: """
        disparity is 1 / metres; relative-disparity is disparity of unknown scale and shift; normalized is a picture \
        from black to white. A file that records another unit is refused.
        """,
      valueName: "unit"),
    completion: .list(StoredUnit.names))
  var depthUnit: String?

  @Option(
    help: ArgumentHelp(
      """
      Values per metre in a depth file that does not record its unit: 5000 for TUM RGB-D, 256 for KITTI, 100 for \
      centimetres.
      """,
      valueName: "n"))
  var depthScale: Double?

  @Flag(help: "Whether white or black is near in a depth file, for --depth-unit normalized.")
  var near: Near = .nearWhite

  enum Near: String, EnumerableFlag {
    case nearWhite, nearBlack
  }

  /// Names of the options that were given.
  var givenOptions: [String] {
    optionNames(["--depth-unit": depthUnit != nil, "--depth-scale": depthScale != nil])
  }

  /// The unit that the options say; `nil` without one.
  var stored: StoredUnit? {
    if let depthScale { return StoredUnit(unit: .metres, scale: 1 / depthScale) }
    return depthUnit.flatMap { StoredUnit(name: $0, near: near == .nearWhite ? .white : .black) }
  }

  /// A note about depths that are farther than those of photos, because the file has another unit than was thought.
  ///
  /// - Parameters:
  ///   - depth: The map of a depth file.
  ///   - file: Its name.
  /// - Returns: `nil` where nothing is unusual, and where the user has given the scale.
  func doubt(about depth: DepthMap, of file: String) -> String? {
    // The samples of other scales, read as millimetres, make distances of some ten metres.
    let limit: Float = stored == .millimetre ? 20 : 200
    guard depthScale == nil, depth.unit == .metres,
      // The range takes less time than the median.
      let range = depth.valueRange(threads: 1), range.high > limit,
      let median = depth.median(), median > limit
    else { return nil }
    return
      "half of \(file) is farther than \(Int(median.rounded())) m; if that is wrong, give its unit with --depth-unit or "
      + "the number of its values per metre with --depth-scale"
  }

  /// Refuses the option where no depth file is read.
  ///
  /// - Throws: A validation error.
  func check(_ source: DepthSource) throws {
    guard let option = givenOptions.first else { return }
    switch source {
    case .chosen(.embedded):
      throw ValidationError("\(option) requires a depth file, found embedded depth")
    case .chosen: throw ValidationError("\(option) requires --depth with a depth file")
    case .file, .folder: return
    }
  }

  func validate() throws {
    if let depthUnit, !StoredUnit.names.contains(depthUnit) {
      throw ValidationError(
        "--depth-unit is \(depthUnit), expected \(StoredUnit.names.joined(separator: ", "))")
    }
    try check(depthScale: depthScale)
    if depthScale != nil, let depthUnit, depthUnit != "metre" {
      throw ValidationError("--depth-scale and --depth-unit \(depthUnit) exclude each other")
    }
    if near == .nearBlack, depthUnit != "normalized" {
      throw ValidationError("--near-black requires --depth-unit normalized")
    }
  }
}

import ArgumentParser
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles

/// The unit of a depth file that records no unit, and the array to read from a file with several
/// arrays.
struct DepthUnitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Unit of a depth file that does not record one: \(StoredUnit.names.joined(separator: ", ")).
      """,
      discussion: """
        disparity is 1 / metres; relative-disparity is disparity of unknown scale and shift, as Depth Anything V2 and MiDaS write \
        it; relative-depth is depth of unknown scale, as Depth Anything 3 writes it; normalized is a picture \
        from black to white. A file that records another unit is refused, except for the text in an .npz.
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

  @Option(
    help: ArgumentHelp(
      "Name of the array in a depth file of NumPy's .npz; by default \(listed(NPZ.keys)).",
      valueName: "name"))
  var depthKey: String?

  enum Near: String, EnumerableFlag {
    case nearWhite, nearBlack
  }

  /// Names of the given options.
  var givenOptions: [String] {
    optionNames([
      "--depth-unit": depthUnit != nil, "--depth-scale": depthScale != nil,
      "--depth-key": depthKey != nil,
    ])
  }

  var hints: DepthFileHints {
    let unit =
      depthScale.map { StoredUnit(unit: .metres, scale: 1 / $0) }
      ?? depthUnit.flatMap { StoredUnit(name: $0, near: near == .nearWhite ? .white : .black) }
    return DepthFileHints(unit: unit, key: depthKey)
  }

  /// Rejects the options if no depth file is read.
  ///
  /// - Throws: A validation error.
  func check(_ choice: DepthChoice) throws {
    guard let option = givenOptions.first else { return }
    switch choice {
    case .embedded:
      throw ValidationError("\(option) requires a depth file, found embedded depth")
    case .auto, .network: throw ValidationError("\(option) requires --depth with a depth file")
    case .file, .folder: return
    }
  }

  func validate() throws {
    if let depthUnit, !StoredUnit.names.contains(depthUnit) {
      throw ValidationError(
        "--depth-unit is \(depthUnit), expected \(StoredUnit.names.joined(separator: ", "))")
    }
    try check(depthScale: depthScale)
    if depthScale != nil, let depthUnit {
      throw ValidationError(
        "--depth-scale and --depth-unit \(depthUnit) exclude each other, expected one; "
          + "--depth-scale alone means so many values per metre")
    }
    if near == .nearBlack, depthUnit != "normalized" {
      throw ValidationError("--near-black requires --depth-unit normalized")
    }
  }
}

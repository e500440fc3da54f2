import ArgumentParser
import MonocularDepth

/// Known distances of pixels.
struct KnownDistanceOptions: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      Known distance of one pixel: column and row, counted from 0 at the top left, and distance in m, cm or mm; \
      without a unit, metres. May be repeated; not with --sparse.
      """,
      valueName: "x,y=distance"),
    transform: { try PointOption($0) })
  var points: [PointOption] = []

  @Option(
    help: ArgumentHelp(
      """
      Depth file in metres or disparity with values at some pixels of the photo and 0 elsewhere, such as a laser \
      scanner's.
      """,
      valueName: "file"),
    completion: .file())
  var sparse: String?
  @OptionGroup var unit: DepthUnitOptions

  func validate() throws {
    if points.isEmpty, sparse == nil {
      throw ValidationError("no known point, expected --at x,y=distance or --sparse")
    }
    if !points.isEmpty, sparse != nil {
      throw ValidationError("--at and --sparse exclude each other, expected one")
    }
    if let option = unit.givenOptions.first, sparse == nil {
      throw ValidationError("\(option) requires --sparse")
    }
  }
}

/// A known point on the command line, such as `320,240=2.4m`.
struct PointOption {
  let point: DepthCalibration.KnownPoint

  /// - Throws: A validation error for malformed text.
  init(_ argument: String) throws {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    let place = sides[0].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, place.count == 2, let x = place[0], let y = place[1],
      let distance = Length(word: String(sides[1]))
    else {
      throw ValidationError(
        "expected column, row and a finite distance above 0, such as 320,240=2.4m")
    }
    point = .init(x: x, y: y, metres: distance.metres)
  }
}

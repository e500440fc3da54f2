package import ArgumentParser
import DepthImages
package import PhotoRuns
package import PictureFiles

/// The unit of a depth file that does not record it.
package struct DepthUnitOptions: ParsableArguments {
  package init() {}

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
  package var depthUnit: String?

  @Flag(help: "Whether white or black is near in a depth file, for --depth-unit normalized.")
  package var near: Near = .nearWhite

  package enum Near: String, EnumerableFlag {
    case nearWhite, nearBlack
  }

  /// The options as words of a ``Recipe``.
  package var words: [String] { depthUnit.map { ["depth-unit=\($0)", "\(near.rawValue)"] } ?? [] }

  /// Names of the options that were given.
  package var given: [String] { depthUnit == nil ? [] : ["--depth-unit"] }

  /// The unit that the options say; `nil` without one.
  package var stored: StoredUnit? {
    depthUnit.flatMap { StoredUnit(name: $0, near: near == .nearWhite ? .white : .black) }
  }

  /// Refuses the option where no depth file is read.
  ///
  /// - Throws: A validation error.
  package func check(_ source: DepthSource) throws {
    guard let option = given.first else { return }
    switch source {
    case .estimate: throw ValidationError("\(option) is for depth files, expected --depth with one")
    case .embedded: throw ValidationError("\(option) is for depth files, found embedded depth")
    case .file, .folder: return
    }
  }

  package func validate() throws {
    if let depthUnit, !StoredUnit.names.contains(depthUnit) {
      throw ValidationError(
        "--depth-unit is \(depthUnit), expected \(StoredUnit.names.joined(separator: ", "))")
    }
    if near == .nearBlack, depthUnit != "normalized" {
      throw ValidationError("--near-black is for --depth-unit normalized, expected both")
    }
  }
}

import ArgumentParser
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

/// Known distances with which maps are aligned.
struct SparseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Move the map to known distances: a depth file with values at some pixels of the photo and 0 elsewhere, such as \
      a laser scanner's or those of structure from motion. Several photos need a folder of them.
      """,
      discussion: """
        Scale and shift are fitted first, then a smooth field of factors that may jump at edges of the photo. Far from \
        all points, only scale and shift apply. The result is in metres.
        """,
      valueName: "file"),
    completion: .file())
  var sparse: String?

  @Option(
    help: ArgumentHelp(
      """
      Values per metre in the --sparse file, if it does not record its unit: 1000 for millimetres, 256 for KITTI.
      """,
      valueName: "n"))
  var sparseScale: Double?

  @Option(
    help: ArgumentHelp(
      """
      Standard deviation of the known distances, as a share of each, 0.01% to 100%; 1% by default. The larger it is, \
      the less the map follows single points.
      """,
      valueName: "share"), transform: Share.argument)
  var sparseNoise: Share?

  func validate() throws {
    try check(depthScale: sparseScale, named: "--sparse-scale")
    try check("--sparse-noise", sparseNoise?.value, in: DepthMap.noises)
    let dependent = optionNames([
      "--sparse-scale": sparseScale != nil, "--sparse-noise": sparseNoise != nil,
    ])
    if sparse == nil, let option = dependent.first {
      throw ValidationError("\(option) requires --sparse")
    }
  }

  /// The known distances of each photo; `nil` without the option.
  func points(_ limits: ImageLimits) -> KnownPoints? {
    sparse.map {
      KnownPoints(
        files: DepthChoice($0, words: []),
        unit: sparseScale.map { StoredUnit(unit: .metres, scale: 1 / $0) },
        noise: sparseNoise?.value, limits: limits)
    }
  }
}

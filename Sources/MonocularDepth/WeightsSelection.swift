import DepthErrors
import DepthNetworks
public import SystemEssentials

/// Weights files whose networks give one estimate together.
///
/// ```swift
/// let small = try DepthEstimator(WeightsSelection(named: "compact"))
/// let averaging = try DepthEstimator(WeightsSelection(files: [url], averagesMirrored: true))
/// ```
public struct WeightsSelection: Sendable, Hashable {
  /// How many networks one estimate may combine.
  package static let counts = 1...16

  /// One file for each network.
  public var files: [URL]
  /// Whether each network also estimates the photo's mirror image.
  public var averagesMirrored: Bool
  /// The shorter side, in pixels, of the input of networks that keep a photo's proportions, which are those of Depth Anything V2: a
  /// multiple of 14 from 252 to 1036. `nil` means the size of the training, 518. A smaller input is faster, a larger one gives finer
  /// detail.
  public var inputSize: Int?

  /// - Parameters:
  ///   - files: One file for each network.
  ///   - averagesMirrored: Whether each network also estimates the photo's mirror image.
  ///   - inputSize: The shorter side of the input of networks that keep a photo's proportions; `nil` means the size of the training.
  public init(files: [URL], averagesMirrored: Bool = false, inputSize: Int? = nil) {
    (self.files, self.averagesMirrored) = (files, averagesMirrored)
    self.inputSize = inputSize
  }

  /// Refuses an ``inputSize`` that no network takes.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`, which calls it by `name`.
  package static func check(inputSize side: Int, named name: String) throws {
    let (range, patch) = (
      DepthAnythingConfiguration.inputSides, DepthAnythingConfiguration.patch
    )
    guard range.contains(side), side % patch == 0 else {
      throw DepthError.invalidArgument(
        name: name, found: "\(side)",
        expected: "a multiple of \(patch) in \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// The name in tables: `fcrn18-nyu-int8+fcrn-lite2-nyu-int8`.
  package var name: String {
    (files.map { $0.deletingPathExtension().lastPathComponent }
      + (averagesMirrored ? ["mirrored"] : []) + (inputSize.map { ["input\($0)"] } ?? [])).joined(
        separator: "+")
  }
}

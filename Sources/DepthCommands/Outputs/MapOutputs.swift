import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth
import SystemEssentials

/// The output files of a finished map: its depth file and other requested files.
struct MapOutputs: Sendable {
  let depth: DepthOutput
  let others: [any MapOutput]
  let overwrite: Bool

  private var all: [any MapOutput] { [depth] + others }

  var folders: [String?] { all.map(\.folder) }

  /// Rejects outputs that do not suit the run's photos.
  ///
  /// - Throws: ``WrongUsage``.
  func check(_ photos: PhotoSelection, json: Bool) throws {
    let isPiped = !photos.isMany && depth.writesToStandardOutput(photos.photos)
    let place = isPiped ? OutputPlace(file: "-") : depth.place
    try place.check(photos, json: json, content: "depth map")
    for output in others { try output.check(photos) }
  }

  /// The plan of all outputs for some photos.
  ///
  /// - Parameter inputs: Other input files.
  func plan(for photos: [PhotoInput], inputs: [String]) -> OutputPlan {
    OutputPlan(all, for: photos, inputs: inputs, overwrite: overwrite)
  }

  /// Fails, before the map is computed, if an output requires distances but the map has none.
  ///
  /// - Parameter photo: The photo, for the error.
  /// - Throws: `DepthError` with code `unknownUnit`.
  func check(_ unit: DepthMap.Unit, of photo: String) throws {
    guard unit == .relativeDisparity else { return }
    for purpose in all.compactMap(\.purposeOfMetres) {
      do { try unit.requireMetric(for: purpose) } catch { throw error.naming(photo) }
    }
  }

  var needsErrors: Bool { all.contains(where: \.needsErrors) }
  var needsNormals: Bool { all.contains(where: \.needsNormals) }
  var needsMask: Bool { all.contains(where: \.needsMask) }

  /// The kind of work on a photo, which determines its memory.
  var work: MemoryNeed.Work {
    needsNormals
      ? .mapWithNormals : others.isEmpty && !depth.isArchive ? .map : .mapWithPicture
  }

  /// A hint that most viewers show a depth PNG as black.
  ///
  /// `nil` if a picture is also written, or if the unit's values use all 16 bits.
  func hint(for photo: PhotoInput, unit: DepthMap.Unit) -> String? {
    guard unit == .metres, !others.contains(where: \.isPicture), depth.isPNGFile(photo) else {
      return nil
    }
    return "the depth file looks black in a viewer; --view adds a picture to look at"
  }

  /// The contents of all files, beginning with the depth file.
  func contents(
    of map: FinishedMap, _ run: PhotoRun
  ) throws -> [(content: FileContent, url: URL)] { try all.map { try $0.content(of: map, run) } }
}

import AtomicFiles
import SystemEssentials

/// What an earlier run has left of a plan's files, made with the same recipe.
struct EarlierRun: Sendable {
  let plan: OutputPlan
  let recipe: Recipe
  let files: MadeFiles

  /// The photos of an earlier run.
  struct Photos: Sendable {
    /// The photos whose files are all there, made in the same way, and their files.
    var done: [String: [String]] = [:]
    /// Photos of which some files are there, made in the same way.
    var unfinished: Set<String> = []
  }

  /// Looks for the files of all photos, and removes what a killed run left of files that it was writing.
  ///
  /// - Throws: ``OutputConflict`` for files that exist and were made otherwise.
  func photos() throws -> Photos {
    var photos = Photos()
    for (photo, outputs) in Dictionary(grouping: plan.outputs, by: \.photo)
    where try outputs.allSatisfy(isMade) {
      photos.done[photo] = outputs.map(\.file.relativePath)
    }
    do {
      try plan.checkPlaces(of: plan.outputs.filter { photos.done[$0.photo] == nil }) { output in
        guard try isMade(output) else { return false }
        photos.unfinished.insert(output.photo)
        return true
      }
    } catch OutputConflict.exists(let existing) {
      let first = plan.outputs.first { $0.file.relativePath == existing.first }
      let older = first.flatMap(newerInput)
      throw OutputConflict.outdated(
        existing, reason: older.map { "older than \($0)" } ?? "made with other weights or options")
    }
    // Also in folders where nothing more is to be written.
    for folder in Set(plan.outputs.map { MadeFiles.folder(of: $0.file) }) {
      PartFile.removeOrphans(in: folder)
    }
    return photos
  }

  /// Looks for one photo's files again.
  ///
  /// - Returns: The files, if all of them are there, made in the same way; and whether any is, but for shared ones.
  func made(of outputs: [OutputPlan.Output]) throws -> (all: [String]?, isAny: Bool) {
    let made = try outputs.filter(isMade)
    let isAll = !outputs.isEmpty && made.count == outputs.count
    return (isAll ? outputs.map(\.file.relativePath) : nil, made.contains { !$0.isShared })
  }

  /// Whether a file is there, made in the same way. Of a shared file, which another command may have made, it only matters
  /// whether it is there.
  private func isMade(_ output: OutputPlan.Output) throws -> Bool {
    let isThere = FileFacts(of: output.file) != nil
    guard isThere, !output.isShared else { return isThere }
    let depthFile = plan.depthFiles[output.photo]
    let text = recipe.text(
      details: output.details, inputs: Recipe.inputs(photo: output.photo, depthFile: depthFile))
    return try files.has(
      output.file, madeWith: text, from: [output.photo] + [depthFile].compactMap { $0 })
  }

  /// The input that was changed after a file was made of it, whatever else the file was made with; `nil` if none was.
  private func newerInput(than output: OutputPlan.Output) -> String? {
    let inputs = [output.photo] + [plan.depthFiles[output.photo]].compactMap { $0 }
    return inputs.first { MadeFiles.isOlder(output.file, than: $0) }
  }
}

extension PhotoRun {
  /// What became of one photo.
  package enum Outcome<Record: Sendable>: Sendable {
    case made(Record)
    /// The files were there already, made in the same way.
    case skipped([String])
  }

  /// Makes the files of the run's only photo, and reports nothing.
  ///
  /// - Parameters:
  ///   - share: Threads for this photo while others are in progress.
  ///   - allThreads: Threads where there is memory for this photo alone.
  ///   - reservations: Memory of all photos in progress.
  /// - Throws: Why the photo failed.
  /// - Precondition: the run has one photo.
  package func performOne<Record: Sendable>(
    _ recipe: Recipe, share: Int, of allThreads: Int, reservations: MemoryReservations,
    _ make: (PhotoTurn) throws -> Record
  ) throws -> Outcome<Record> {
    precondition(photos.count == 1, "\(photos.count) photos, expected 1")
    let photo = photos[0]
    let files = MadeFiles(keepsLines: options.skipExisting)
    let earlier = try earlierRun(recipe, files)?.photos() ?? EarlierRun.Photos()
    if let outputs = earlier.done[photo.path] { return .skipped(outputs) }
    let turn = PhotoTurn(
      photo, overwrite: plan.overwrite, isUnfinished: earlier.unfinished.contains(photo.path),
      share: share, of: allThreads, recipe: recipe, depthFile: plan.depthFiles[photo.path],
      files: files,
      reservations: reservations,
      progress: RunProgress(total: 1, isMany: false, isShown: false))
    defer { turn.end() }
    return .made(try make(turn))
  }
}

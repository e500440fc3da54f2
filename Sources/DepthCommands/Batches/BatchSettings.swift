/// The choice of a run's photos, and the settings for resuming an earlier run.
struct BatchSettings: Sendable {
  /// Whether subfolders of named folders are searched as well.
  var recursive = false
  /// A list of photos; `-` is standard input.
  var filesFrom: String?
  /// Whether paths of the list end with a zero byte.
  var null = false
  var skipExisting = false
  var manifest: String?
  var shard: Shard?

  /// Files that no output may replace.
  var files: [String] { [filesFrom, manifest].compactMap(\.self) }
}

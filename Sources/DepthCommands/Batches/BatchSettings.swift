/// The choice of photos of a run, and how it resumes an earlier one.
struct BatchSettings: Sendable {
  /// Whether the folders below named folders are searched as well.
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

extension HDF5File {
  /// The names of a group's members in ascending order.
  ///
  /// - Throws: `DepthError` with code `damaged` when the group is missing or damaged, and
  ///   `unsupportedFormat` when it has more than ``HDF5Limits/members`` links.
  package func members(of path: String) throws -> [String] {
    let description = try describe([path == "/" ? .everything : .group(path)])
    try requireGroup(path, in: description)
    let prefix = path == "/" ? "" : path + "/"
    return description.facts.map(\.path).filter {
      $0 != path && $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
    }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  /// Checks that the library has listed all links of a group.
  ///
  /// - Throws: `DepthError` as ``members(of:)``.
  package func requireGroup(_ path: String, in description: HDF5Description) throws {
    guard let group = description[path] else { throw damaged("group '\(path)'") }
    guard group.links <= HDF5Limits.members else {
      throw unsupported("group '\(path)' has more than \(HDF5Limits.members) links")
    }
    guard group.kind == .group else { throw damaged("group '\(path)'", group.cause) }
  }
}

import CDepthHDF5

extension HDF5File {
  /// One name in a group.
  package struct Link: Sendable {
    package let name: String
    /// Whether the name stands for an object of this file, not for a path into it or another file.
    package let isHard: Bool
  }

  /// Kinds of object in a file.
  package enum ObjectKind: Sendable {
    case group, dataset, other
  }

  /// The links of a group, ordered by name.
  ///
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when the group is missing, is damaged or has
  ///   more than ``HDF5Limits/members`` links.
  package func links(in path: String) throws -> [Link] {
    try HDF5Library.locked {
      guard let group = HDF5Handle(H5Gopen2(id, path, 0)) else { throw damaged("group '\(path)'") }
      var found = Names()
      let status = withUnsafeMutablePointer(to: &found) { ch5_each_link(group.id, Names.keep, $0) }
      try check(found, status, "group '\(path)'", "links")
      return found.links.sorted { $0.name < $1.name }
    }
  }

  /// What stands at `path`.
  package func kind(of path: String) throws -> ObjectKind {
    try HDF5Library.locked {
      guard let object = HDF5Handle(H5Oopen(id, path, 0)) else { throw damaged("'\(path)'") }
      return switch H5Iget_type(object.id) {
      case H5I_GROUP: .group
      case H5I_DATASET: .dataset
      default: .other
      }
    }
  }

  /// Names of the attributes of an object. Call inside the lock.
  func attributeNames(of object: borrowing HDF5Handle, _ path: String) throws -> [String] {
    var found = Names()
    let status = withUnsafeMutablePointer(to: &found) {
      ch5_each_attribute(object.id, Names.keep, $0)
    }
    try check(found, status, "attributes of '\(path)'", "attributes")
    return found.links.map(\.name)
  }

  private func check(_ found: Names, _ status: herr_t, _ part: String, _ noun: String) throws {
    guard found.links.count <= HDF5Limits.members else {
      throw unreadable("\(part) has more than \(HDF5Limits.members) \(noun)")
    }
    guard status >= 0 else { throw damaged(part) }
  }
}

/// Names gathered by one of the library's iterations.
private struct Names {
  var links: [HDF5File.Link] = []

  /// Appends one name to the `Names` at `context`; stops the iteration one name past the limit.
  static let keep: ch5_visit = { name, isHard, context in
    guard let name, let context else { return -1 }
    let names = context.assumingMemoryBound(to: Names.self)
    names.pointee.links.append(.init(name: String(cString: name), isHard: isHard != 0))
    return names.pointee.links.count > HDF5Limits.members ? -1 : 0
  }
}

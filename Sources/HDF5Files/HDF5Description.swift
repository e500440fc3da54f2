#if HDF5
  import DepthErrors
#endif

/// The objects and attributes of a file to describe in one visit.
package struct HDF5Request {
  package enum Item {
    /// The root group, its groups and their members.
    case everything
    /// A group and its members.
    case group(String)
    /// A group or dataset by its path.
    case object(String)
    /// An attribute of the root.
    case attribute(String)
  }

  package let items: [Item]
}

/// The objects and attributes found, in the order of the request; the members of a group follow it.
package struct HDF5Description: Sendable {
  package let facts: [HDF5Facts]

  /// The object at `path`.
  subscript(path: String) -> HDF5Facts? { facts.first { $0.path == path && !$0.isAttribute } }
}

extension HDF5File {
  /// Describes objects and attributes of the file, after its comparison with a checksum that it carries.
  ///
  /// - Throws: `DepthError` with code `damaged` when the file cannot be parsed, `unsupportedFormat` when it has too
  ///   many objects or is of a form that the ``describer`` does not read, `unreadable` when the system fails or
  ///   somebody writes to the file, and whatever the comparison with a checksum throws.
  package func describe(_ items: [HDF5Request.Item]) throws -> HDF5Description {
    try verify?()
    switch describer {
    #if HDF5
      case .library: return try describeByLibrary(items)
      case .readerOrLibrary:
        guard verify != nil else { return try describeByLibrary(items) }
        do {
          let description = try describeByReader(items)
          if description.facts.allSatisfy(\.isReadWithoutLibrary) { return description }
        } catch let error as DepthError where error.code != .unreadable {}
        // What the reader does not read, and what it calls damaged, the library decides.
        return try describeByLibrary(items)
    #endif
    case .reader: return try describeByReader(items)
    }
  }

  private func describeByReader(_ items: [HDF5Request.Item]) throws -> HDF5Description {
    var reader = try HDF5StructureReader(self)
    let description = try reader.description(of: items)
    try requireUnchanged()
    return description
  }
}

import SystemEssentials

#if HDF5
  import DepthErrors
#endif

/// Objects and attributes of a file to describe.
package enum HDF5Request {
  /// The root group, its groups and their members.
  case everything
  /// A group and its members.
  case group(String)
  /// A group or dataset by its path.
  case object(String)
  /// An attribute of the root.
  case attribute(String)
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
  package func describe(_ items: [HDF5Request]) throws -> HDF5Description {
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

  private func describeByReader(_ items: [HDF5Request]) throws -> HDF5Description {
    var reader = try HDF5StructureReader(self)
    let description = try reader.description(of: items)
    try requireUnchanged()
    return description
  }
}

/// Who describes the structure of an HDF5 file.
package enum HDF5Describer: Sendable {
  #if HDF5
    /// The HDF5 library, in a child process: all of the format.
    case library
    /// The reader for a file that agrees with the checksum that it carries, as weights files of this package do; the
    /// library for other files, and for whatever the reader does not read.
    case readerOrLibrary
  #endif
  /// This package, in this process: what its own weights files use of the format.
  case reader

  /// With the library where the package is built with its trait HDF5, which is a default.
  package static var inThisBuild: Self {
    #if HDF5
      .readerOrLibrary
    #else
      .reader
    #endif
  }
}

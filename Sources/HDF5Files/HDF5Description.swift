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

/// The objects and attributes found, in the order of the request. A group precedes its members.
package struct HDF5Description: Sendable {
  package let facts: [HDF5Facts]

  /// The object at `path`.
  subscript(path: String) -> HDF5Facts? { facts.first { $0.path == path && !$0.isAttribute } }
}

extension HDF5File {
  /// Describes objects and attributes of the file, after verifying the file's checksum, if any.
  ///
  /// - Throws: `DepthError` with code `damaged` if the file cannot be parsed; code `unsupportedFormat` for too many
  ///   objects and for a form that the ``describer`` does not read; code `unreadable` if the system fails or the
  ///   file has changed; also the errors of the verification.
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
        // The library decides on files that the reader does not read or reports as damaged.
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

/// The parser of an HDF5 file's structure.
package enum HDF5Describer: Sendable {
  #if HDF5
    /// The HDF5 library in a child process, which reads the whole format.
    case library
    /// The reader for a file that matches its own checksum, such as this package's weights files. The library for
    /// other files, and for forms that the reader does not read.
    case readerOrLibrary
  #endif
  /// The reader of this package in this process, for the part of the format that the package's weights files use.
  case reader

  /// The parser of this build. It includes the library if the package is built with the default trait HDF5.
  package static var inThisBuild: Self {
    #if HDF5
      .readerOrLibrary
    #else
      .reader
    #endif
  }
}

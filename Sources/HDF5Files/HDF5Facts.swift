import DepthErrors
import SystemEssentials

/// The description of one object or attribute.
package struct HDF5Facts: Sendable {
  /// The kind of object, with the numbers of `ch5_kind`.
  package enum Kind: Int32, Sendable {
    case absent, damaged, link, group, dataset, other, attribute
  }

  package let path: String
  package internal(set) var kind: Kind
  package internal(set) var isAttribute = false
  /// The reason for damage or absence; may be empty.
  package internal(set) var cause = ""
  /// Number of links in a group.
  package internal(set) var links = 0
  package internal(set) var elementType = HDF5ElementType.other("unknown")
  package internal(set) var elementBytes: UInt64 = 0
  /// Whether elements are stored in the opposite byte order of this machine.
  package internal(set) var isSwapped = false
  /// Whether the dataspace is null, that is, without values.
  package internal(set) var isNull = false
  package internal(set) var extents: [UInt64] = []
  package internal(set) var layout = Layout()
  /// The values of an attribute or of a compact dataset.
  package internal(set) var data: [UInt8] = []

  /// The layout of a dataset, as stated by the file.
  package struct Layout: Sendable {
    /// The layout of a dataset's values, with the numbers of the library's `H5D_layout_t`.
    package enum Kind: Int32, Sendable {
      case compact, contiguous, chunked, virtual, unknown
    }

    package internal(set) var kind = Kind.unknown
    var externalFiles: Int32 = 0
    package internal(set) var isAllocated = false
    /// Offset of the first byte in the file.
    package internal(set) var offset: UInt64 = 0
    var chunk: [UInt64] = []
    var leavesEdges = false
    var filters: [Int32] = []
    /// Name of the first filter that is neither gzip nor shuffle.
    var filterName = ""
    var chunkCount: UInt64 = 0
    /// Address, size in bytes, mask and origin of each chunk; empty if there are too many chunks.
    var chunkTable: [UInt64] = []
  }

  init(path: String, kind: Kind) {
    (self.path, self.kind) = (path, kind)
  }

  /// Whether the values can be read without the library. Only the library locates the chunks of a dataset.
  var isReadWithoutLibrary: Bool {
    switch kind {
    case .damaged: false
    case .dataset: layout.kind == .contiguous || layout.kind == .compact
    case .absent, .link, .group, .other, .attribute: true
    }
  }
}

extension HDF5File {
  /// Fills `buffer` with the file's bytes from `offset`, without the HDF5 library.
  ///
  /// - Parameter what: The part of the file, for the error.
  /// - Throws: `DepthError` with code `unreadable` if the system cannot read the file, or if the file has changed
  ///   since it was opened; with code `damaged` if the file ends too early.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int, _ what: String
  ) throws {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let bytes = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if bytes < 0, errno == EINTR { continue }
      guard bytes >= 0 else {
        throw unreadable("\(what) cannot be read: \(systemReason())")
      }
      guard bytes > 0 else { throw invalid("\(what) ends early, the file was shortened") }
      done += bytes
    }
    try requireUnchanged()
  }
}

extension HDF5File {
  /// Checks that the library has listed all links of a group.
  ///
  /// - Throws: `DepthError` with code `damaged` if the group is missing or damaged; with code `unsupportedFormat`
  ///   if the group has more than ``HDF5Limits/members`` links.
  package func requireGroup(_ path: String, in description: HDF5Description) throws {
    guard let group = description[path] else { throw damaged("group '\(path)'") }
    guard group.links <= HDF5Limits.members else {
      throw unsupported("group '\(path)' has more than \(HDF5Limits.members) links")
    }
    guard group.kind == .group else { throw damaged("group '\(path)'", group.cause) }
  }
}

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

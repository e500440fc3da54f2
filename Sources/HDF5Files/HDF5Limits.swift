/// What an archive may claim at most, checked before anything of that size is allocated.
///
/// The largest network this package knows has 394 tensors, 63.6 million values in all and 9.4 million
/// in one tensor; the limits leave room for relatives of it and none for a damaged header.
package enum HDF5Limits {
  /// Values of one dataset: half a gigabyte as 32-bit floats.
  package static let elements = 1 << 27
  /// Values of all datasets of a weight archive: one gigabyte as 32-bit floats.
  package static let totalElements = 1 << 28
  /// Values of all frames of a series together, of which one is read at a time.
  package static let seriesElements = 1 << 40
  /// Links in one group, and attributes on one object.
  package static let members = 4096
  /// Bytes of one attribute or of one string.
  package static let attributeBytes = 1 << 16
  /// Bytes of one chunk before compression.
  package static let chunkBytes = 1 << 28
  /// Chunks of one dataset.
  package static let chunks = 4096
  /// Chunks of all frames of a series together, and of one frame.
  package static let seriesChunks = 1 << 30
  package static let frameChunks = 1 << 17
  /// Chunks without a filter, whose true sizes the library takes time in their square to tell.
  package static let unfilteredChunks = 1 << 14
  /// Bytes of one element.
  package static let elementBytes = 1 << 16
}

/// Limits on the claims of a file, checked before memory of that size is allocated.
///
/// The largest network of this package, Depth Anything V2 Large, has some 450 tensors with 335 million values. The largest
/// tensor has 9.4 million values.
package enum HDF5Limits {
  /// Values per dataset: half a gigabyte as 32-bit floats.
  package static let elements = 1 << 27
  /// Values in all datasets of a weights file: two gigabytes as 32-bit floats.
  package static let totalElements = 1 << 29
  /// Values in all frames of a series. Frames are read one at a time.
  static let seriesElements = 1 << 40
  /// Links per group.
  package static let members = 4096
  /// Bytes per attribute.
  static let attributeBytes = 1 << 16
  /// Bytes per chunk before compression.
  package static let chunkBytes = 1 << 28
  /// Chunks per dataset.
  package static let chunks = 4096
  /// Chunks in all frames of a series.
  static let seriesChunks = 1 << 30
  /// Chunks per frame of a series.
  static let frameChunks = 1 << 17
  /// Unfiltered chunks per dataset. The library takes O(n²) time to report the sizes of unfiltered chunks.
  static let unfilteredChunks = 1 << 14
  /// Bytes per element.
  package static let elementBytes = 1 << 16
}

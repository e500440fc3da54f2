#if HDF5
  package import HDF5Files
  package import NeuralEngine

  /// Writes an archive as an HDF5 file. Every tensor is contiguous float32.
  ///
  /// - Parameter version: 2 for a file that begins with checksums.
  package func writeHDF5(
    _ archive: any WeightArchive, attributes: [String: HDF5Attribute], to path: String,
    version: Int = 1
  ) throws {
    let writer = try HDF5Writer(path: path, hasBlock: version == 2)
    var attributes = attributes
    if version == 2 { attributes["format_version"] = .integers([2]) }
    for (name, value) in attributes { try writer.set(name, value) }
    for (name, shape) in archive.shapes.sorted(by: { $0.key < $1.key }) {
      try writer.write(try archive.elements(of: name), shape: shape, to: name)
    }
  }
#endif

public import NeuralEngine

/// Writes an archive as an HDF5 file, every tensor contiguous float32.
public func writeHDF5(
  _ archive: any WeightArchive, attributes: [String: WeightAttribute], to path: String
) throws {
  let writer = try HDF5Writer(path: path)
  for (name, value) in attributes { try writer.set(name, value) }
  for (name, shape) in archive.shapes.sorted(by: { $0.key < $1.key }) {
    try writer.write(try archive.elements(of: name), shape: shape, to: name)
  }
}

import WeightsFiles
import _TestSupport

/// An archive of the file that `fill` writes.
///
/// - Parameters:
///   - attributes: Names of the attributes to read.
///   - hasBlock: Whether the file is of version 2.
func archive(
  attributes: [String] = HDF5WeightArchive.publishedAttributes, hasBlock: Bool = false,
  _ fill: (HDF5Writer) throws -> Void
) throws -> HDF5WeightArchive {
  let folder = try TemporaryFolder()
  let path = folder.path("w.h5")
  do {
    let writer = try HDF5Writer(path: path, hasBlock: hasBlock)
    try fill(writer)
  }
  return try HDF5WeightArchive(path: path, attributes: attributes)
}

/// Writes generated weights with their attributes. `storage` chooses the storage of a tensor by the
/// tensor's shape.
func write(
  _ weights: GeneratedWeights, to path: String,
  as storage: ([Int]) -> HDF5Writer.Storage = { _ in .init(.float32) }
) throws {
  let writer = try HDF5Writer(path: path)
  for (name, value) in weights.attributes { try writer.set(name, value) }
  for tensor in weights.tensors {
    try writer.write(
      tensor.elements(), shape: tensor.shape, to: tensor.name, as: storage(tensor.shape))
  }
}

/// Values between -2 and 2 without a pattern. No value is subnormal as binary16.
func testValues(_ count: Int) -> [Float] {
  let stream = CounterStream("test values")
  return (0..<count).map { i in
    let magnitude = Float(stream[i]) * 0x1p-24 + 0x1p-6
    return i % 2 == 0 ? magnitude : -2 * magnitude
  }
}

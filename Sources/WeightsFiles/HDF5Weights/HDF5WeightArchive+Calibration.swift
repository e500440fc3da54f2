import HDF5Files
package import NeuralEngine

extension HDF5WeightArchive {
  /// Writes the scales of layers into a weights file, in place of those that it has, and its checksums again.
  ///
  /// - Parameters:
  ///   - attributes: Numbers of the root.
  ///   - path: A file of its own that was loaded before.
  ///   - name: What errors call the file.
  /// - Throws: `DepthError` with code `unwritable`.
  package static func write(
    _ layers: [CalibratedLayer], attributes: [(name: String, value: Double)],
    into path: String, name: String
  ) throws {
    var additions = HDF5Additions()
    for layer in layers {
      additions.datasets.append(("\(layer.layer)/activation_scale", layer.inputScale))
      if let scale = layer.residualScale {
        additions.datasets.append(("\(layer.layer)/residual_scale", scale))
      }
    }
    additions.attributes = attributes
    try additions.write(into: path, name: name)
  }
}

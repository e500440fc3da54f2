import HDF5Files
package import NeuralEngine

extension HDF5WeightArchive {
  /// Writes the scales of layers to a weights file, replaces existing scales, and updates the file's
  /// checksums.
  ///
  /// - Parameters:
  ///   - attributes: Numeric attributes of the root.
  ///   - path: A private copy of a file that was loaded before.
  ///   - name: The file's name in errors.
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

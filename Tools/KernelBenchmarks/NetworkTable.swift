import NeuralEngine

/// The table of one network, and its totals.
struct NetworkTable {
  let name: String
  let ceilings: Ceilings
  /// Seconds of all layers with the algorithms that the network uses.
  private var used = 0.0
  private var usedBytes = 0

  init(name: String, ceilings: Ceilings) { (self.name, self.ceilings) = (name, ceilings) }

  var header: String {
    "\n\(name)\n"
      + padded("layer", 25) + padded("times", -5) + "  " + padded("kernel", 9)
      + padded("reads", 14) + padded("writes", 15) + padded("algorithm", 13) + padded("ms", -7)
      + padded("GFLOP/s", -9) + padded("% sgemm", -9) + padded("% roof", -8) + "\n"
  }

  /// One row of the table.
  ///
  /// - Parameter seconds: Time of a single layer of the group.
  mutating func row(
    _ group: KernelBenchmark.Group, _ kernel: KernelCase, seconds: Double
  ) -> String {
    let layer = group.layer
    let rate = 2e-9 * Double(layer.multiplyAdds) / seconds
    let isUsed =
      kernel.algorithm == KernelCase.chosen(for: layer)
    if isUsed {
      used += Double(group.count) * seconds
      usedBytes += group.count * kernel.weightBytes
    }
    let (input, output) = (layer.input, layer.output)
    return padded(layer.name, 25) + padded("\(group.count)×", -5) + "  "
      + padded("\(layer.operation)", 9)
      + padded("\(input.height)×\(input.width)×\(input.channels)", 14)
      + padded("\(output.height)×\(output.width)×\(output.channels)", 15)
      + padded("\(kernel.algorithm)" + (isUsed ? " *" : ""), 13)
      + padded(fixed(seconds * 1e3, 3), -7) + padded(fixed(rate, 0), -9)
      + padded(fixed(100 * rate / ceilings.arithmetic, 0), -9)
      + padded(fixed(100 * ceilings.leastSeconds(of: kernel) / seconds, 0), -8) + "\n"
  }

  var total: String {
    "* used by the network: \(fixed(used * 1e3, 1)) ms, "
      + "\(fixed(Double(usedBytes) / 1_048_576, 0)) MB of packed weights\n"
  }
}

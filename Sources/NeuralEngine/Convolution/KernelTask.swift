/// A part of one kernel's outputs, which one thread computes.
struct KernelTask: Sendable {
  var kernel, image: Int
  var lines, panels: Range<Int>

  /// Weights up to this many bytes stay in the second-level cache while a task goes through its lines.
  private static let privateWeights = 256 << 10

  /// Divides the outputs of all kernels of a convolution.
  ///
  /// - Parameters:
  ///   - kernels: Bytes and panels of each kernel's packed weights.
  ///   - lines: Lines of output of each kernel in an image.
  ///   - wanted: About how many tasks there are at least, so that threads of unequal speed finish together. Too few lines
  ///     give fewer.
  static func tasks(
    of kernels: [(bytes: Int, panels: Int)], images: Int, lines: Int, wanted: Int
  ) -> [KernelTask] {
    let share = kernels.count * images
    return kernels.enumerated().flatMap { index, kernel -> [KernelTask] in
      // Neighbouring panels stay together: the kernel fetches the next one while it works on a panel.
      let panelBlocks =
        kernel.bytes > privateWeights
        ? min(kernel.panels, max((wanted + share - 1) / share, 1)) : 1
      let lineBlocks = min(max(wanted / (panelBlocks * share), 1), lines)
      return (0..<images).flatMap { image in
        (0..<panelBlocks).flatMap { panel in
          (0..<lineBlocks).map { line in
            KernelTask(
              kernel: index, image: image,
              lines: line * lines / lineBlocks..<(line + 1) * lines / lineBlocks,
              panels: panel * kernel.panels / panelBlocks..<(panel + 1) * kernel.panels
                / panelBlocks)
          }
        }
      }
    }
  }
}

/// A part of one kernel's outputs, computed by one thread.
struct KernelTask: Sendable {
  var kernel, image: Int
  var lines, panels: Range<Int>

  /// Maximum bytes of weights that stay in the second-level cache while a task processes its lines.
  private static let privateWeights = 256 << 10

  /// Divides the outputs of all kernels of a convolution.
  ///
  /// - Parameters:
  ///   - kernels: Bytes and panels of each kernel's packed weights.
  ///   - lines: Lines of output per image, for each kernel.
  ///   - wanted: Approximate minimum number of tasks, so that threads of unequal speed finish together. With few lines,
  ///     there are fewer tasks.
  static func tasks(
    of kernels: [(bytes: Int, panels: Int)], images: Int, lines: Int, wanted: Int
  ) -> [KernelTask] {
    let share = kernels.count * images
    return kernels.enumerated().flatMap { index, kernel -> [KernelTask] in
      // Adjacent panels stay in one task, since the kernel prefetches the next panel.
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

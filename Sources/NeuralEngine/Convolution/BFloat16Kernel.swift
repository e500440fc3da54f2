import CDepthSIMD
import DepthBase

/// The kernel of a convolution in bfloat16, its weights rounded and packed in the order in which the kernel reads them.
struct BFloat16Kernel: Sendable {
  let place: KernelPlace
  /// Panels of rows · pairs × panel width × 2 weights; the pairs of a row go through its taps and their channels.
  let weights: AlignedBuffer
  /// Columns and bytes of one panel.
  let panelWidth, panelBytes: Int
  let panels: Int

  /// - Parameters:
  ///   - inputChannels: Channels of the map.
  ///   - outputChannels: Channels of the result.
  ///   - kernels: Reads the kernels of some output channels in OIHW order.
  /// - Throws: Whatever `kernels` throws.
  init(
    _ place: KernelPlace, inputChannels: Int, outputChannels: Int, kernels: @escaping KernelRows,
    on instructionSet: BFloat16InstructionSet, _ team: ThreadTeam
  ) throws {
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    let (taps, pairs) = (place.height * place.width, (place.width * inputChannels + 1) / 2)
    let panels = (outputChannels + width - 1) / width
    let panelBytes = place.height * pairs * width * 4
    let weights = AlignedBuffer(count: panels * panelBytes / 4)
    // Of each tap: the first pair of its row, and its first value there.
    let firstPair = (0..<taps).map { $0 / place.width * pairs }
    let firstValue = (0..<taps).map { $0 % place.width * inputChannels }
    try team.forEachThrowing(panels) { panel in
      let columns = panel * width..<min((panel + 1) * width, outputChannels)
      let floats = try kernels(columns)
      let rounded = unsafe [UInt16](unsafeUninitializedCapacity: floats.count) { values, count in
        unsafe floats.withUnsafeBufferPointer { floats in
          guard let from = floats.baseAddress, let to = values.baseAddress else { return }
          unsafe instructionSet.kernels.pointee.round(floats.count, from, to)
        }
        count = floats.count
      }
      let base = unsafe UnsafeMutableRawPointer(weights.base) + panel * panelBytes
      let packed = unsafe base.bindMemory(to: UInt16.self, capacity: panelBytes / 2)
      unsafe packed.update(repeating: 0, count: panelBytes / 2)
      unsafe rounded.withUnsafeBufferPointer { rounded in
        var source = 0
        for column in 0..<columns.count {
          for c in 0..<inputChannels {
            for tap in 0..<taps {
              let value = firstValue[tap] + c
              let pair = firstPair[tap] + value / 2
              unsafe packed[(pair * width + column) * 2 + value % 2] = rounded[source]
              source += 1
            }
          }
        }
      }
    }
    (self.place, self.weights, self.panels) = (place, weights, panels)
    (self.panelWidth, self.panelBytes) = (width, panelBytes)
  }

  /// Bytes of the packed weights.
  var bytes: Int { panels * panelBytes }
}

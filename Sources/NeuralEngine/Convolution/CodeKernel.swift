import CDepthSIMD
import DepthBase

/// Reads the kernels of some output channels, quantized to signed 8-bit integers in OIHW order, and the scale of each
/// channel.
package typealias KernelCodes =
  @Sendable (_ outputChannels: Range<Int>) throws -> (codes: [Int8], steps: [Double])

/// One small convolution of quantized maps, packed in the order in which the kernel reads it.
struct CodeKernel: Sendable {
  let place: KernelPlace
  /// Whether the packed weights of a row of taps have no gaps between taps.
  let readsRows: Bool
  /// Panels of taps · quads × panel width × 4 bytes.
  let weights: AlignedBuffer
  /// Bytes of one panel.
  let panelBytes: Int
  let panels: Int
  /// What makes results of sums.
  let scales: CodeScales

  /// - Parameters:
  ///   - inputChannels: Channels of the map.
  ///   - outputChannels: Channels of the result.
  ///   - kernels: Reads codes and steps.
  ///   - bias: One value per output channel.
  ///   - input: The codes of the map.
  ///   - output: The codes of each output channel; `nil` for floats.
  ///   - residual: The codes of the map that is added.
  ///   - readsRows: Whether the map's pixels lie without gaps; see ``CodeConvolution/Codes``.
  ///   - packing: Fills the kernel's weights; it throws whatever `kernels` throws.
  init(
    _ place: KernelPlace, inputChannels: Int, outputChannels: Int, kernels: @escaping KernelCodes,
    bias: [Float], input: MapCodes, output: [MapCodes]?, residual: MapCodes?,
    readsRows: Bool = false, for instructionSet: CodeInstructionSet, packing: inout DeferredPacking
  ) {
    self.place = place
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    self.readsRows = readsRows
    // A row of taps is as one tap of more channels.
    let taps = readsRows ? place.height : place.height * place.width
    let channels = readsRows ? place.width * inputChannels : inputChannels
    let kernels = readsRows ? Self.rows(of: kernels, place, channels: inputChannels) : kernels
    let panels = (outputChannels + width - 1) / width
    let panelBytes = taps * ((channels + 3) / 4) * width * 4
    let weights = packing.buffer(count: panels * panelBytes / 4)
    let scales = CodeScales(channels: panels * width)
    packing.add(panels) { panel in
      let columns = panel * width..<min((panel + 1) * width, outputChannels)
      let (codes, steps) = try kernels(columns)
      let packed = unsafe UnsafeMutableRawPointer(weights.base) + panel * panelBytes
      let sums = unsafe [Int32](unsafeUninitializedCapacity: columns.count) { sums, count in
        count = columns.count
        unsafe codes.withUnsafeBufferPointer { codes in
          guard let first = codes.baseAddress, let sums = sums.baseAddress else { return }
          precondition(codes.count == columns.count * channels * taps)
          let panel = unsafe ck_code_panel(
            codes: first, columns: columns.count, channels: channels, taps: taps, width: width,
            packed: packed.bindMemory(to: Int8.self, capacity: panelBytes), sums: sums)
          unsafe withUnsafePointer(to: panel) { unsafe ck_pack_codes($0) }
        }
      }
      for (column, channel) in columns.enumerated() {
        scales.set(
          channel, sum: Int(sums[column]), step: steps[column], bias: bias[channel], input: input,
          output: output?[channel], residual: residual)
      }
    }
    (self.weights, self.panels, self.panelBytes) = (weights, panels, panelBytes)
    self.scales = scales
  }

  /// The kernels with the columns of a row as channels: in the order of output, column, input and row.
  private static func rows(
    of kernels: @escaping KernelCodes, _ place: KernelPlace, channels: Int
  ) -> KernelCodes {
    let (height, width) = (place.height, place.width)
    return { columns in
      let read = try kernels(columns)
      var codes: [Int8] = []
      codes.reserveCapacity(read.codes.count)
      for output in 0..<columns.count {
        for column in 0..<width {
          for channel in 0..<channels {
            for row in 0..<height {
              codes.append(
                read.codes[((output * channels + channel) * height + row) * width + column])
            }
          }
        }
      }
      return (codes, read.steps)
    }
  }

  /// Bytes of the packed weights.
  var bytes: Int { panels * panelBytes }
}

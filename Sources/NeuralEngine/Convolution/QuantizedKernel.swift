import CDepthSIMD
import DepthBase

/// Reads the kernels of some output channels, quantized to signed 8-bit integers in OIHW order, with the scale of
/// each channel.
package typealias QuantizedRows =
  @Sendable (_ outputChannels: Range<Int>) throws -> (values: [Int8], scales: [Double])

/// One small convolution of quantized maps, packed in the kernel's reading order.
struct QuantizedKernel: Sendable {
  let place: KernelPlace
  /// Whether the packed weights of a row of taps have no gaps between taps.
  let readsRows: Bool
  /// Panels of taps · quads × panel width × 4 bytes.
  let weights: AlignedBuffer
  /// Bytes of one panel.
  let panelBytes: Int
  let panels: Int
  let requantization: Requantization

  /// - Parameters:
  ///   - inputChannels: Channels of the map.
  ///   - outputChannels: Channels of the result.
  ///   - kernels: Reads quantized weights and their scales.
  ///   - bias: One value per output channel.
  ///   - input: The quantization of the map.
  ///   - output: The quantization of each output channel; `nil` for floats.
  ///   - residual: The quantization of the added map.
  ///   - readsRows: Whether pixels of the map have no gaps between them; see ``MapQuantizations``.
  ///   - packing: Packs the weights, and throws the errors of `kernels`.
  init(
    _ place: KernelPlace, inputChannels: Int, outputChannels: Int, kernels: @escaping QuantizedRows,
    bias: [Float], input: MapQuantization, output: [MapQuantization]?, residual: MapQuantization?,
    readsRows: Bool = false, for instructionSet: Int8InstructionSet, packing: inout DeferredPacking
  ) {
    self.place = place
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    self.readsRows = readsRows
    // A row of taps counts as one tap with more channels.
    let taps = readsRows ? place.height : place.height * place.width
    let channels = readsRows ? place.width * inputChannels : inputChannels
    let kernels = readsRows ? Self.rows(of: kernels, place, channels: inputChannels) : kernels
    let panels = (outputChannels + width - 1) / width
    let panelBytes = taps * ((channels + 3) / 4) * width * 4
    let weights = packing.buffer(count: panels * panelBytes / 4)
    let requantization = Requantization(channels: panels * width)
    packing.add(panels) { panel in
      let columns = panel * width..<min((panel + 1) * width, outputChannels)
      let (values, scales) = try kernels(columns)
      let packed = unsafe UnsafeMutableRawPointer(weights.base) + panel * panelBytes
      let sums = unsafe [Int32](unsafeUninitializedCapacity: columns.count) { sums, count in
        count = columns.count
        unsafe values.withUnsafeBufferPointer { values in
          guard let first = values.baseAddress, let sums = sums.baseAddress else { return }
          precondition(values.count == columns.count * channels * taps)
          let panel = unsafe ck_int8_panel(
            quantized: first, columns: columns.count, channels: channels, taps: taps, width: width,
            packed: packed.bindMemory(to: Int8.self, capacity: panelBytes), sums: sums)
          unsafe withUnsafePointer(to: panel) { unsafe ck_pack_int8($0) }
        }
      }
      for (column, channel) in columns.enumerated() {
        requantization.set(
          channel, sum: Int(sums[column]), scale: scales[column], bias: bias[channel], input: input,
          output: output?[channel], residual: residual)
      }
    }
    (self.weights, self.panels, self.panelBytes) = (weights, panels, panelBytes)
    self.requantization = requantization
  }

  /// The kernels with a row's columns as channels, in the order output, column, input, row.
  private static func rows(
    of kernels: @escaping QuantizedRows, _ place: KernelPlace, channels: Int
  ) -> QuantizedRows {
    let (height, width) = (place.height, place.width)
    return { columns in
      let read = try kernels(columns)
      var values: [Int8] = []
      values.reserveCapacity(read.values.count)
      for output in 0..<columns.count {
        for column in 0..<width {
          for channel in 0..<channels {
            for row in 0..<height {
              values.append(
                read.values[((output * channels + channel) * height + row) * width + column])
            }
          }
        }
      }
      return (values, read.scales)
    }
  }

  /// Bytes of the packed weights.
  var bytes: Int { panels * panelBytes }
}

import CDepthSIMD
import SIMDKernels
import ThreadTeams

/// Reads the kernels of some output channels as signed 8-bit codes in OIHW order, and the step of each channel.
package typealias KernelCodes =
  @Sendable (_ outputChannels: Range<Int>) throws -> (codes: [Int8], steps: [Double])

/// One small convolution on codes, packed in the order in which the kernel reads it.
struct CodeKernel: Sendable {
  let height, width: Int
  /// Rows above and columns left of an output that the kernel reads.
  let top, left: Int
  /// Where its first output is in the result, for an up-convolution's phases.
  let firstRow, firstColumn: Int
  /// Panels of taps · quads × panel width × 4 bytes.
  let weights: AlignedBuffer
  /// Bytes of one panel.
  let panelBytes: Int
  let panels: Int
  /// What makes results of sums.
  let scales: CodeScales

  /// The kernel's place among those of its convolution.
  struct Place: Sendable {
    var height, width, top, left: Int
    var firstRow = 0
    var firstColumn = 0
  }

  /// - Parameters:
  ///   - inputChannels: Channels of the map.
  ///   - outputChannels: Channels of the result.
  ///   - kernels: Reads codes and steps.
  ///   - bias: One value per output channel.
  ///   - input: The codes of the map.
  ///   - output: The codes of each output channel; `nil` for floats.
  ///   - residual: The codes of the map that is added.
  /// - Throws: Whatever `kernels` throws.
  init(
    _ place: Place, inputChannels: Int, outputChannels: Int, kernels: @escaping KernelCodes,
    bias: [Float], input: MapCodes, output: [MapCodes]?, residual: MapCodes?,
    on instructionSet: CodeInstructionSet, _ team: ThreadTeam
  ) throws {
    (height, width, top, left) = (place.height, place.width, place.top, place.left)
    (firstRow, firstColumn) = (place.firstRow, place.firstColumn)
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    let (taps, quads) = (place.height * place.width, (inputChannels + 3) / 4)
    let panels = (outputChannels + width - 1) / width
    let panelBytes = taps * quads * width * 4
    let weights = AlignedBuffer(count: panels * panelBytes / 4)
    let scales = CodeScales(channels: panels * width)
    try team.forEachThrowing(panels) { panel in
      let columns = panel * width..<min((panel + 1) * width, outputChannels)
      let (codes, steps) = try kernels(columns)
      let base = unsafe UnsafeMutableRawPointer(weights.base) + panel * panelBytes
      let packed = unsafe base.bindMemory(to: Int8.self, capacity: panelBytes)
      unsafe codes.withUnsafeBufferPointer { codes in
        unsafe Self.pack(
          codes, inputChannels: inputChannels, taps: taps, columns: columns.count, width: width,
          into: packed)
        let perColumn = inputChannels * taps
        for (column, channel) in columns.enumerated() {
          let sum = unsafe codes[column * perColumn..<(column + 1) * perColumn]
            .reduce(Int32(0)) { $0 &+ Int32($1) }
          scales.set(
            channel, sum: Int(sum), step: steps[column], bias: bias[channel], input: input,
            output: output?[channel], residual: residual)
        }
      }
    }
    (self.weights, self.panels, self.panelBytes) = (weights, panels, panelBytes)
    self.scales = scales
  }

  /// Writes the codes of one panel, OIHW, as quads of channels: taps × quads × columns × 4, with zeros for the
  /// channels and columns that there are not.
  private static func pack(
    _ codes: UnsafeBufferPointer<Int8>, inputChannels: Int, taps: Int, columns: Int, width: Int,
    into packed: UnsafeMutablePointer<Int8>
  ) {
    let quads = (inputChannels + 3) / 4
    if columns < width || inputChannels % 4 != 0 {
      unsafe packed.update(repeating: 0, count: taps * quads * width * 4)
    }
    guard let source = codes.baseAddress else { return }
    // Row after row of the panel is written. What is read for one quad stays in the cache for all taps.
    for quad in 0..<quads {
      let channels = min(4, inputChannels - 4 * quad)
      for tap in 0..<taps {
        var place = unsafe UnsafeMutableRawPointer(packed) + 4 * (tap * quads + quad) * width
        var first = unsafe source + 4 * quad * taps + tap
        for _ in 0..<columns {
          if channels == 4, taps == 1 {
            unsafe place.storeBytes(
              of: UnsafeRawPointer(first).loadUnaligned(as: UInt32.self), as: UInt32.self)
          } else if channels == 4 {
            // One store, the first channel in the lowest byte.
            let (a, b) = unsafe (first[0], first[taps])
            let (c, d) = unsafe (first[2 * taps], first[3 * taps])
            let low = UInt32(UInt8(bitPattern: a)) | UInt32(UInt8(bitPattern: b)) << 8
            let high = UInt32(UInt8(bitPattern: c)) | UInt32(UInt8(bitPattern: d)) << 8
            unsafe place.storeBytes(of: (low | high << 16).littleEndian, as: UInt32.self)
          } else {
            for c in 0..<channels {
              unsafe place.storeBytes(of: first[c * taps], toByteOffset: c, as: Int8.self)
            }
          }
          unsafe place += 4
          unsafe first += inputChannels * taps
        }
      }
    }
  }

  /// Bytes of the packed weights.
  var bytes: Int { panels * panelBytes }
}

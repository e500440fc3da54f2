import DepthBase
import DepthErrors

/// The kernel and bias of one convolution, into which the following batch norm is folded:
///
///     s = γ / √(variance + ε),  kernel′ = kernel · s,  bias′ = (bias − mean) · s + β
///
/// Folding is exact if the padding of the convolution's input is zero, as in all of these networks. Compilation
/// reads the kernel a few channels at a time.
struct ConvolutionWeights: Sendable {
  let outputChannels: Int
  /// Weights per output channel.
  let kernelCount: Int
  /// bias′, one value per output channel.
  let bias: [Float]
  /// The weights' group.
  let layer: String
  private var kernelName: String { "\(layer)/kernel" }
  /// s, one value per output channel; `nil` without batch norm.
  private let scale: [Double]?
  private let archive: any WeightArchive
  /// The whole kernel, read once; `nil` if the archive reads parts.
  private let whole: LazyValue<[Float]>?

  /// - Parameters:
  ///   - layer: Name of the convolution's group.
  ///   - norm: Name of the batch norm's group; `nil` without batch norm.
  ///   - hasBias: Whether the published convolution has a bias in addition to its batch norm.
  ///   - shape: The kernel's shape, OIHW.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  init(
    _ weights: WeightScope, layer: String, norm: String?, hasBias: Bool, shape: [Int]
  ) throws {
    archive = weights.archive
    self.layer = layer
    let kernelName = "\(layer)/kernel"
    whole = archive.readsRows(of: kernelName) ? nil : LazyValue()
    outputChannels = shape[0]
    kernelCount = shape.dropFirst().reduce(1, *)
    try weights.require(kernelName, shape: shape)
    // Quantization divides by the largest magnitude of a channel, so no scale becomes negative.
    if let factors = try archive.factors(of: kernelName),
      let index = factors.firstIndex(where: { $0 < 0 })
    {
      throw DepthError.senseless(
        file: archive.name, name: "\(layer)/scale", value: factors[index], index: index,
        expected: "a positive number")
    }
    let channels = shape[0]
    let published =
      hasBias || weights.isFolded
      ? try weights.vector("\(layer)/bias", count: channels)
      : [Float](repeating: 0, count: channels)
    guard let norm, !weights.isFolded else {
      (bias, scale) = (published, nil)
      return
    }
    let gamma = try weights.vector("\(norm)/gamma", count: channels)
    let beta = try weights.vector("\(norm)/beta", count: channels)
    let mean = try weights.vector("\(norm)/mean", count: channels)
    let variance = try weights.vector("\(norm)/variance", count: channels)
    let scale = (0..<channels).map {
      Double(gamma[$0]) / (Double(variance[$0]) + weights.batchNormEpsilon).squareRoot()
    }
    // A variance below −ε yields NaN. The error names the variance, not the kernel.
    if let index = scale.firstIndex(where: { !$0.isFinite }) {
      throw DepthError.nonFinite(file: archive.name, name: "\(norm)/variance", index: index)
    }
    bias = (0..<channels).map { channel in
      let centered = Double(published[channel]) - Double(mean[channel])
      return Float(centered * scale[channel] + Double(beta[channel]))
    }
    self.scale = scale
  }

  /// Values that ``readAhead()`` holds in memory; 0 if the archive reads parts.
  var readAheadCount: Int { whole == nil ? 0 : outputChannels * kernelCount }

  /// Reads the kernel before ``rows`` does, so that several kernels can be decompressed in parallel.
  ///
  /// - Throws: `DepthError` when the kernel cannot be read.
  func readAhead() throws {
    _ = try whole?.value { try archive.elements(of: kernelName) }
  }

  /// Frees the kernel that ``readAhead()`` read.
  func forget() { whole?.clear() }

  /// Reads, checks and folds the kernels of some output channels.
  var rows: KernelRows {
    { channels in
      var kernels = try stored(channels)
      if let scale {
        for (row, channel) in channels.enumerated() {
          let s = scale[channel]
          for i in row * kernelCount..<(row + 1) * kernelCount {
            kernels[i] = Float(Double(kernels[i]) * s)
          }
        }
      }
      return kernels
    }
  }

  /// Reads and checks the kernels of some output channels, without folding.
  private func stored(_ channels: Range<Int>) throws -> [Float] {
    let first = channels.lowerBound * kernelCount
    let kernels: [Float]
    if let whole {
      let all = try whole.value { try archive.elements(of: kernelName) }
      kernels = Array(all[first..<channels.upperBound * kernelCount])
    } else {
      kernels = try archive.elements(of: kernelName, rows: channels)
    }
    try WeightScope.requireFinite(kernels, of: kernelName, first: first, in: archive)
    return kernels
  }
}

/// Quantized kernels, and the scales of the maps around a convolution.
extension ConvolutionWeights {
  /// The kernels of some output channels as signed 8-bit integers. They are the archive's own integers, or
  /// otherwise symmetric integers whose largest magnitude is 127. A batch norm changes only the scales.
  ///
  /// - Throws: `DepthError` when the kernel cannot be read or is not finite.
  func quantizedRows() throws -> QuantizedRows {
    let factors = try archive.factors(of: kernelName)
    return { channels in
      // If no factor can make an integer too large, values need no check.
      if let factors, channels.allSatisfy({ factors[$0] * 128 < WeightScope.largestMagnitude }),
        let values = try archive.integers(of: kernelName, rows: channels)
      {
        return (values, channels.map { Double(factors[$0]) * (scale?[$0] ?? 1) })
      }
      let kernels = try stored(channels)
      var values: [Int8] = []
      values.reserveCapacity(kernels.count)
      var scales: [Double] = []
      for (row, channel) in channels.enumerated() {
        let range = row * kernelCount..<(row + 1) * kernelCount
        var own = factors.map { Double($0[channel]) }
        if own == nil {
          own = Double(kernels[range].reduce(0) { max($0, abs($1)) }) / 127
        }
        let reciprocal = own.map { $0 == 0 ? 0 : Float(1 / $0) } ?? 0
        values += kernels[range].map { weight in
          // Adding 1.5 · 2²³ leaves the nearest integer, ties to even, in the lowest bits.
          let shifted = weight * reciprocal + 12_582_912
          let integer = Int32(bitPattern: shifted.bitPattern) - 0x4B40_0000
          return Int8(truncatingIfNeeded: min(max(integer, -128), 127))
        }
        scales.append((own ?? 0) * (scale?[channel] ?? 1))
      }
      return (values, scales)
    }
  }

  /// The scale of the convolution's input; `nil` if the layer is not calibrated.
  ///
  /// - Throws: `DepthError` if the scale cannot be read or is not a positive number.
  func inputScale() throws -> Float? {
    try checked(archive.inputScale(of: layer), "activation_scale")
  }

  /// The scale of the residual; `nil` without a residual or a calibration.
  ///
  /// - Throws: `DepthError` if the scale cannot be read or is not a positive number.
  func residualScale() throws -> Float? {
    try checked(archive.residualScale(of: layer), "residual_scale")
  }

  private func checked(_ scale: Float?, _ name: String) throws -> Float? {
    guard let scale, !(scale.isNormal && scale > 0) else { return scale }
    throw DepthError(
      .damaged, file: archive.name,
      "'\(layer)/\(name)' is \(scale), expected a positive number")
  }
}

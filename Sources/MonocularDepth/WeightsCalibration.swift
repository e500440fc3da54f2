import DepthBase
import DepthErrors
package import DepthImages
import DepthNetworks
package import NeuralEngine
package import SystemEssentials
package import WeightsFiles

/// The scales for quantizing a network's maps to 8 bits, from the largest magnitudes of the network's float32 run on
/// photos. Empty for networks that measure their scales in each run.
///
/// > Source: R. Krishnamoorthi. “Quantizing deep convolutional networks for efficient inference: A whitepaper.” 2018.
/// > [arXiv:1806.08342](https://arxiv.org/abs/1806.08342), section 3.1.
package struct WeightsCalibration: Sendable {
  package let layers: [CalibratedLayer]
  private let weights: URL
  private let isPublished: Bool

  /// - Parameters:
  ///   - weights: A weights file.
  ///   - kind: The kind of published weights, as given by the user; used if the file records none.
  ///   - count: Number of photos, at least one.
  ///   - threads: Number of threads, 1…256; by default one per processor.
  ///   - photo: Reads the photo of an index.
  /// - Throws: `DepthError`, and whatever `photo` throws.
  package init(
    weights: URL, kind: WeightsKind? = nil, photos count: Int, threads: Int?,
    photo: (Int) throws -> Image
  ) throws {
    self.weights = weights
    let threads = try ThreadCount.checked(threads)
    let opened = try WeightsSource.file(weights).opened(kind: kind)
    isPublished = opened.archive.isPublished
    let network = try LoadedNetwork(
      opened, call: CallContext(threads: threads), backend: .best, precision: .float32)
    guard case .fcrn = network.configuration else {
      // The scales of tokens are measured during each run, so only the loss is computed here.
      layers = []
      return
    }
    let names = Set(network.program.valueNames)
    var largest: [String: Float] = [:]
    let memory = MemoryPool()
    for index in 0..<count {
      let size = network.inputSize
      let image = resizedLanczos(
        try photo(index), height: size.height, width: size.width, threads: threads)
      let input = network.input(for: image, addsMirrored: false, threads: threads) { _, _ in image }
      let plan = network.program.memoryPlan(forInput: input.shape, threads: threads)
      let maps = try memory.withMemory(for: plan) {
        try network.program.run(input, in: $0, keeping: names).kept
      }
      for (name, map) in maps {
        largest[name] = map.elements.reduce(largest[name] ?? 0) { max($0, abs($1)) }
      }
    }
    layers = opened.network.output.calibratedLayers(largest: largest)
  }

  /// The weights file with the scales added.
  ///
  /// - Parameter loss: The loss of δ1 by integers; `nil` if it was not measured.
  /// - Throws: `DepthError` if the file cannot be read, if the scales cannot be written, or if the file is a published
  ///   file, which cannot contain scales.
  package func calibrated(loss: Double? = nil) throws -> [UInt8] {
    guard !isPublished else {
      throw DepthError(
        .unsupportedFormat, file: weights.relativePath,
        "is a published file, which cannot store scales", cause: SettingAtFault.needlessScales)
    }
    let manager = FileManager.default
    let copy = manager.temporaryDirectory.appending(path: "depth-\(UUID().uuidString).h5")
    defer { try? manager.removeItem(at: copy) }
    let name = weights.relativePath
    do { try manager.copyItem(at: weights, to: copy) } catch {
      throw DepthError.unreadable(file: name, reason: "cannot be copied (\(error))")
    }
    try HDF5WeightArchive.write(
      layers, attributes: loss.map { [(Precision.lossAttribute, $0)] } ?? [],
      into: copy.path(percentEncoded: false), name: name)
    let bytes = try InputFile.bytes(of: copy)
    guard bytes.starts(with: WeightsBlock.magic) else { return bytes }
    let rest = Array(bytes.dropFirst(WeightsBlock.count))
    return WeightsBlock.bytes(for: rest) + rest
  }
}

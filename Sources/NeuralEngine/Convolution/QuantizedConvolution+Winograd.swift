import CDepthSIMD
import DepthBase

/// Winograd's F(4 × 4, 3 × 3) in integers: a quarter of the products, and sums equal to the direct convolution's.
///
/// Weights keep the layout of the direct convolution. Each task transforms the weights of one panel, which costs about as much
/// as the products of ``weightTiles`` tiles.
extension QuantizedConvolution {
  private static let tileSize = 4
  private static let positions = 36
  private static let weightTiles = 4
  /// With fewer channels, the transforms cost more than they save. Four times the sum over up to 1 827 channels fits 32 bits.
  private static let channels = 32...1800
  /// The gap between positions is one cache line. Strides of multiples of 4 KiB would map all positions to few cache sets.
  private static let gap = 64

  /// Returns whether Winograd's algorithm is expected to be faster for an input shape.
  func usesWinograd(for input: Tensor.Shape) -> Bool {
    guard unsafe instructionSet.kernels.pointee.winograd != nil,
      Self.channels.contains(inputChannels), kernels.allSatisfy({ $0.place.fitsWinograd }),
      geometry.map({ $0.outputShape(for: input).hasLayout(of: input) }) ?? true
    else { return false }
    let taps = kernels.reduce(0) { $0 + $1.place.height * $1.place.width }
    // Two taps need five points.
    let positions = kernels.reduce(0) { $0 + ($1.place.height + 3) * ($1.place.width + 3) }
    return positions * (Self.tiles(of: input) + Self.weightTiles) < taps * input.area
  }

  /// Number of tiles of one image.
  private static func tiles(of input: Tensor.Shape) -> Int {
    ((input.height + tileSize - 1) / tileSize) * ((input.width + tileSize - 1) / tileSize)
  }

  /// Floats of scratch for one run.
  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    guard usesWinograd(for: input) else { return 0 }
    return transformedCount(for: input) + threads * weightsCount
  }

  /// Number of quantized values per pixel, as read by the kernels.
  private var valuesPerPixel: Int { (inputChannels + 3) / 4 * 4 }

  /// Distance between positions of the transformed quantized values, in 16-bit values.
  private func positionStride(for input: Tensor.Shape) -> Int {
    input.count * Self.tiles(of: input) * valuesPerPixel + Self.gap / 2
  }

  /// Floats of the transformed quantized values.
  private func transformedCount(for input: Tensor.Shape) -> Int {
    Workspace.aligned((Self.positions * positionStride(for: input) + 1) / 2)
  }

  /// Floats of the transformed weights of one panel.
  private var weightsCount: Int {
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    return Workspace.aligned(Self.positions * (2 * valuesPerPixel * width + Self.gap) / 4)
  }

  /// Runs the calls for all kernels.
  ///
  /// - Parameter scratch: Offset of ``scratchCount(for:threads:)`` floats.
  func runWinograd(
    _ calls: [Call], _ input: Tensor.Shape, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    guard let transform = unsafe instructionSet.kernels.pointee.winograd_input,
      let perform = unsafe instructionSet.kernels.pointee.winograd
    else { return }
    let (tiles, panels, places) = (Self.tiles(of: input), kernels[0].panels, kernels.map(\.place))
    let memory = self.scratch(for: input, at: scratch)
    let weightsCount = self.weightsCount
    nonisolated(unsafe) let base = unsafe workspace.base
    nonisolated(unsafe) let calls = calls
    let parts = min(Self.wantedTasks, tiles)
    team.forEach(input.count * parts) { _, index in
      let (image, part) = index.quotientAndRemainder(dividingBy: parts)
      let task = KernelTask(kernel: 0, image: image, lines: 0..<input.height, panels: 0..<1)
      var arguments = unsafe memory.arguments(
        calls[0].arguments(for: task), places[0], image: image,
        tiles: part * tiles / parts..<(part + 1) * tiles / parts, base)
      unsafe transform(&arguments)
    }
    let columns = input.count * places.count * panels
    // Every block of tiles transforms the weights again.
    let blocks = max(min(Self.wantedTasks / columns, tiles / (12 * Self.weightTiles)), 1)
    team.forEach(columns * blocks) { worker, index in
      let (column, block) = index.quotientAndRemainder(dividingBy: blocks)
      let (rest, panel) = column.quotientAndRemainder(dividingBy: panels)
      let (image, kernel) = rest.quotientAndRemainder(dividingBy: places.count)
      let task = KernelTask(
        kernel: kernel, image: image, lines: 0..<input.height, panels: panel..<panel + 1)
      var memory = memory
      memory.weights += worker * weightsCount
      var arguments = unsafe memory.arguments(
        calls[kernel].arguments(for: task), places[kernel], image: image,
        tiles: block * tiles / blocks..<(block + 1) * tiles / blocks, base)
      unsafe perform(&arguments)
    }
  }

  /// Computes a strip of lines of one image on the calling thread.
  ///
  /// - Parameters:
  ///   - input: The shape of the whole input map.
  ///   - strip: The map for the result, as high as `lines`.
  ///   - scratch: Offset of ``scratchCount(for:threads:)`` floats for one thread and a map as high as the strip.
  func runWinograd(
    _ call: Call, _ input: Tensor.Shape, image: Int, lines: Range<Int>, into strip: FeatureMap,
    scratch: Int, in workspace: Workspace
  ) {
    guard let transform = unsafe instructionSet.kernels.pointee.winograd_input,
      let perform = unsafe instructionSet.kernels.pointee.winograd
    else { return }
    var shape = input
    (shape.count, shape.height) = (1, lines.count)
    let memory = self.scratch(for: shape, at: scratch)
    for panel in 0..<kernels[0].panels {
      var arguments = unsafe memory.arguments(
        call.arguments(
          for: KernelTask(kernel: 0, image: image, lines: lines, panels: panel..<panel + 1)),
        kernels[0].place, image: 0, tiles: 0..<memory.tiles, workspace.base)
      unsafe arguments.call.y = UnsafeMutableRawPointer(
        workspace.base + strip.offset + panel * call.panelWidth)
      if panel == 0 { unsafe transform(&arguments) }
      unsafe perform(&arguments)
    }
  }

  /// The scratch of a run.
  private struct Scratch {
    /// Tiles of an image, quads of a pixel, and the distance between positions of the transformed values in 16-bit values.
    let tiles, quads, positionStride: Int
    /// Offset of the transformed quantized values, in floats.
    let values: Int
    /// Offset of one panel's transformed weights.
    var weights: Int

    /// The convolution of some tiles of an image.
    func arguments(
      _ call: ck_int8_convolution, _ place: KernelPlace, image: Int, tiles range: Range<Int>,
      _ base: UnsafeMutablePointer<Float>
    ) -> ck_int8_winograd {
      var call = unsafe call
      unsafe call.quads = quads
      let transformed = unsafe UnsafeMutableRawPointer(base + values)
        .assumingMemoryBound(to: Int16.self)
      return unsafe ck_int8_winograd(
        call: call, kernel_height: place.height, kernel_width: place.width,
        first_row: 1 - place.top, first_column: 1 - place.left, first: range.lowerBound,
        last: range.upperBound, transformed: transformed + image * tiles * 4 * quads,
        position_stride: positionStride,
        weights: UnsafeMutableRawPointer(base + weights).assumingMemoryBound(to: Int16.self))
    }
  }

  private func scratch(for input: Tensor.Shape, at offset: Int) -> Scratch {
    Scratch(
      tiles: Self.tiles(of: input), quads: valuesPerPixel / 4,
      positionStride: positionStride(for: input), values: offset,
      weights: offset + transformedCount(for: input))
  }

  /// Minimum number of tasks, so that threads of unequal speed finish together.
  private static let wantedTasks = 16
}

extension Tensor.Shape {
  /// Returns whether two maps have the same height and width.
  fileprivate func hasLayout(of other: Self) -> Bool {
    height == other.height && width == other.width
  }
}

extension KernelPlace {
  /// Whether the kernel is within the 3×3 taps around an output, and the output is as large as the input.
  fileprivate var fitsWinograd: Bool {
    top <= 1 && left <= 1 && height - top <= 2 && width - left <= 2
  }
}

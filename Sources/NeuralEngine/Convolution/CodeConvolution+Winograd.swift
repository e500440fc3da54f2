import CDepthSIMD
import DepthBase
import SIMDKernels

/// Winograd's F(4 × 4, 3 × 3) in integers: a quarter of the products, and the same sums.
///
/// The weights stay as the direct convolution has them. Each task transforms those of one panel for the tiles that it computes, which
/// costs as much as the products of about ``weightTiles`` tiles.
extension CodeConvolution {
  private static let tileSize = 4
  private static let positions = 36
  private static let weightTiles = 4
  /// Fewer channels have too few products to pay for the transforms; 32 bits hold four times the sums of 1 827.
  private static let channels = 32...1800
  /// From position to position there is one cache line more than tiles or weights need: at multiples of 4 KiB, positions would compete for few
  /// sets of the cache.
  private static let gap = 64

  /// Whether Winograd's algorithm is faster for one input shape.
  func usesWinograd(for input: Tensor.Shape) -> Bool {
    guard unsafe instructionSet.kernels.pointee.winograd != nil,
      Self.channels.contains(inputChannels), kernels.allSatisfy({ $0.place.fitsWinograd }),
      geometry.map({ $0.outputShape(for: input).hasLayout(of: input) }) ?? true
    else { return false }
    let taps = kernels.reduce(0) { $0 + $1.place.height * $1.place.width }
    let tiles = kernels.count * (Self.tiles(of: input) + Self.weightTiles)
    return Self.positions * tiles < taps * input.area
  }

  /// Tiles of one image.
  private static func tiles(of input: Tensor.Shape) -> Int {
    ((input.height + tileSize - 1) / tileSize) * ((input.width + tileSize - 1) / tileSize)
  }

  /// Floats of scratch for one run.
  package func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    guard usesWinograd(for: input) else { return 0 }
    return transformedCount(for: input) + threads * weightsCount
  }

  /// Codes of a pixel as the kernels read them.
  private var codesPerPixel: Int { (inputChannels + 3) / 4 * 4 }

  /// 16-bit values from position to position of the transformed codes.
  private func positionStride(for input: Tensor.Shape) -> Int {
    input.count * Self.tiles(of: input) * codesPerPixel + Self.gap / 2
  }

  /// Floats of the transformed codes.
  private func transformedCount(for input: Tensor.Shape) -> Int {
    Workspace.aligned((Self.positions * positionStride(for: input) + 1) / 2)
  }

  /// Floats of the transformed weights of one panel.
  private var weightsCount: Int {
    let width = unsafe Int(instructionSet.kernels.pointee.panel_width)
    return Workspace.aligned(Self.positions * (2 * codesPerPixel * width + Self.gap) / 4)
  }

  /// Runs the calls of all kernels.
  ///
  /// - Parameter scratch: Offset of ``scratchCount(for:threads:)`` floats.
  func runWinograd(
    _ calls: [Call], _ input: Tensor.Shape, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    guard let transform = unsafe instructionSet.kernels.pointee.winograd_input,
      let perform = unsafe instructionSet.kernels.pointee.winograd
    else { return }
    let (tiles, panels) = (Self.tiles(of: input), kernels[0].panels)
    let places = kernels.map(\.place)
    let (quads, stride) = (codesPerPixel / 4, positionStride(for: input))
    let weights = scratch + transformedCount(for: input)
    let weightsCount = self.weightsCount
    nonisolated(unsafe) let base = unsafe workspace.base
    nonisolated(unsafe) let calls = calls
    /// The convolution of some tiles and one panel, with the scratch of one thread.
    @Sendable func arguments(
      _ kernel: Int, image: Int, panel: Int, tiles range: Range<Int>, worker: Int
    ) -> ck_code_winograd {
      let place = places[kernel]
      var call = unsafe calls[kernel].arguments(
        for: KernelTask(
          kernel: kernel, image: image, lines: 0..<input.height, panels: panel..<panel + 1))
      unsafe call.quads = quads
      let transformed = unsafe UnsafeMutableRawPointer(base + scratch)
        .assumingMemoryBound(to: Int16.self)
      return unsafe ck_code_winograd(
        call: call, kernel_height: place.height, kernel_width: place.width,
        first_row: 1 - place.top, first_column: 1 - place.left, first: range.lowerBound,
        last: range.upperBound, transformed: transformed + image * tiles * 4 * quads,
        position_stride: stride,
        weights: UnsafeMutableRawPointer(base + weights + worker * weightsCount)
          .assumingMemoryBound(to: Int16.self))
    }
    let parts = min(Self.wantedTasks, tiles)
    team.forEach(input.count * parts) { worker, index in
      let (image, part) = index.quotientAndRemainder(dividingBy: parts)
      var arguments = unsafe arguments(
        0, image: image, panel: 0, tiles: part * tiles / parts..<(part + 1) * tiles / parts,
        worker: worker)
      unsafe transform(&arguments)
    }
    let columns = input.count * places.count * panels
    // Each block of tiles transforms the weights again.
    let blocks = max(min(Self.wantedTasks / columns, tiles / (12 * Self.weightTiles)), 1)
    team.forEach(columns * blocks) { worker, index in
      let (column, block) = index.quotientAndRemainder(dividingBy: blocks)
      let (rest, panel) = column.quotientAndRemainder(dividingBy: panels)
      let (image, kernel) = rest.quotientAndRemainder(dividingBy: places.count)
      var arguments = unsafe arguments(
        kernel, image: image, panel: panel,
        tiles: block * tiles / blocks..<(block + 1) * tiles / blocks, worker: worker)
      unsafe perform(&arguments)
    }
  }

  /// About how many tasks there are at least, so that threads of unequal speed finish together.
  private static let wantedTasks = 16
}

extension Tensor.Shape {
  /// Whether two maps have the same height and width.
  fileprivate func hasLayout(of other: Self) -> Bool {
    height == other.height && width == other.width
  }
}

extension KernelPlace {
  /// Whether the kernel lies within the 3×3 taps around an output of a map as large as the one that is read.
  fileprivate var fitsWinograd: Bool {
    top <= 1 && left <= 1 && height - top <= 2 && width - left <= 2
  }
}

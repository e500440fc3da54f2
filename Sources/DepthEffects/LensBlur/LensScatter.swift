import DepthBase
import DepthImages
import Synchronization

/// A photo as seen by a lens: each pixel becomes a disc of light, and nearer discs hide farther discs.
///
/// The picture is computed row by row. Each pixel whose disc reaches a row adds its span as four steps of a running sum
/// in the pixel's layer. The cost of a disc is its number of rows, not its area, and its size is not rounded. Then the
/// layers are summed and composited from the front. Each layer fills remaining coverage, until no coverage is left.
///
/// Coverages of layers add up because neighbors in different layers cover parts of the same aperture, for example where a
/// slanted floor passes from one layer to the next. Finally light is divided by coverage. Coverage is less than one at the
/// frame and where the background is unknown.
///
/// Tiles are independent of each other and of the computing thread.
struct LensScatter: Sendable {
  let photo: Image
  let map: DefocusMap
  let hidden: HiddenLayer
  let discs: LensDiscs
  let kernels: EffectKernels

  /// Sides of a tile. The sums of all layers of a tile fit in the second-level cache, and most pixels whose discs reach the
  /// tile are inside the tile.
  static let (tileHeight, tileWidth) = (128, 512)

  init(
    _ photo: Image, _ map: DefocusMap, lens: Lens, isa: InstructionSet = .current, threads: Int,
    cancellation: Cancellation? = nil
  ) {
    (self.photo, self.map, kernels) = (photo, map, EffectKernels(isa))
    hidden = HiddenLayer(of: photo, map, isa: isa, threads: threads, cancellation: cancellation)
    discs = LensDiscs(
      ApertureRows(
        largest: map.largest, step: map.step, blades: lens.blades, rotation: lens.rotation),
      DefocusLayers(largest: map.largest, step: map.step))
  }

  /// `height · width · 3` bytes; undefined after a cancellation.
  ///
  /// - Parameter report: Receives the completed share, 0…1, from any thread.
  func pixels(
    threads: Int, cancellation: Cancellation? = nil,
    report: @Sendable (Double) -> Void = { _ in }
  ) -> [UInt8] {
    let done = Atomic<Int>(0)
    let across = (photo.width + Self.tileWidth - 1) / Self.tileWidth
    let down = (photo.height + Self.tileHeight - 1) / Self.tileHeight
    return unsafe filledThroughPointer(count: photo.pixels.count) {
      (out: UnsafeMutablePointer<UInt8>) in
      // Each tile writes its own pixels.
      nonisolated(unsafe) let out = unsafe out
      parallelFor(across * down, threads: threads, cancellation: cancellation) { tiles in
        for index in tiles {
          let (row, column) = index.quotientAndRemainder(dividingBy: across)
          let tile = Region(
            rows: row * Self.tileHeight..<min((row + 1) * Self.tileHeight, photo.height),
            columns: column * Self.tileWidth..<min((column + 1) * Self.tileWidth, photo.width))
          unsafe render(tile, into: out)
          let count = done.add(1, ordering: .relaxed).newValue
          report(Double(count) / Double(across * down))
        }
      }
    }
  }

  private func render(_ tile: Region, into out: UnsafeMutablePointer<UInt8>) {
    let source = LensSource(self, around: tile)
    let line = (tile.rows.lowerBound * photo.width + tile.columns.lowerBound) * 3
    guard source.largestReach > 0 else {
      unsafe photo.pixels.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress else { return }
        for y in 0..<tile.rows.count {
          let start = line + y * photo.width * 3
          unsafe (out + start).update(from: pixels + start, count: tile.columns.count * 3)
        }
      }
      return
    }
    let sums = LayerSums(width: tile.columns.count, discs: discs)
    let coded = SRGB.coded
    for y in tile.rows {
      source.scatter(onto: y, sums)
      let start = unsafe out + line + (y - tile.rows.lowerBound) * photo.width * 3
      var row = unsafe UnsafeMutableBufferPointer(start: start, count: tile.columns.count * 3)
        .mutableSpan
      kernels.resolve(sums, coded: coded, into: &row)
    }
  }
}

/// Rows and columns of a picture.
struct Region: Sendable {
  var rows, columns: Range<Int>

  /// The region extended by a margin, inside a picture.
  func grown(by margin: Int, height: Int, width: Int) -> Region {
    Region(
      rows: max(rows.lowerBound - margin, 0)..<min(rows.upperBound + margin, height),
      columns: max(columns.lowerBound - margin, 0)..<min(columns.upperBound + margin, width))
  }
}

import HDF5Archives
import Kernels
import NeuralLayers
import Testing
import _TestSupport

/// Bilinear resizing against the golden rows and against the definition in 64 bits.
@Suite struct ResizedBilinearTests {
  @Test(arguments: [1, 2, 4])
  func goldenRows(threads: Int) throws {
    let file = try Golden.protocol()
    let depth = try file.dataset("pred_128x160").floats()
    let rows = try file.dataset("pred_upsampled_480x640_every_37th_row").floats()
    let resized = resizedBilinear(
      depth, height: 128, width: 160, toHeight: 480, width: 640, threads: threads)
    let found = stride(from: 0, to: 480, by: 37).flatMap { resized[$0 * 640..<($0 + 1) * 640] }
    expectClose(found, rows, absolute: 1e-6, shape: [13, 640])
  }

  static let sizes: [(from: (Int, Int), to: (Int, Int))] = [
    ((1, 1), (1, 1)), ((1, 1), (4, 3)), ((5, 4), (1, 1)), ((1, 9), (1, 20)), ((9, 1), (20, 1)),
    ((2, 2), (33, 35)), ((33, 35), (2, 2)), ((17, 23), (17, 23)), ((17, 23), (40, 23)),
    ((17, 23), (17, 50)), ((128, 160), (97, 211)),
  ]

  @Test(arguments: sizes.indices)
  func everySizeEqualsTheDefinition(index: Int) {
    let (from, to) = Self.sizes[index]
    let stream = CounterStream("plane")
    let values = (0..<from.0 * from.1).map { Float(stream[$0]) * 0x1p-20 - 3 }
    let expected = referenceBilinear(
      values, height: from.0, width: from.1, toHeight: to.0, width: to.1)
    for threads in [1, 2, 4] {
      let resized = resizedBilinear(
        values, height: from.0, width: from.1, toHeight: to.0, width: to.1, threads: threads)
      expectClose(
        resized, expected, absolute: 1e-9, relative: 1e-7, shape: [to.0, to.1],
        "\(from) to \(to), \(threads) threads")
    }
  }

  @Test func infinityAndNotANumberSpreadOnlyToNeighbours() {
    let resized = resizedBilinear(
      [1, 2, .nan, 4, 5], height: 1, width: 5, toHeight: 1, width: 10, threads: 1)
    #expect(resized.indices.filter { resized[$0].isNaN } == [3, 4, 5, 6])
  }
}

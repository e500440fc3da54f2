import Testing

@testable import NeuralEngine

/// The division of a convolution's outputs into tasks, and the places of an up-convolution's outputs.
@Suite struct KernelTaskTests {
  /// Small and large weights, few and many lines.
  @Test(
    "every output of a convolution is in exactly one task",
    arguments: [1, 4, 300 << 10, 9 << 20], [1, 5, 64])
  func everyOutputIsInOneTask(bytes: Int, lines: Int) {
    for (images, panels, wanted) in [(1, 1, 16), (1, 20, 16), (3, 2, 16), (1, 3, 32)] {
      let tasks = KernelTask.tasks(
        of: [(bytes, panels), (1, 2)], images: images, lines: lines, wanted: wanted)
      var counts = [[Int]: Int]()
      for task in tasks {
        for line in task.lines {
          for panel in task.panels {
            counts[[task.kernel, task.image, line, panel], default: 0] += 1
          }
        }
      }
      #expect(counts.count == images * lines * (panels + 2))
      #expect(counts.values.allSatisfy { $0 == 1 })
      // One task for each line, or at least half of the wanted tasks.
      #expect(tasks.count >= min(wanted / 2, 2 * images * lines))
    }
  }

  /// Unpooling puts pixel (r, c) to (2r, 2c) of a map of zeros. The taps of the 5×5 convolution meet the pixel at the
  /// places of the four kernels' taps.
  @Test("four phases of an up-convolution equal unpooling and a 5×5 convolution")
  func phasesAreUnpoolingAndOneConvolution() {
    for phase in UpConvolution.Phase.allCases {
      let place = KernelPlace(phase, .bottomRight)
      func taps(_ first: Int) -> [Int] {
        (-2...2).map { $0 + first }.filter { $0.isMultiple(of: 2) }.map { $0 / 2 }
      }
      #expect(taps(place.firstRow) == (0..<place.height).map { $0 - place.top }, "\(phase)")
      #expect(taps(place.firstColumn) == (0..<place.width).map { $0 - place.left }, "\(phase)")
    }
    #expect(
      KernelPlace(.d, .topLeft).offsets(lineStride: 10, pixelStride: 1, byRows: false)
        == [-11, -10, -1, 0])
    #expect(
      KernelPlace(.b, .topLeft).offsets(lineStride: 10, pixelStride: 1, byRows: true)
        == [-11, -1])
  }
}

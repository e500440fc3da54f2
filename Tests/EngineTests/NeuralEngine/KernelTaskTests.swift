import Testing

@testable import NeuralEngine

/// Tasks of a convolution, and positions of an up-convolution's taps.
@Suite struct KernelTaskTests {
  /// The sizes of weights in bytes and the numbers of lines are small and large.
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
      // At least half of the wanted tasks, or one for each line of each kernel.
      #expect(tasks.count >= min(wanted / 2, 2 * images * lines))
    }
  }

  /// Unpooling moves pixel (r, c) to (2r, 2c) of a map of zeros. A phase uses only the taps of the
  /// 5×5 convolution at even rows and columns, where pixels are.
  @Test("an up-convolution's phases equal unpooling and a 5×5 convolution")
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

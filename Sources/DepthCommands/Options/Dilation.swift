import ArgumentParser
import DepthImages
import ViewSynthesis

/// `2x1`.
struct Dilation: ExpressibleByArgument {
  let value: StereoOptions.EdgeDilation

  init?(argument: String) {
    guard let pixels = Grid(argument, counts: 0...64) else { return nil }
    value = .init(across: pixels.columns, down: pixels.rows)
  }
}

import ArgumentParser
import DepthImages
package import ViewSynthesis

/// `2x1`.
package struct Dilation: ExpressibleByArgument {
  package let value: StereoOptions.EdgeDilation

  package init?(argument: String) {
    guard let pixels = Grid(argument, counts: 0...64) else { return nil }
    value = .init(across: pixels.columns, down: pixels.rows)
  }
}

import DepthImages
import MonocularDepth
import Testing

@testable import DepthCommands

/// Notes on depth files whose unit is probably wrong.
@Suite struct UnitDoubtsTests {
  private func doubt(_ change: (Float) -> Float) throws -> String? {
    let values = (0..<96 * 128).map { 1 + Float($0 % 128) / 64 }
    func map(_ values: [Float]) -> DepthMap {
      DepthMap(height: 96, width: 128, unit: .metres, values: values)
    }
    return try #require(MetresComparison(map(values.map(change)), to: map(values)))
      .doubt(about: "d.npy")
  }

  @Test("a doubt about a unit names the option that helps") func theOptionIsNamed() throws {
    #expect(try doubt { $0 } == nil)
    #expect(
      try doubt { 10 + 30 / $0 }
        == "d.npy, read as metres, has near and far exchanged compared with the network's map (rank correlation -1.0); "
        + "disparity of Depth Anything or MiDaS needs --depth-unit relative-disparity")
    let end =
      "than the network's map; if that is wrong, give the number of its values per metre with --depth-scale "
      + "or its unit with --depth-unit"
    #expect(try doubt { $0 / 4 } == "d.npy is 4.0 times nearer \(end)")
    #expect(try doubt { $0 * 256 } == "d.npy is 256 times farther \(end)")
  }
}

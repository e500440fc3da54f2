import CDepthSIMD
package import DepthBase

/// x/2 · (1 + erf(x / √2)) of every value of a map, in its place, with the same bits on all instruction sets.
///
/// > Source: D. Hendrycks, K. Gimpel. “Gaussian Error Linear Units.” 2016.
/// > [arXiv:1606.08415](https://arxiv.org/abs/1606.08415).
package struct GELU: Sendable {
  let instructionSet: InstructionSet

  package init(instructionSet: InstructionSet) { self.instructionSet = instructionSet }

  package func run(_ map: FeatureMap, in workspace: Workspace, on team: ThreadTeam) {
    nonisolated(unsafe) let base = unsafe workspace.base + map.offset
    let shape = map.shape
    team.forEach(shape.count * shape.height) { _, line in
      unsafe run(
        rows: shape.width, columns: shape.channels, base + line * shape.width * map.pixelStride,
        stride: map.pixelStride)
    }
  }

  /// - Parameter stride: Floats from row to row.
  func run(rows: Int, columns: Int, _ y: UnsafeMutablePointer<Float>, stride: Int) {
    unsafe instructionSet.kernels.pointee.network.gelu(rows, columns, y, stride)
  }
}

import CDepthSIMD
package import DepthBase

/// eˣ of every value of a map, in its place, within 2 ulp and with the same bits on all instruction sets.
///
/// Values are bounded to −87 … 88, so that every result is a finite, normal and positive number.
package struct Exponential: Sendable {
  let instructionSet: InstructionSet

  package init(instructionSet: InstructionSet) { self.instructionSet = instructionSet }

  package func run(_ map: FeatureMap, in workspace: Workspace, on team: ThreadTeam) {
    nonisolated(unsafe) let base = unsafe workspace.base + map.offset
    let (shape, stride) = (map.shape, map.pixelStride)
    let exponential = unsafe instructionSet.kernels.pointee.network.exponential
    team.forEach(shape.count * shape.height) { _, line in
      var values = unsafe base + line * shape.width * stride
      guard stride != shape.channels else {
        return unsafe exponential(shape.width * stride, values, values)
      }
      for _ in 0..<shape.width {
        unsafe exponential(shape.channels, values, values)
        unsafe values += stride
      }
    }
  }
}

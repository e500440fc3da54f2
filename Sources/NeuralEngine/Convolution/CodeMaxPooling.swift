import CDepthSIMD
package import DepthBase

/// ``MaxPooling`` on a map of codes.
///
/// Rounding to codes keeps the order of values: the codes of maxima are the maxima of codes.
package struct CodeMaxPooling: Sendable {
  let codes: MapCodes
  let instructionSet: CodeInstructionSet

  package init(_ codes: MapCodes, instructionSet: CodeInstructionSet) {
    (self.codes, self.instructionSet) = (codes, instructionSet)
  }

  /// Computes one result, border included.
  ///
  /// - Precondition: `output` has the shape ``MaxPooling/outputShape(for:)``.
  package func run(
    _ input: CodeMap, into output: CodeMap, in workspace: Workspace, on team: ThreadTeam
  ) {
    let shape = input.shape
    precondition(output.shape == MaxPooling.outputShape(for: shape), "y is \(output.shape)")
    workspace.fillBorder(
      of: output, with: [UInt8](repeating: codes.zeroPoint, count: shape.channels))
    nonisolated(unsafe) let base = unsafe UnsafeMutableRawPointer(workspace.base)
    let rows = output.shape.height
    let perform = unsafe instructionSet.kernels.pointee.max_pool
    team.forEach(shape.count * rows) { _, index in
      let (image, row) = index.quotientAndRemainder(dividingBy: rows)
      let x = unsafe UnsafeRawPointer(base + input.start + image * input.imageStride)
      let y = unsafe base + output.start + image * output.imageStride
      var arguments = unsafe ck_code_max_pool(
        height: shape.height, width: shape.width, channels: shape.channels,
        x: x.assumingMemoryBound(to: UInt8.self), x_pixel_stride: input.pixelStride,
        x_line_stride: input.lineStride, top: shape.height % 2, left: shape.width % 2,
        out_width: output.shape.width, first: row, last: row + 1,
        y: y.assumingMemoryBound(to: UInt8.self), y_pixel_stride: output.pixelStride,
        y_line_stride: output.lineStride)
      unsafe perform(&arguments)
    }
  }
}

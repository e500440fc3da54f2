package import DepthBase

/// Conversion of a map to levels of a picture: disparity stretched over a range.
extension DepthMap {
  /// The map as levels 0…`steps`.
  ///
  /// - Parameter missing: The level of a pixel without a value.
  package func levels(
    _ range: ClosedRange<Float>, steps: Int, missing: UInt16, isa: InstructionSet = .current
  ) -> [UInt16] {
    filledArray(count: values.count) { out in
      PictureKernels(isa).levels(of: values.span, self, range, steps: steps, missing, into: &out)
    }
  }

  /// The map colored with 256 levels, as RGB.
  ///
  /// - Parameters:
  ///   - colors: `256 · 3` bytes.
  ///   - missing: All three bytes of a pixel without a value.
  package func colored(
    _ colors: [UInt8], _ range: ClosedRange<Float>, missing: UInt8, isa: InstructionSet = .current
  ) -> [UInt8] {
    precondition(colors.count == 256 * 3, "\(colors.count) bytes of colors, expected 768")
    var palette = [UInt8](repeating: missing, count: 257 * 4)
    for level in 0..<256 {
      for channel in 0..<3 { palette[4 * level + channel] = colors[3 * level + channel] }
    }
    let kernels = PictureKernels(isa)
    var scratch = [UInt16](repeating: 0, count: width)
    return filledArray(count: values.count * 3) { out in
      var levels = scratch.mutableSpan
      out.forEachRow(0..<height, width: width * 3) { y, out in
        let row = values.span.extracting(y * width..<(y + 1) * width)
        kernels.levels(of: row, self, range, steps: 255, 256, into: &levels)
        kernels.colors(of: levels.span, palette, into: &out)
      }
    }
  }
}

extension PictureKernels {
  fileprivate func levels(
    of values: Span<Float>, _ map: DepthMap, _ range: ClosedRange<Float>, steps: Int,
    _ missing: UInt16, into out: inout MutableSpan<UInt16>
  ) {
    levels(
      of: values, positive: map.unit.isMetric, reciprocal: map.unit == .metres,
      low: range.lowerBound,
      scale: Float(steps) / max(range.upperBound - range.lowerBound, .leastNormalMagnitude),
      steps: steps, missing: missing, into: &out)
  }
}

import ThreadTeams

/// Integers as floats.
package func floats(_ samples: [UInt16]) -> [Float] {
  converted(samples) { Float($0) }
}

/// Floats times a factor, multiplied in 64 bits and rounded once.
package func scaled(_ values: [Float], by factor: Double) -> [Float] {
  converted(values) { Float(Double($0) * factor) }
}

/// Interleaved bytes of three channels as floats, `byte · scale − mean[channel]`.
///
/// - Precondition: there are three means.
package func scaledChannels(_ bytes: [UInt8], scale: Float, mean: [Float]) -> [Float] {
  precondition(mean.count == 3, "\(mean.count) means, expected 3")
  // Sixteen pixels at a time, so that the means stay in registers.
  let means = (0..<48).map { mean[$0 % 3] }
  return filledArray(count: bytes.count) { output in
    let (bytes, means) = (bytes.span, means.span)
    for start in stride(from: 0, to: bytes.count, by: 48) {
      let count = min(48, bytes.count &- start)
      let bytes = bytes.extracting(start..<start + count)
      output.withPart(start..<start + count) { output in
        for i in 0..<count { output[i] = Float(bytes[i]) * scale - means[i] }
      }
    }
  }
}

@inline(__always)
private func converted<Input>(_ values: [Input], _ conversion: (Input) -> Float) -> [Float] {
  values.map(conversion)
}

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
  return [Float](unsafeUninitializedCapacity: bytes.count) { output, initialized in
    bytes.withUnsafeBufferPointer { bytes in
      means.withUnsafeBufferPointer { means in
        for start in stride(from: 0, to: bytes.count, by: 48) {
          for i in 0..<min(48, bytes.count &- start) {
            output[start &+ i] = Float(bytes[start &+ i]) * scale - means[i]
          }
        }
      }
    }
    initialized = bytes.count
  }
}

@inline(__always)
private func converted<Input, Output>(
  _ values: [Input], _ conversion: (Input) -> Output
) -> [Output] {
  [Output](unsafeUninitializedCapacity: values.count) { output, initialized in
    values.withUnsafeBufferPointer { values in
      for i in 0..<values.count { output.initializeElement(at: i, to: conversion(values[i])) }
    }
    initialized = values.count
  }
}

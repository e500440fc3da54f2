package import NeuralEngine

/// The scale head's term for each image in 64-bit floats: w · mean(features) + b.
package func referenceScaleNumbers(
  features: Tensor, weights: [Float], bias: Float
) -> [Double] {
  let shape = features.shape
  return (0..<shape.count).map { image in
    weights.enumerated().reduce(Double(bias)) { sum, channel in
      let values = (0..<shape.area).map {
        Double(features.elements[(image * shape.area + $0) * shape.channels + channel.offset])
      }
      return sum + Double(channel.element) * values.reduce(0, +) / Double(shape.area)
    }
  }
}

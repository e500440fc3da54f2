/// A linear layer of tokens in 8-bit integers. Each token is quantized by its largest magnitude.
/// Sums are exact, and each later operation is rounded.
public enum ReferenceTokenProduct {
  /// - Parameters:
  ///   - x: Tokens × inputs.
  ///   - kernels: Outputs × inputs.
  ///   - scales: One scale for each output's kernel.
  ///   - added: Tokens × outputs to add, or `nil`.
  /// - Returns: Tokens × outputs.
  public static func outputs(
    of x: [Float], inputs: Int, kernels: [Int8], scales: [Double], bias: [Float],
    adding added: [Float]?
  ) -> [Float] {
    var y: [Float] = []
    for token in 0..<x.count / inputs {
      let row = x[token * inputs..<(token + 1) * inputs]
      let top = row.reduce(Float(0)) { max($0, abs($1)) }
      let scale = top / 127
      let quantized = row.map {
        Int(($0 * (top > 0 ? 127 / top : 0) + 128).rounded(.toNearestOrEven)) - 128
      }
      for o in bias.indices {
        let sum = zip(quantized, kernels[o * inputs..<(o + 1) * inputs])
          .reduce(0) { $0 + $1.0 * Int($1.1) }
        var value = Float(sum) * Float(scales[o]) * scale
        value += bias[o]
        if let added { value += added[token * bias.count + o] }
        y.append(value)
      }
    }
    return y
  }
}

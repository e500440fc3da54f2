package import DepthBase
package import NeuralEngine

extension Node {
  /// The network compiled for a number of threads, by default with the fastest backend.
  package func compiled(
    forInput input: Tensor.Shape, backend: GEMMBackend = .best, int8: Int8InstructionSet? = nil,
    keepsWeights: Bool = true, threads: Int
  ) throws -> Program {
    try compiled(
      forInput: input, backend: backend, int8: int8, keepsWeights: keepsWeights,
      call: CallContext(threads: threads))
  }
}

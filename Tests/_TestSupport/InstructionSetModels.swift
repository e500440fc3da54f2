import CDepthSIMDModels
package import DepthBase

extension Int8InstructionSet {
  /// The kernels of ``amx`` on a model of the tiles in plain C, with vectors of 128 bits.
  package static let amxModel = Self(
    name: "amx-model", vectors: .baseline, multipliesBytes: false,
    kernels: ck_int8_kernels_by_amx_model())

  /// The models that run on this machine: ``amxModel``, and the same with the vectors of ``avx512VNNI``.
  package static let models: [Int8InstructionSet] = {
    guard supported.contains(.avx512VNNI), let kernels = ck_int8_kernels_by_amx_model_avx512()
    else { return [amxModel] }
    let wide = Self(
      name: "amx-model-avx512", vectors: .avx512, multipliesBytes: false, kernels: kernels)
    return [amxModel, wide]
  }()
}

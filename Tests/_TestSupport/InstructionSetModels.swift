import CDepthSIMDModels
package import DepthBase

extension Int8InstructionSet {
  /// The kernels of ``amx`` on a plain C model of the tiles, with 128-bit vectors.
  package static let amxModel = Self(
    name: "amx-model", vectors: .baseline, multipliesBytes: false,
    kernels: ck_int8_kernels_by_amx_model())

  /// The models that run on this machine, with 128-bit vectors or those of ``avx512VNNI``.
  package static let models: [Int8InstructionSet] = {
    guard supported.contains(.avx512VNNI), let kernels = ck_int8_kernels_by_amx_model_avx512()
    else { return [amxModel] }
    let wide = Self(
      name: "amx-model-avx512", vectors: .avx512, multipliesBytes: false, kernels: kernels)
    return [amxModel, wide]
  }()
}

package import CDepthSIMD

/// An instruction set of the int8 kernels, with its table of kernels. Results have the same bits with all sets.
@safe
package struct Int8InstructionSet: Sendable, Hashable, CustomStringConvertible {
  /// The name in `DEPTH_ISA` and in reports.
  package let name: String
  /// The instruction set of all other kernels.
  package let vectors: InstructionSet
  /// Whether the set multiplies bytes, which makes a quantized convolution faster than a float convolution.
  package let multipliesBytes: Bool
  nonisolated(unsafe) package let kernels: UnsafePointer<ck_int8_kernels>

  package init(
    name: String, vectors: InstructionSet, multipliesBytes: Bool,
    kernels: UnsafePointer<ck_int8_kernels>
  ) {
    (self.name, self.vectors, self.multipliesBytes) = (name, vectors, multipliesBytes)
    unsafe self.kernels = kernels
  }

  private init(
    _ name: String, _ identifier: ck_int8_isa, _ vectors: InstructionSet, multipliesBytes: Bool
  ) {
    unsafe self.init(
      name: name, vectors: vectors, multipliesBytes: multipliesBytes,
      kernels: ck_int8_kernels_for(identifier))
  }

  /// SSE2 on x86-64 or NEON on arm64, with 16-bit products.
  package static let baseline = Self(
    "baseline", ck_int8_baseline, .baseline, multipliesBytes: false)
  /// AVX2 with 16-bit products.
  package static let avx2 = Self("avx2", ck_int8_avx2, .avx2, multipliesBytes: false)
  /// AVX2 and AVX-VNNI, with four byte products per 32-bit lane.
  package static let avxVNNI = Self("avxvnni", ck_int8_avxvnni, .avx2, multipliesBytes: true)
  /// AVX-512 with VNNI.
  package static let avx512VNNI = Self(
    "avx512vnni", ck_int8_avx512vnni, .avx512, multipliesBytes: true)
  /// AMX-INT8 tiles, together with AVX-512 and its VNNI.
  package static let amx = Self("amx", ck_int8_amx, .avx512, multipliesBytes: true)
  /// NEON on arm64 with 16-bit products.
  package static let neon = Self("neon", ck_int8_neon, .neon, multipliesBytes: false)
  /// FEAT_DotProd of arm64, with four byte products per 32-bit lane.
  package static let dotProd = Self("dotprod", ck_int8_dotprod, .neon, multipliesBytes: true)
  /// FEAT_I8MM of arm64, with products of byte matrices.
  package static let i8mm = Self("i8mm", ck_int8_i8mm, .neon, multipliesBytes: true)

  /// The sets that this machine supports, slowest first.
  ///
  /// If the processor has AMX, the first use requests permission to use tiles from the system. Without permission, ``amx`` is
  /// not supported.
  package static let supported: [Int8InstructionSet] = [
    (ck_int8_baseline, baseline), (ck_int8_avx2, avx2), (ck_int8_avxvnni, avxVNNI),
    (ck_int8_avx512vnni, avx512VNNI), (ck_int8_amx, amx), (ck_int8_neon, neon),
    (ck_int8_dotprod, dotProd), (ck_int8_i8mm, i8mm),
  ].compactMap { ck_int8_is_supported($0.0) ? $0.1 : nil }

  /// The int8 set to use with `set`: the set named by `DEPTH_ISA`, or else the fastest.
  package static func best(
    for set: InstructionSet, named name: String? = InstructionSet.environmentValue,
    among supported: [Int8InstructionSet] = supported
  ) -> Int8InstructionSet {
    let possible = supported.filter { set.includes($0.vectors) }
    if let named = possible.first(where: { $0.name == name }) { return named }
    // The name of a float set, such as `avx512`, excludes the int8 sets that multiply bytes.
    if name == set.rawValue { return possible.last { !$0.multipliesBytes } ?? .baseline }
    return possible.last ?? .baseline
  }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  package var description: String { name }
}

extension InstructionSet {
  /// Whether a processor with this set also supports `other`.
  func includes(_ other: InstructionSet) -> Bool {
    other == self || other == .baseline || self == .avx512 && other == .avx2
  }
}

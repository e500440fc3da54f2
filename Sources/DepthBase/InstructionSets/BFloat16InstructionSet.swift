package import CDepthSIMD

/// An instruction set of the kernels of bfloat16, with its table of kernels. Each gives the same bits on any number of threads; sets
/// with tiles and those of arm64 add in orders of their own.
@safe
package struct BFloat16InstructionSet: Sendable, Hashable, CustomStringConvertible {
  /// The name in `DEPTH_ISA` and in reports.
  package let name: String
  /// The set of all other kernels beside this one.
  package let vectors: InstructionSet
  /// Whether the set multiplies tiles.
  package let hasTiles: Bool
  nonisolated(unsafe) package let kernels: UnsafePointer<ck_bfloat16_kernels>

  package init(
    name: String, vectors: InstructionSet, hasTiles: Bool,
    kernels: UnsafePointer<ck_bfloat16_kernels>
  ) {
    (self.name, self.vectors, self.hasTiles) = (name, vectors, hasTiles)
    unsafe self.kernels = kernels
  }

  private init?(
    _ name: String, _ identifier: ck_bfloat16_isa, _ vectors: InstructionSet, hasTiles: Bool
  ) {
    guard let kernels = unsafe ck_bfloat16_kernels_for(identifier) else { return nil }
    unsafe self.init(name: name, vectors: vectors, hasTiles: hasTiles, kernels: kernels)
  }

  /// VDPBF16PS of AVX512-BF16: two products per 32-bit lane. `nil` on other architectures, as ``amx`` and ``neon``.
  package static let avx512BF16 = Self("avx512bf16", ck_bfloat16_avx512, .avx512, hasTiles: false)
  /// Tiles of AMX-BF16, beside AVX512-BF16.
  package static let amx = Self("amx", ck_bfloat16_amx, .avx512, hasTiles: true)
  /// BFMMLA of arm64's FEAT_BF16: products of matrices.
  package static let neon = Self("bf16", ck_bfloat16_neon, .neon, hasTiles: false)

  /// The sets that this machine supports, slowest first.
  ///
  /// If the processor has AMX, the first use asks the system for this process's permission to use tiles; without it
  /// ``amx`` is not supported.
  package static let supported: [BFloat16InstructionSet] = [
    (ck_bfloat16_avx512, avx512BF16), (ck_bfloat16_amx, amx), (ck_bfloat16_neon, neon),
  ].compactMap { ck_bfloat16_is_supported($0.0) ? $0.1 : nil }

  /// The fastest supported set beside the vectors of `set`, or the one of these that `DEPTH_ISA` names; `nil` where the
  /// processor has none, and where `DEPTH_ISA` names the vectors alone.
  package static func best(
    for set: InstructionSet, named name: String? = InstructionSet.environmentValue,
    among supported: @autoclosure () -> [BFloat16InstructionSet] = supported
  ) -> BFloat16InstructionSet? {
    guard set == .avx512 || set == .neon, name != set.rawValue else { return nil }
    let possible = supported().filter { $0.vectors == set }
    return possible.first { $0.name == name } ?? possible.last
  }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  package var description: String { name }
}

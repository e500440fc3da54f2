import DepthErrors
import Testing

@testable import DepthBase

@Suite struct InstructionSetTests {
  @Test("an unsupported instruction set is refused") func otherMachinesSetsAreRefused() throws {
    for set in InstructionSet.supported {
      try InstructionSet.check(set.rawValue, supported: InstructionSet.supported, int8: [])
    }
    try InstructionSet.check(nil, supported: [.baseline], int8: [])
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check("avx512", supported: [.baseline, .avx2], int8: [.baseline])
    }
    #expect(error?.description.hasSuffix("expected baseline, avx2") == true)
  }

  /// `DEPTH_ISA` may name a byte-product set, whose vector set the other kernels then use.
  @Test("the name of a byte-product set also selects a vector set")
  func setsOfBytesAreTakenByName() throws {
    let sets: [Int8InstructionSet] = [.baseline, .avx2, .avxVNNI, .avx512VNNI, .amx]
    for set in sets.filter(\.multipliesBytes) {
      try InstructionSet.check(set.name, supported: [.baseline], int8: sets)
      #expect(InstructionSet(named: set.name) == set.vectors)
      #expect(Int8InstructionSet.best(for: set.vectors, named: set.name, among: sets) == set)
    }
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check("amx-model", supported: [.baseline], int8: [.avx512VNNI])
    }
    #expect(error?.description.hasSuffix("expected baseline, avx512vnni") == true)
    #expect(InstructionSet(named: "amx-model") == nil)
  }

  /// The names of arm64 instruction sets are valid on every machine.
  @Test("arm64 instruction sets are chosen by name") func setsOfArm64() {
    let sets: [Int8InstructionSet] = [.baseline, .neon, .dotProd, .i8mm]
    for name in [nil, "i8mm", "none"] {
      #expect(Int8InstructionSet.best(for: .neon, named: name, among: sets) == .i8mm)
    }
    #expect(Int8InstructionSet.best(for: .neon, named: "dotprod", among: sets) == .dotProd)
    #expect(Int8InstructionSet.best(for: .neon, named: "neon", among: sets) == .neon)
    #expect(Int8InstructionSet.best(for: .neon, named: nil, among: [.baseline, .neon]) == .neon)
    #expect(Int8InstructionSet.best(for: .baseline, named: nil, among: sets) == .baseline)
    for name in ["neon", "dotprod", "i8mm"] {
      #expect(InstructionSet(named: name) == .neon)
    }
  }

  /// The default is the fastest set. A plain name such as `avx2` excludes byte products.
  @Test("the default is the fastest byte-product set") func fastestSetOfBytesIsTaken() {
    let sets: [Int8InstructionSet] = [.baseline, .avx2, .avxVNNI, .avx512VNNI, .amx]
    func best(
      _ set: InstructionSet, _ name: String?, _ sets: some Sequence<Int8InstructionSet>
    ) -> Int8InstructionSet {
      Int8InstructionSet.best(for: set, named: name, among: Array(sets))
    }
    for name in [nil, "none"] { #expect(best(.avx512, name, sets) == .amx) }
    #expect(best(.avx512, nil, sets.dropLast()) == .avx512VNNI)
    #expect(best(.avx512, "amx", sets.dropLast()) == .avx512VNNI)
    #expect(best(.avx512, "avx512", sets) == .avx2)
    #expect(best(.avx2, nil, sets) == .avxVNNI)
    #expect(best(.avx2, "avx2", sets) == .avx2)
    #expect(best(.avx2, "avxvnni", sets) == .avxVNNI)
    #expect(best(.baseline, "amx", sets) == .baseline)
  }

  @Test("AVX-512 without byte products uses the byte products of AVX2")
  func withoutByteProductsAVX512TakesThoseOfAVX2() {
    for name in [nil, "avx512"] {
      #expect(
        Int8InstructionSet.best(for: .avx512, named: name, among: [.baseline, .avx2]) == .avx2)
    }
  }
}

import DepthErrors
import Testing
import _TestSupport

@testable import SIMDKernels

@Suite(.offPool) struct InstructionSetTests {
  @Test func onlySetsOfThisMachineAreTaken() throws {
    for set in InstructionSet.supported {
      try InstructionSet.check(set.rawValue, supported: InstructionSet.supported, codes: [])
    }
    try InstructionSet.check(nil, supported: [.baseline], codes: [])
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check("avx512", supported: [.baseline, .avx2], codes: [.baseline])
    }
    #expect(error?.description.hasSuffix("expected baseline, avx2") == true)
  }

  /// `DEPTH_ISA` may name a set of byte products, which brings the vectors of all other kernels.
  @Test func setsOfBytesAreTakenByName() throws {
    let codes: [CodeInstructionSet] = [.baseline, .avx2, .avx512, .avxVNNI, .avx512VNNI, .amx]
    for set in codes.filter(\.multipliesBytes) {
      try InstructionSet.check(set.rawValue, supported: [.baseline], codes: codes)
      #expect(InstructionSet(named: set.rawValue) == set.vectors)
      #expect(CodeInstructionSet.best(for: set.vectors, named: set.rawValue, among: codes) == set)
    }
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check("amx-model", supported: [.baseline], codes: [.avx512VNNI])
    }
    #expect(error?.description.hasSuffix("expected baseline, avx512vnni") == true)
    #expect(InstructionSet(named: "amx-model") == nil)
  }

  /// bfloat16 has no set where the vectors are not its own, and the fastest one unless another is named.
  @Test func setsOfBFloat16() throws {
    let all: [BFloat16InstructionSet] = [.avx512BF16, .amx]
    func best(_ set: InstructionSet, _ name: String?, _ sets: [BFloat16InstructionSet])
      -> BFloat16InstructionSet?
    {
      BFloat16InstructionSet.best(for: set, named: name, among: sets)
    }
    for name in [nil, "avx512", "amx", "avx512vnni"] { #expect(best(.avx512, name, all) == .amx) }
    #expect(best(.avx512, "avx512bf16", all) == .avx512BF16)
    #expect(best(.avx512, "amx", [.avx512BF16]) == .avx512BF16)
    #expect(best(.avx512, nil, []) == nil)
    #expect(best(.avx2, nil, all) == nil)
    #expect(InstructionSet(named: "avx512bf16") == .avx512)
    #expect(InstructionSet(named: "bf16-model") == nil)
    try InstructionSet.check(
      "avx512bf16", supported: [.baseline], codes: [.amx], bfloat16: [.avx512BF16, .amx])
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check(
        "bf16-model", supported: [.baseline], codes: [.amx], bfloat16: [.avx512BF16, .amx])
    }
    #expect(error?.description.hasSuffix("expected baseline, amx, avx512bf16") == true)
    #expect(BFloat16InstructionSet.supported.allSatisfy { !$0.rawValue.contains("model") })
  }

  /// Names of arm64's sets mean the same on every machine.
  @Test func setsOfArm64() {
    let codes: [CodeInstructionSet] = [.baseline, .neon, .dotProd, .i8mm]
    for name in [nil, "neon", "i8mm", "none"] {
      #expect(CodeInstructionSet.best(for: .neon, named: name, among: codes) == .i8mm)
    }
    #expect(CodeInstructionSet.best(for: .neon, named: "dotprod", among: codes) == .dotProd)
    #expect(CodeInstructionSet.best(for: .neon, named: nil, among: [.baseline, .neon]) == .neon)
    #expect(CodeInstructionSet.best(for: .baseline, named: nil, among: codes) == .baseline)
    let all: [BFloat16InstructionSet] = [.avx512BF16, .neon]
    #expect(BFloat16InstructionSet.best(for: .neon, named: nil, among: all) == .neon)
    #expect(BFloat16InstructionSet.best(for: .avx512, named: nil, among: all) == .avx512BF16)
    #expect(BFloat16InstructionSet.best(for: .neon, named: nil, among: [.avx512BF16]) == nil)
    for name in ["neon", "dotprod", "i8mm", "bf16"] {
      #expect(InstructionSet(named: name) == .neon)
    }
  }

  /// The fastest by itself; a set whose vectors others have limits nothing.
  @Test func fastestSetOfBytesIsTaken() {
    let codes: [CodeInstructionSet] = [.baseline, .avx2, .avx512, .avxVNNI, .avx512VNNI, .amx]
    for name in [nil, "avx512", "avx2", "avxvnni", "none"] {
      #expect(CodeInstructionSet.best(for: .avx512, named: name, among: codes) == .amx)
    }
    #expect(
      CodeInstructionSet.best(for: .avx512, named: nil, among: codes.dropLast()) == .avx512VNNI)
    #expect(
      CodeInstructionSet.best(for: .avx512, named: "amx", among: codes.dropLast()) == .avx512VNNI)
    #expect(CodeInstructionSet.best(for: .avx2, named: "avx2", among: codes) == .avxVNNI)
    #expect(CodeInstructionSet.best(for: .baseline, named: "amx", among: codes) == .baseline)
    #expect(CodeInstructionSet.supported.allSatisfy { !$0.rawValue.contains("model") })
  }
}

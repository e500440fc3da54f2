import DepthErrors
import Testing

@testable import SIMDKernels

@Suite struct InstructionSetTests {
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

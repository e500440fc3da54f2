import DepthErrors
import Testing

@testable import SIMDKernels

@Suite struct InstructionSetTests {
  @Test func onlySetsOfThisMachineAreTaken() throws {
    for set in InstructionSet.supported {
      try InstructionSet.check(set.rawValue, supported: InstructionSet.supported)
    }
    try InstructionSet.check(nil, supported: [.baseline])
    let error = #expect(throws: DepthError.self) {
      try InstructionSet.check("avx512", supported: [.baseline, .avx2])
    }
    #expect(error?.description.hasSuffix("expected baseline, avx2") == true)
  }
}

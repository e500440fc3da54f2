import DepthErrors
import DepthNetworks
import HDF5Files
import Testing
import _TestSupport

/// The exponent in weights files for the ratio of focal lengths.
@Suite struct FocalExponentTests {
  @Test("focal exponent is an attribute of 0…2, by default 1") func exponentIsAnAttribute() throws {
    var weights = EditedWeights(GeneratedWeights(widthDivisor: 16))
    #expect(try FCRNConfiguration(weights).focalExponent == 1)
    weights.attributes["focal_exponent"] = .numbers([0.5])
    #expect(try FCRNConfiguration(weights).focalExponent == 0.5)
    weights.attributes["focal_exponent"] = .numbers([-0.5])
    let error = try #require(throws: DepthError.self) { try FCRN(weights) }
    #expect(error.code == .weightsMismatch)
    #expect(
      error.message == "attribute 'focal_exponent' is -0.5, expected a number in 0.0...2.0")
  }
}

import DepthErrors
import DepthNetworks
import HDF5Files
import Testing
import _TestSupport

/// The exponent of the ratio of focal lengths, as weights files state it.
@Suite struct FocalExponentTests {
  @Test("the focal exponent is an attribute from 0 to 2") func exponentIsAnAttribute() throws {
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

import DepthErrors
import Testing

@testable import DepthImages
@testable import PictureFiles

/// Decodes copies of a photo's file with some changed bytes. Each copy must give an error, or a
/// picture with as many pixels as its sides state.
///
/// - Parameters:
///   - start: The first byte that may change.
///   - changes: The number of bytes that change.
func expectDamageIsSurvived(
  _ bytes: [UInt8], from start: Int, changes: ClosedRange<Int>, runs: Int, seed: UInt64
) throws {
  var random = SplitMix64(state: seed)
  for _ in 0..<runs {
    var damaged = bytes
    for _ in 0..<Int.random(in: changes, using: &random) {
      let place = Int.random(in: start..<bytes.count, using: &random)
      damaged[place] = .random(in: 0...255, using: &random)
    }
    do {
      let image = try Image(decoding: damaged, name: "damaged")
      #expect(image.pixels.count == image.height * image.width * 3)
    } catch is DepthError {}
  }
}

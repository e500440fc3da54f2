import DepthImages
import MonocularDepth
import Testing

@testable import DepthCommands

/// The open photos that are kept, and their counted bytes.
@Suite struct PhotoCacheTests {
  private func photo(
    _ id: String, side: Int, profile: [UInt8]? = nil, hasErrors: Bool = false
  ) -> OpenPhoto {
    let sized: OpenPhoto.Sized = (
      image: Image(
        height: side, width: side, pixels: [UInt8](repeating: 0, count: side * side * 3),
        metadata: .init(iccProfile: profile)),
      depth: DepthMap(
        height: side, width: side, unit: .metres,
        values: [Float](repeating: 1, count: side * side))
    )
    let errors = ErrorMap(
      height: side, width: side, values: [Float](repeating: 1, count: side * side))
    return OpenPhoto(
      id: id, size: PixelSize(width: side, height: side),
      camera: Camera(width: side, height: side, focalLength: 1), shown: sized, draft: sized,
      errors: hasErrors ? errors : nil)
  }

  @Test("the cache keeps the photos used last") func theCacheKeepsPhotosUsedLast() {
    // A photo takes 14 bytes a pixel and 2 KiB, so three photos of 10 × 10 pixels fit.
    let cache = PhotoCache(maximumBytes: 4500 + 3 * 2048)
    for id in ["a", "b", "c"] { cache.insert(photo(id, side: 10)) }
    #expect(cache["a"] != nil)
    cache.insert(photo("d", side: 10))
    #expect(cache["b"] == nil && cache["a"] != nil && cache["c"] != nil && cache["d"] != nil)
    cache.insert(photo("a", side: 10))
    #expect(cache.count == 3)
    // A photo larger than the cache removes no other photo.
    #expect(!cache.insert(photo("huge", side: 60)) && cache["huge"] == nil)
    // A small photo may have a large color profile.
    let profile = [UInt8](repeating: 0, count: 16 << 10)
    #expect(!cache.insert(photo("small", side: 1, profile: profile)))
    #expect(cache.count == 3)
  }

  @Test("the cache counts the bytes of its photos") func bytesAreThoseOfThePhotosThatAreThere() {
    let cache = PhotoCache(maximumBytes: 2 * (1400 + 2048))
    for round in 0..<50 {
      #expect(cache.insert(photo("a", side: round % 2 == 0 ? 1 : 10)))
      #expect(cache.insert(photo("b", side: 10)))
      #expect(cache.count == 2)
    }
    for round in 0..<50 { #expect(cache.insert(photo("\(round)", side: 10))) }
    #expect(cache.count == 2 && cache["48"] != nil && cache["49"] != nil)
  }

  @Test("expected errors count as bytes of a photo") func expectedErrorsCount() {
    let (plain, full) = (photo("a", side: 10), photo("b", side: 10, hasErrors: true))
    #expect(plain.bytes == 2 * (1024 + 700) && full.bytes == plain.bytes + 400)
    #expect(!PhotoCache(maximumBytes: plain.bytes).insert(full))
  }
}

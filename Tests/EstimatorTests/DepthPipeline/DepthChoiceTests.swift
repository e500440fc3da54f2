import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles
import Testing
import _TestSupport

@testable import DepthPipeline

/// The one rule by which depth is chosen.
@Suite struct DepthChoiceTests {
  private static let photo = TestPhoto.image()

  private func file(_ depth: DepthMap?) throws -> PhotoFile {
    let bytes =
      try depth.map { try DepthPhoto.encode(Self.photo, depth: $0, as: .dynamicDepth) }
      ?? Self.photo.encoded(as: .jpeg())
    return try PhotoFile(decoding: bytes, name: "p.jpg")
  }

  /// The photo, and the memory that was asked for.
  private func read(
    _ file: PhotoFile, _ choice: DepthChoice, limits: ImageLimits = ImageLimits()
  ) throws -> (photo: PhotoWithDepth, admitted: [Bool]) {
    var admitted: [Bool] = []
    let photo = try PhotoWithDepth(file, choice, metresFor: "geometry", limits: limits) {
      admitted.append($0)
    }
    return (photo, admitted)
  }

  @Test func depthInsideIsTaken() throws {
    let file = try file(TestPhoto.depth())
    #expect(file.mentionsDepth)
    for choice in [DepthChoice.auto, .embedded] {
      let (photo, admitted) = try read(file, choice)
      #expect(photo.origin == .embedded && photo.depth?.unit == .metres && photo.reason == nil)
      #expect(admitted == [false])
    }
    let (photo, admitted) = try read(file, .network)
    #expect(photo.origin == .network && photo.depth == nil && admitted == [true])
    #expect(photo.image.pixels == (try file.image()).pixels)
  }

  @Test func aPhotoWithoutDepthAsksForMemoryOnce() throws {
    let file = try file(nil)
    #expect(!file.mentionsDepth)
    let (photo, admitted) = try read(file, .auto)
    #expect(photo.origin == .network && photo.reason == nil && admitted == [true])
    let error = #expect(throws: DepthError.self) { try read(file, .embedded) }
    #expect(error?.code == .noDepth)
  }

  @Test func depthOfOtherProportionsDoesNotServe() throws {
    let file = try file(TestPhoto.depth(height: 64, width: 30))
    let (photo, admitted) = try read(file, .auto)
    #expect(photo.origin == .network && admitted == [false, true])
    #expect(
      photo.reason
        == "the depth inside the photo is 30×64, which does not fit 64×48; depth is estimated")
    #expect(try read(file, .embedded).photo.depth?.width == 30)
  }

  /// A small file may promise a large map.
  @Test func depthLargerThanThePhotoIsNotDecoded() throws {
    let file = try file(TestPhoto.depth(height: 1200, width: 1600))
    let (photo, _) = try read(file, .auto)
    #expect(photo.origin == .network)
    #expect(photo.reason?.contains("1600×1200 pixels, expected at most 1048576") == true)
    let error = #expect(throws: DepthError.self) { try read(file, .embedded) }
    #expect(error?.code == .tooLarge)
    #expect(try DepthPhoto.depth(decoding: file.bytes, name: "p").width == 1600)
  }

  /// Missing memory is no reason to estimate, which takes more.
  @Test func missingMemoryIsAnError() throws {
    let file = try file(TestPhoto.depth())
    let error = #expect(throws: DepthError.self) {
      try PhotoWithDepth(file, .auto, metresFor: nil, limits: ImageLimits()) { _ in
        throw DepthError.insufficientMemory(file: "p", needed: 2, available: 1)
      }
    }
    #expect(error?.code == .insufficientMemory)
  }
}

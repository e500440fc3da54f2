import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import PictureFiles
import Testing
import _TestSupport

/// The rule that chooses a photo's depth.
@Suite struct DepthChoiceTests {
  private static let photo = TestPhoto.image()

  private func file(_ depth: DepthMap?) throws -> PhotoFile {
    let bytes =
      try depth.map { try DepthPhoto.encode(Self.photo, depth: $0, as: .dynamicDepth) }
      ?? Self.photo.encoded(as: .jpeg())
    return try PhotoFile(decoding: bytes, name: "p.jpg")
  }

  /// The photo, and for each request for memory, whether an estimate needs the memory.
  private func read(
    _ file: PhotoFile, _ choice: DepthChoice, limits: ImageLimits = ImageLimits()
  ) throws -> (photo: PhotoWithDepth, admitted: [Bool]) {
    var admitted: [Bool] = []
    let photo = try PhotoWithDepth(file, choice, metresFor: "geometry", limits: limits) {
      admitted.append($0)
    }
    return (photo, admitted)
  }

  @Test("depth inside a photo is used unless a network is named") func depthInsideIsTaken() throws {
    let file = try file(TestPhoto.depth())
    #expect(file.mentionsDepth)
    for choice in [DepthChoice.auto, .embedded] {
      let (photo, admitted) = try read(file, choice)
      #expect(photo.origin == .embedded && photo.depth?.unit == .metres && photo.note == nil)
      #expect(admitted == [false])
    }
    let (photo, admitted) = try read(file, .network)
    #expect(photo.origin == .network && photo.depth == nil && admitted == [true])
    #expect(photo.image.pixels == (try file.image()).pixels)
  }

  @Test("a photo without depth requests memory once")
  func aPhotoWithoutDepthAsksForMemoryOnce() throws {
    let file = try file(nil)
    #expect(!file.mentionsDepth)
    let (photo, admitted) = try read(file, .auto)
    #expect(photo.origin == .network && photo.note == nil && admitted == [true])
    let error = #expect(throws: DepthError.self) { try read(file, .embedded) }
    #expect(error?.code == .noDepth)
  }

  @Test("embedded depth of other proportions is ignored")
  func depthOfOtherProportionsIsRejected() throws {
    let file = try file(TestPhoto.depth(height: 64, width: 30))
    let (photo, admitted) = try read(file, .auto)
    #expect(photo.origin == .network && admitted == [false, true])
    #expect(
      photo.note
        == "the depth inside the photo is 30×64, which does not fit 64×48; depth is estimated")
    let error = #expect(throws: DepthError.self) { try read(file, .embedded) }
    #expect(error?.code == .sizeMismatch && error?.file == "p.jpg")
    let stretched = try PhotoWithDepth(
      file, .embedded, metresFor: nil, stretches: true, limits: ImageLimits()
    ) { _ in }
    #expect(stretched.depth?.width == 30)
  }

  /// Editors may crop a photo but not its depth. Depth may differ by a pixel, or have a network's
  /// size.
  @Test(
    "depth must have the photo's proportions",
    arguments: [
      (60, 48, false), (64, 36, false), (48, 48, false), (32, 24, true), (21, 16, true),
      (128, 96, true), (160, 128, true), (128, 160, false), (686, 518, true), (714, 518, false),
    ])
  func oneRuleTellsWhatFits(width: Int, height: Int, fits: Bool) throws {
    let file = try file(TestPhoto.depth(height: height, width: width))
    #expect(try read(file, .auto).photo.origin == (fits ? .embedded : .network))
    let folder = try TemporaryFolder()
    _ = try folder.write(
      TestPhoto.depth(height: height, width: width).encoded(as: .pfm), to: "d.pfm")
    _ = try folder.write(file.bytes, to: "p.jpg")
    func named() throws -> PhotoWithDepth {
      try PhotoWithDepth(
        contentsOf: folder.url("p.jpg"), name: "p.jpg", depthFile: folder.url("d.pfm"),
        DepthFileHints(),
        limits: ImageLimits()
      ) { _ in }
    }
    if fits {
      #expect(try read(file, .embedded).photo.depth?.width == width)
      #expect(try named().depth?.width == width)
    } else {
      for call in [{ try self.read(file, .embedded).photo }, named] {
        let error = #expect(throws: DepthError.self) { try call() }
        #expect(error?.code == .sizeMismatch)
      }
    }
  }

  /// Editors may reduce a photo but not its depth. The limit protects against huge maps in small
  /// files.
  @Test("embedded depth may be larger than the photo")
  func depthMayBeLargerThanThePhotoUpToALimit() throws {
    let larger = try file(TestPhoto.depth(height: 1200, width: 1600))
    #expect(try read(larger, .auto).photo.depth?.width == 1600)
    let file = try file(TestPhoto.depth(height: 1800, width: 2400))
    let (photo, _) = try read(file, .auto)
    #expect(photo.origin == .network)
    #expect(photo.note?.contains("2400×1800 pixels, expected at most 4194304") == true)
    let error = #expect(throws: DepthError.self) { try read(file, .embedded) }
    #expect(error?.code == .tooLarge)
    #expect(try DepthPhoto.depth(decoding: file.bytes, name: "p").width == 2400)
  }

  /// An estimate would take even more memory.
  @Test("missing memory for embedded depth is an error") func missingMemoryIsAnError() throws {
    let file = try file(TestPhoto.depth())
    var admitted: [Bool] = []
    let error = #expect(throws: DepthError.self) {
      try PhotoWithDepth(file, .auto, metresFor: nil, limits: ImageLimits()) { isEstimate in
        admitted.append(isEstimate)
        // Memory for an estimate is available.
        guard !isEstimate else { return }
        throw DepthError.insufficientMemory(file: "p", needed: 2, available: 1)
      }
    }
    #expect(error?.code == .insufficientMemory && admitted == [false])
  }
}

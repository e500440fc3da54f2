import DepthErrors
import DepthImages
import DepthPhotos
import Testing
import _TestSupport

@testable import PictureFiles

/// Portraits of iPhones in JPEG, where the depth picture follows the photo.
@Suite struct MultiPictureDepthTests {
  private static let range =
    "p:AuxiliaryImageType='disparity' p:FloatMinValue='0.25' p:FloatMaxValue='2'"

  /// A photo, and further pictures that a table lists.
  private static func file(
    _ pictures: [[UInt8]], orientation: UInt16 = 1, isLittleEndian: Bool = false
  ) throws -> [UInt8] {
    let photo = try ExifFixture(orientation: orientation, focalLength: 26)
      .inserted(into: TestPhoto.image().encoded(as: .jpeg()))
    func index(at offset: Int) -> [UInt8] {
      func number<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        isLittleEndian ? [UInt8](littleEndian: value) : [UInt8](bigEndian: value)
      }
      var tables = Array(isLittleEndian ? "II".utf8 : "MM".utf8)
      tables += number(UInt16(42)) + number(UInt32(8)) + number(UInt16(1))
      tables += number(UInt16(0xB002)) + number(UInt16(7))
      tables += number(UInt32(16 * (pictures.count + 1))) + number(UInt32(26)) + number(UInt32(0))
      tables += [UInt8](repeating: 0, count: 16)
      var start = offset
      for picture in pictures {
        tables += number(UInt32(0)) + number(UInt32(picture.count)) + number(UInt32(start))
        tables += number(UInt32(0))
        start += picture.count
      }
      return tables
    }
    let length = index(at: 0).count
    // Offsets count from the byte-order field, which follows the marker, length and name.
    let tables = index(at: photo.count + 8 + length - 2 - 8)
    var file = Array(photo[..<2])
    file += JPEGFile.segment(0xE2, Array("MPF\0".utf8) + tables)
    file += photo[2...]
    for picture in pictures { file += picture }
    return file
  }

  /// A gray picture with a packet, whose left half is bright.
  private static func depth(_ attributes: String, height: Int = 24, width: Int = 32) throws
    -> [UInt8]
  {
    let picture = Image(
      height: height, width: width,
      pixels: (0..<height * width).flatMap { index -> [UInt8] in
        .init(repeating: index % width < width / 2 ? 255 : 0, count: 3)
      })
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='rdf'><r:Description "
      + "xmlns:p='http://ns.apple.com/pixeldatainfo/1.0/' "
      + "xmlns:d='http://ns.apple.com/depthData/1.0/' \(attributes)/></r:RDF></x:xmpmeta>"
    let jpeg = try JPEGFile(picture.encoded(as: .jpeg(quality: 100)), name: "a")
    return jpeg.inserting(
      JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)))
  }

  @Test("disparity in a picture after an iPhone's JPEG is read", arguments: [false, true])
  func disparityBehindThePhotoIsRead(isLittleEndian: Bool) throws {
    let other = try TestPhoto.image().encoded(as: .jpeg())
    let bytes = try Self.file([other, Self.depth(Self.range)], isLittleEndian: isLittleEndian)
    #expect(try PhotoFile(decoding: bytes, name: "a").mentionsDepth)
    let map = try DepthPhoto.depth(decoding: bytes, name: "a.jpg")
    #expect((map.height, map.width) == (24, 32) && map.unit == .disparity)
    #expect(abs(map.values[0] - 2) < 0.02 && abs(map.values[31] - 0.25) < 0.02)
    // Photo readers still read the file as a photo.
    #expect(try Image(decoding: bytes, name: "a").width == 64)
  }

  @Test("depth after a photo is turned like the photo") func depthIsTurnedAsThePhotoIs() throws {
    let bytes = try Self.file([Self.depth(Self.range)], orientation: 6)
    let map = try DepthPhoto.depth(decoding: bytes, name: "a.jpg")
    // The turn moves the left side to the top.
    #expect((map.height, map.width) == (32, 24) && map.values[0] > 1.9 && map.values[31 * 24] < 0.3)
  }

  @Test("depth of relative accuracy is relative disparity")
  func disparityOfUnknownScaleIsRelative() throws {
    let bytes = try Self.file([Self.depth(Self.range + " d:Accuracy='relative'")])
    let map = try DepthPhoto.depth(decoding: bytes, name: "a.jpg")
    #expect(map.unit == .relativeDisparity && map.values[0] > map.values[31])
    let distances = Self.range.replacing("disparity", with: "depth")
    let reciprocal = try DepthPhoto.depth(
      decoding: Self.file([Self.depth(distances + " d:Accuracy='relative'")]), name: "a.jpg")
    #expect(reciprocal.unit == .relativeDisparity)
    #expect(abs(reciprocal.values[0] - 0.5) < 0.01 && abs(reciprocal.values[31] - 4) < 0.1)
  }

  @Test("a picture without a range is not a photo's depth") func otherPicturesAreNoDepth() throws {
    for pictures in [[], [try TestPhoto.image().encoded(as: .jpeg())], [try Self.depth("")]] {
      let bytes = try Self.file(pictures)
      #expect(throws: DepthError.noEmbeddedDepth(file: "a.jpg")) {
        try DepthPhoto.depth(decoding: bytes, name: "a.jpg")
      }
    }
    #expect(try !PhotoFile(decoding: Self.file([]), name: "a").mentionsDepth)
  }

  @Test("a truncated photo with depth after it is an error")
  func everyTruncationIsAnErrorAndNeverATrap() throws {
    let bytes = try Self.file([Self.depth(Self.range)])
    for length in stride(from: 0, to: bytes.count - 1, by: 13) {
      #expect(throws: DepthError.self) {
        try DepthPhoto.depth(decoding: Array(bytes[..<length]), name: "a.jpg")
      }
    }
  }

  @Test("a damaged table of pictures never crashes") func damagedTablesAreNeverATrap() throws {
    let good = try Self.file([Self.depth(Self.range)])
    var random = SplitMix64(state: 10)
    for _ in 0..<300 {
      var bytes = good
      for _ in 0..<3 {
        bytes[Int.random(in: 6..<70, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = try? DepthPhoto.depth(decoding: bytes, name: "a.jpg")
    }
  }
}

import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

@Suite struct ExifReducingTests {
  private func metadata(_ exif: [UInt8]?) -> ImageMetadata {
    ImageMetadata(iccProfile: [1, 2], exif: exif, focalLengthIn35mmFilm: 27)
  }

  /// The tags of the main directory and the Exif directory.
  private func tags(of block: ExifBlock) -> Set<UInt16> {
    let exif = block.value(of: 0x8769, inIFD: block.firstIFD)
    let directories = [block.firstIFD, exif].compactMap(\.self)
    return Set(
      directories.flatMap { start in
        (0..<Int(block.reader.integer(UInt16.self, at: start) ?? 0)).compactMap {
          block.reader.integer(UInt16.self, at: start + 2 + 12 * $0)
        }
      })
  }

  @Test("withoutLocation removes only tags that locate", arguments: [true, false])
  func locationGoesAndTheRestStays(isLittleEndian: Bool) throws {
    let photo = LocatedPhoto(isLittleEndian: isLittleEndian)
    #expect(LocatedPhoto.occurs(LocatedPhoto.needle, in: photo.exif))
    let reduced = metadata(photo.exif).reduced(to: .withoutLocation)
    let bytes = try #require(reduced.exif)
    #expect(!LocatedPhoto.occurs(LocatedPhoto.needle, in: bytes))
    let block = try #require(ExifBlock(bytes))
    let before = try tags(of: #require(ExifBlock(photo.exif)))
    let after = tags(of: block)
    for tag in LocatedPhoto.located {
      #expect(before.contains(tag) && !after.contains(tag), "\(tag)")
    }
    #expect(block.orientation == .up)
    #expect(block.equivalent == 27)
    for text in [LocatedPhoto.copyright, LocatedPhoto.date, "Camera Works", "R98"] {
      #expect(LocatedPhoto.occurs(text, in: bytes), "\(text)")
    }
    #expect(reduced.iccProfile == [1, 2] && reduced.focalLengthIn35mmFilm == 27)
  }

  @Test("essential metadata is orientation and copyright only")
  func onlyOrientationAndCopyrightAreEssential() throws {
    let bytes = try #require(metadata(LocatedPhoto().exif).reduced(to: .essential).exif)
    #expect(LocatedPhoto.occurs(LocatedPhoto.copyright, in: bytes))
    for text in [LocatedPhoto.needle, LocatedPhoto.date, "Camera Works"] {
      #expect(!LocatedPhoto.occurs(text, in: bytes), "\(text)")
    }
    #expect(ExifBlock(bytes)?.equivalent == nil)
    #expect(bytes.count == 8 + 2 + 2 * 12 + 4 + (LocatedPhoto.copyright.utf8.count + 2) & ~1)
  }

  @Test("policy everything keeps all metadata") func policyEverythingKeepsAll() {
    let whole = metadata(LocatedPhoto().exif)
    #expect(whole.reduced(to: .everything) == whole)
    #expect(metadata(nil).reduced(to: .withoutLocation).exif == nil)
    #expect(metadata([1, 2, 3]).reduced(to: .withoutLocation).exif == nil)
  }

  /// A photo that was reduced before has only a block of bare entries.
  @Test("reducing a block of bare entries loses nothing") func compactBlocksLoseNothing() throws {
    var bytes: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 40]
    for index in 0..<40 as Range<UInt8> {
      bytes += [0x01, 0x20 + index, 0, 3, 0, 0, 0, 1, 0, index, 0, 0]
    }
    bytes += [0, 0, 0, 0]
    // Tags that count bytes of the file are removed, and no other tags.
    let gone = (0x20..<0x48).count { [0x44, 0x45].contains($0) }
    let reduced = try #require(metadata(bytes).reduced(to: .withoutLocation).exif)
    #expect(reduced.count == bytes.count - 12 * gone)
    let block = try #require(ExifBlock(reduced))
    #expect(block.value(of: 0x0147, inIFD: block.firstIFD) == 39)
    #expect(metadata(reduced).reduced(to: .withoutLocation).exif == reduced)
    let photo = try #require(metadata(LocatedPhoto().exif).reduced(to: .withoutLocation).exif)
    #expect(metadata(photo).reduced(to: .withoutLocation).exif == photo)
  }

  /// A location in damaged parts cannot be found, so damaged parts are removed.
  @Test("reducing a damaged Exif block does not enlarge it")
  func damagedBlocksNeverGrowAndNeverTrap() {
    let block = LocatedPhoto().exif
    let noise = CounterStream("exif")
    for round in 0..<20_000 {
      var bytes = block
      for edit in 0..<3 {
        let random = Int(noise[round * 8 + edit * 2] % 1_000_003)
        bytes[random % min(bytes.count, 200)] = UInt8(noise[round * 8 + edit * 2 + 1] % 256)
      }
      if round % 5 == 0 { bytes.removeLast(round / 5 % bytes.count) }
      for policy in [MetadataPolicy.withoutLocation, .essential] {
        let reduced = metadata(bytes).reduced(to: policy).exif ?? []
        #expect(reduced.count <= bytes.count + 64)
      }
    }
  }
}

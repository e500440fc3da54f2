import DepthBase
import Foundation
import Testing
import _TestSupport

@testable import FilmFiles

/// The shown size of one view of a stereo film in Matroska and WebM (RFC 9559, 18.10).
@Suite struct FilmDisplayTests {
  /// Names and content ranges of the elements in a range of bytes.
  private func elements(_ bytes: [UInt8], in part: Range<Int>) -> [(id: Int, content: Range<Int>)] {
    var (found, place) = ([(id: Int, content: Range<Int>)](), part.lowerBound)
    func number(_ count: Int, at place: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    while place + 2 < part.upperBound {
      let name = bytes[place].leadingZeroBitCount + 1
      let size = bytes[place + name].leadingZeroBitCount + 1
      let length = number(size, at: place + name) & (1 << (7 * size) - 1)
      let start = place + name + size
      found.append((number(name, at: place), start..<min(start + length, part.upperBound)))
      place = start + length
    }
    return found
  }

  /// The numbers in a film's picture description by name, and whether the checksum is right.
  private func description(_ bytes: [UInt8]) throws -> (numbers: [Int: Int], isChecked: Bool) {
    func first(_ id: Int, in part: Range<Int>) throws -> Range<Int> {
      try #require(elements(bytes, in: part).first { $0.id == id }?.content)
    }
    let tracks = try first(0x1654_AE6B, in: first(0x1853_8067, in: 0..<bytes.count))
    let video = elements(bytes, in: tracks).lazy.filter { $0.id == 0xAE }.compactMap { track in
      elements(bytes, in: track.content).first { $0.id == 0xE0 }?.content
    }.first
    let parts = elements(bytes, in: try #require(video))
    let numbers = parts.map { part in
      (part.id, bytes[part.content].reduce(0) { $0 << 8 | Int($1) })
    }
    var isChecked = true
    if let sum = elements(bytes, in: tracks).first, sum.id == 0xBF {
      let stored = bytes[sum.content].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      isChecked = CRC32.checksum(bytes[sum.content.upperBound..<tracks.upperBound]) == stored
    }
    return (Dictionary(numbers) { first, _ in first }, isChecked)
  }

  /// Cases state size, pixel aspect, format, container, mode in the file and shown size.
  @Test(
    "one view of a stereo film is shown at its size", .withFFmpeg,
    arguments: [
      ([128, 96], 1, "sbs-half", "mkv", 1, [128, 96]),
      ([128, 96], 1, "tb-half", "mkv", 3, [128, 96]),
      ([128, 96], 1, "sbs", "mkv", 1, [128, 96]), ([128, 96], 1, "tb", "mkv", 3, [128, 96]),
      ([128, 96], 1, "rows", "mkv", 7, [128, 96]), ([128, 96], 1, "columns", "mkv", 9, [128, 96]),
      ([64, 48], 2, "sbs-half", "mkv", 1, [128, 48]),
      ([64, 48], 2, "tb-half", "mkv", 3, [128, 48]),
      // These sides need more bytes than their halves.
      ([300, 40], 1, "sbs-half", "mkv", 1, [300, 40]),
      ([40, 256], 1, "tb-half", "mkv", 3, [40, 256]),
      ([128, 96], 1, "sbs-half", "webm", 1, [128, 96]),
      ([64, 300], 1, "tb-half", "webm", 3, [64, 300]),
      ([128, 96], 1, "cross-eyed", "webm", 11, [128, 96]),
      ([128, 96], 1, "rows", "webm", nil, nil),
      ([128, 96], 1, "left", "mkv", nil, nil),
    ] as [([Int], Int, String, String, Int?, [Int]?)])
  func oneViewIsShownAtItsSize(
    size: [Int], pixel: Int, format: String, ending: String, mode: Int?, shown: [Int]?
  ) throws {
    let codec = ending == "webm" ? ["--codec", "libvpx-vp9"] : []
    if ending == "webm" { try FilmTools.require("libvpx-vp9") }
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=\(size[0])x\(size[1]):rate=10 -t 0.3 -vf setsar=\(pixel) -c:v libx264 in.mp4",
      in: folder)
    let outcome = try FilmTools.video(
      ["in.mp4", "out.\(ending)", "--stereo", format, "--depth-every", "9"] + codec, in: folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let (numbers, isChecked) = try description(
      TemporaryFolder.bytes(of: folder.path("out.\(ending)")))
    #expect(numbers[0x53B8] == mode)
    if let shown { #expect([numbers[0x54B0], numbers[0x54BA]] == shown, "\(numbers)") }
    #expect(isChecked)
    #expect(try FilmTools.times(folder.path("out.\(ending)")).count == 3)
  }

  /// The halves of odd sides are rounded down.
  @Test(
    "halved sides are doubled again",
    arguments: [
      (64, 128, 128), (64, 129, 129), (200, 400, 400), (128, 256, 256), (40000, 65535, 80000),
    ])
  func sidesAreDoubledAgain(half: Int, pixels: Int, whole: Int) throws {
    func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
      id + [0x80 | UInt8(content.count)] + content
    }
    func number(_ value: Int) -> [UInt8] {
      value < 256 ? [UInt8(value)] : [UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
    let video = element(
      [0xE0],
      element([0xB0], number(pixels)) + element([0xBA], [96]) + element([0x53, 0xB8], [1])
        + element([0x54, 0xB0], number(half)) + element([0x54, 0xBA], [96]))
    let track = [0xAE, 1, 0, 0, 0, 0, 0, 0, UInt8(video.count)] + video
    let sound: [UInt8] = element([0xAE], [0xD7, 0x81, 2])
    var tracks = element([0xBF], [0, 0, 0, 0]) + sound + track + sound
    let count = tracks.count
    #expect(MatroskaDisplay(halved: .width).correct(&tracks))
    #expect(tracks.count == count)
    let parts = elements(tracks, in: 0..<count)
    #expect(parts.map(\.id) == [0xBF, 0xAE, 0xAE, 0xAE])
    let pictures = try #require(elements(tracks, in: parts[2].content).first)
    let numbers = elements(tracks, in: pictures.content).map { part in
      tracks[part.content].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(numbers == [pixels, 96, 1, whole, 96])
    var none = sound
    #expect(!MatroskaDisplay(halved: .width).correct(&none))
    #expect(none == sound)
  }
}

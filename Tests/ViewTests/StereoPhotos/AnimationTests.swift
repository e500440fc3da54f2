import DepthImages
import PictureFiles
import StereoPhotos
import Testing
import _TestSupport

@Suite struct AnimationTests {
  static func animation() throws -> PictureAnimation {
    try PictureAnimation(
      frames: [
        TestPhoto.image(),
        Image(height: 48, width: 64, pixels: [UInt8](repeating: 90, count: 9216)),
        TestPhoto.image(),
      ], delay: 0.25)
  }

  @Test("a plain reader sees the first frame of an animated PNG")
  func animatedPNGShowsItsFirstFrameToOtherReaders() throws {
    let file = try Self.animation().animatedPNG()
    #expect(try Image(decoding: file, name: "wiggle.png").pixels == TestPhoto.image().pixels)
  }

  @Test(
    "Pillow plays each frame of the animated PNG exactly",
    .enabled(if: ExternalReader.pillow.isInstalled, "Pillow is not installed"))
  func pillowPlaysTheAnimatedPNGExactly() throws {
    let said = try ExternalReader.pillow.run(
      [
        "-c",
        """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1])
        print(image.n_frames, image.info["loop"], image.info["duration"], image.size)
        for frame in range(image.n_frames):
            image.seek(frame)
            print(sum(image.convert("RGB").tobytes()))
        """, "FILE",
      ], on: Self.animation().animatedPNG(), named: "wiggle.png")
    let sums = try Self.animation().frames.map { $0.pixels.reduce(0) { $0 + Int($1) } }
    #expect(said == "3 0 250.0 (64, 48)\n" + sums.map { "\($0)\n" }.joined())
  }

  @Test(
    "Pillow plays each frame of the GIF within 5 levels",
    .enabled(if: ExternalReader.pillow.isInstalled, "Pillow is not installed"))
  func pillowPlaysTheGIFNearlyExactly() throws {
    let said = try ExternalReader.pillow.run(
      [
        "-c",
        """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1])
        print(image.n_frames, image.info["loop"], image.info["duration"], image.size)
        for frame in range(image.n_frames):
            image.seek(frame)
            print(*image.convert("RGB").tobytes())
        """, "FILE",
      ], on: Self.animation().gif(), named: "wiggle.gif")
    let lines = said.split(separator: "\n")
    #expect(lines.first == "3 0 250 (64, 48)")
    try #require(lines.count == 4)
    for (line, frame) in zip(lines.dropFirst(), try Self.animation().frames) {
      let found = line.split(separator: " ").compactMap { Int($0) }
      try #require(found.count == frame.pixels.count)
      let error = zip(found, frame.pixels).reduce(0) { $0 + abs($1.0 - Int($1.1)) }
      #expect(Double(error) / Double(found.count) < 5)
    }
  }

  @Test(
    "ffprobe counts three frames in animated PNG and GIF",
    .enabled(if: ExternalReader.ffprobe.isInstalled, "ffprobe is not installed"))
  func ffprobeCountsTheFrames() throws {
    for (bytes, name, codec) in [
      (try Self.animation().animatedPNG(), "a.apng", "apng"),
      (try Self.animation().gif(), "a.gif", "gif"),
    ] {
      let said = try ExternalReader.ffprobe.run(
        [
          "-v", "error", "-count_frames", "-show_entries",
          "stream=codec_name,width,height,nb_read_frames", "-of", "csv=p=0", "FILE",
        ], on: bytes, named: name)
      #expect(said == "\(codec),64,48,3\n")
    }
  }

  /// After some 3800 codes, the dictionary is full and is cleared. The decoder must follow.
  @Test(
    "a GIF with an overflowing dictionary is decoded",
    .enabled(if: ExternalReader.pillow.isInstalled, "Pillow is not installed"))
  func gifOfManyColorsOutgrowsItsDictionary() throws {
    var state: UInt64 = 1
    let noise = Image(
      height: 150, width: 150,
      pixels: (0..<22500).flatMap { _ -> [UInt8] in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let level = UInt8(truncatingIfNeeded: state >> 56) & 0xF8
        return [level, level, level]
      })
    let said = try ExternalReader.pillow.run(
      [
        "-c",
        """
        import sys
        from PIL import Image
        print(*Image.open(sys.argv[1]).convert("RGB").getchannel(0).tobytes())
        """, "FILE",
      ], on: PictureAnimation(frames: [noise]).gif(), named: "noise.gif")
    let found = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(found.count == 22500)
    let worst = found.indices.map { abs(found[$0] - Int(noise.pixels[$0 * 3])) }.max()
    #expect((worst ?? 255) <= 12)
  }

  /// 0.57 · 100 is 56.99999999999999 in binary.
  @Test("a GIF's delay is rounded to the nearest hundredth of a second")
  func framesOfAGIFStayForTheNearestHundredth() throws {
    let frames = [Image(height: 1, width: 1, pixels: [1, 2, 3])]
    let gif = try PictureAnimation(frames: frames, delay: 0.57).gif()
    let control = try #require(gif.firstRange(of: [0x21, 0xF9, 4])).upperBound
    #expect(gif[control + 1..<control + 3] == [57, 0])
  }

  /// 570 and 1000 follow the frame's number, size and position.
  @Test("an animated PNG's delay is in thousandths of a second")
  func framesOfAnAnimatedPNGStayForTheirThousandths() throws {
    let frames = [Image(height: 1, width: 1, pixels: [1, 2, 3])]
    let file = try PictureAnimation(frames: frames, delay: 0.57).animatedPNG()
    let control = try #require(file.firstRange(of: Array("fcTL".utf8))).upperBound
    #expect(file[control + 20..<control + 24] == [2, 58, 3, 232])
  }
}

import ArgumentParser
import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Options without effect are wrong usage.
/// Each message names one option, the found value and the expected value.
@Suite struct OptionConflictTests {
  @Test(
    "predict names the wrong option and its expected value",
    arguments: [
      ("--color-map turbo", "--color-map requires --view"),
      ("--linear", "--linear requires --view"),
      ("--depth-photo-format gdepth", "--depth-photo-format requires --depth-photo"),
      ("--keep-location", "--keep-location requires --depth-photo"),
      ("--compression fast --format npy", "--compression requires an output as .png"),
      ("--compression small -o a.pfm --view a.jpg", "--compression requires an output as .png"),
      ("--format npy -o a.png", "-o a.png and --format npy exclude each other"),
      ("--refine none --detail 1", "--detail requires --refine joint, found --refine none"),
      ("--resolution 99999x99999", "--resolution is 99999x99999, expected sides of 1 to 32768"),
    ])
  func predictSaysWhatIsWrong(options: String, message: String) throws {
    try expectUsage(
      ["predict", livingRoom] + options.split(separator: " ").map(String.init), message)
  }

  @Test(
    "photo commands name the wrong option and its expected value",
    arguments: [
      ("effect blur --focus 0.5 --blades 2", "--blades is 2, expected 0, or 3 to 16"),
      (
        "effect blur --focus 0.5 --rotation 400",
        "--rotation is 400.0, expected -360 to 360 degrees"
      ),
      ("effect blur --focus 0.5 --radius 100%", "--radius is 1.0, expected 0 to 10% of the width"),
      ("effect mask --focus 0.5 --slope 0", "--slope is 0.0, expected 0.01 to 10000"),
      ("effect mask --focus 0.5 --width 11", "--width is 11.0, expected 0 to 10"),
      ("effect mask --from 4m --to 2m", "--from is 4m and --to 2m, expected --from below --to"),
      ("effect mask --from 2m --to 2m", "expected --from below --to"),
      (
        "effect mask --from 2 --to 4",
        "--from is 2, expected a share from 0 to 1, or distances with their unit such as 2m"
      ),
      (
        "effect mask --from 2m --to 0.5",
        "--to is 0.5, expected a distance with its unit such as 2m"
      ),
      ("effect mask --to 0.5 --soft 1m", "--soft is 1m, expected a share from 0 to 1"),
      ("effect mask --focus 1m --soft 1m", "--soft requires --from or --to"),
      ("effect mask --from 2m --focus 1m", "--from and --focus exclude each other, expected one"),
      (
        "effect mask --to 2m --focus-at 1,1", "--to and --focus-at exclude each other, expected one"
      ),
      ("effect cutout --from 2m --slope 3", "--from and --slope exclude each other, expected one"),
      ("effect spotlight --to 2m --width 0.2", "--to and --width exclude each other, expected one"),
      ("effect haze --from 2m", "--from requires --effect mask, cutout, spotlight or highlight"),
      ("effect blur --to 2m", "--to requires --effect mask, cutout, spotlight or highlight"),
      (
        "effect mask --from 2x",
        "or for a mask a distance such as 2m or 80cm, or a share from 0 to 1"
      ),
      ("effect mask --from rgb24", "--from rgb24 requires --size WxH"),
      ("effect mask --from y4m", "require --stream"),
      ("effect mask --to 2m --16-bit -o a.pfm", "--16-bit requires a PNG, but PFM has floats"),
      ("effect cutout --to 2m -o a.pfm", "a.pfm is not a .png"),
      ("effect spotlight --to 2m -o a.pfm", "ends in .pfm, expected"),
      ("stereo --from 2m", "--from is 2m, expected auto, y4m"),
      ("stereo --to 4m", "--to is 4m, expected same, y4m"),
      ("stereo --views 1", "--views is 1, expected 2 to 64"),
      ("effect mask --focus 0.5 --lossless", "--lossless requires a photo as output"),
      ("effect mask --focus 0.5 --strip-metadata", "--strip-metadata requires a photo as output"),
      ("effect blur --focus-at=-1,5", "'-1,5' is invalid for '--focus-at <x,y>'"),
      (
        "stereo --format holes --renderer gather",
        "--renderer gather cannot be combined with --format holes"
      ),
      ("stereo --format spatial --shift 2%", "--shift cannot be combined with --format spatial"),
      (
        "stereo --format spatial --screen-distance 2m",
        "--screen-distance cannot be combined with --format spatial"
      ),
      (
        "stereo --format spatial --renderer gather",
        "--renderer cannot be combined with --format spatial"
      ),
      ("stereo --format spatial --balance 2", "--balance is 2.0, expected 0 to 1"),
      ("stereo --format spatial -o a.jpg", "-o a.jpg ends in .jpg, expected .heic for spatial"),
      (
        "stereo --format spatial --lossless",
        "--lossless writes PNG, --format spatial is always .heic"
      ),
      ("stereo --format wiggle --balance 0", "--balance cannot be combined with --format wiggle"),
      (
        "stereo --format gif --frame-edges crop",
        "--frame-edges crop cannot be combined with --format gif"
      ),
      (
        "stereo --format quilt --renderer gather",
        "--renderer gather cannot be combined with --format quilt"
      ),
      ("stereo --format quilt --quilt 1x1", "--quilt has 1 views, expected 2 to 400"),
      ("stereo --shift -26%", "--shift is -0.26, expected -0.25 to 0.25, or -25% to 25%"),
      ("stereo --quality 0", "--quality is 0, expected 1 to 100"),
      ("stereo --quality 80 --lossless", "--quality requires JPEG, but the output is a .png"),
      ("stereo --quality 80 --format gif", "--quality requires JPEG, but the output is a .gif"),
      ("stereo --quality 80 -o a.png", "--quality requires JPEG, but the output is a .png"),
      ("stereo --compression fast", "--compression requires an output as .png"),
      ("effect haze --quality 80 -o a.png", "--quality requires JPEG, but the output is a .png"),
      ("effect mask --focus 0.5 --quality 80", "--quality requires JPEG, but the output is a .png"),
      ("effect haze --compression fast", "--compression requires an output as .png"),
      ("export --quality 80 --format ply", "--quality requires JPEG, but the output has no photo"),
      (
        "export --quality 80 --format glb --kind cloud",
        "--quality requires JPEG, but the output has no"
      ),
      (
        "export --quality 80 --lossless",
        "--quality requires JPEG, but the output has a PNG texture"
      ),
      ("stereo --animation-width 9", "--animation-width is 9, expected 16 to 8192"),
      ("stereo --depth d.png --calibration c.json", "--calibration requires estimated depth"),
      ("export --depth d.png --calibration c.json", "--calibration requires estimated depth"),
      ("effect haze --depth d.png --calibration c.json", "--calibration requires estimated depth"),
      ("stereo --views 8", "--views requires --format wiggle or gif, found --format sbs"),
      ("stereo --animation-width 64", "--animation-width requires --format wiggle or gif"),
      ("stereo --format gif --lossless", "--lossless writes PNG, --format gif is always .gif"),
      (
        "stereo --lossless -o a.jpg",
        "--lossless writes PNG, expected -o with a name in .png, found a.jpg"
      ),
      (
        "stereo --screen-distance 2m --convergence 0.3",
        "--convergence 0.3 and --screen-distance exclude each other"
      ),
      (
        "stereo --depth d.png --fov 60",
        "--fov requires --screen-distance, or depth that is estimated"
      ),
      ("stereo --depth d.png --weights compact", "--weights requires estimated depth"),
      ("stereo --depth-unit metre", "--depth-unit requires --depth with a depth file"),
      ("stereo --depth-scale 100", "--depth-scale requires --depth with a depth file"),
      ("refine p.jpg d.png --depth-scale 0", "--depth-scale is 0.0, expected a positive number"),
      ("effect haze p.jpg --depth d.png --depth-scale nan", "--depth-scale is nan"),
      (
        "export --depth d.png --depth-scale 5000 --depth-unit millimetre",
        "--depth-scale and --depth-unit millimetre exclude each other"
      ),
      (
        "export --depth d.png --depth-scale 256 --depth-unit metre",
        "--depth-scale and --depth-unit metre exclude each other"
      ),
      ("stereo --depth d.png --near-black", "--near-black requires --depth-unit normalized"),
      ("effect blur --focus 0.5 --slope 2", "--slope requires --style mask"),
      ("effect blur --focus 0.5 --rotation 30", "--rotation requires --blades"),
      ("effect haze --lossless -o a.jpg", "--lossless writes PNG, expected -o with a name in .png"),
      ("effect haze --depth d.png --focal-length 26mm", "--focal-length requires estimated depth"),
      ("export --depth d.png --precision int8", "--precision requires estimated depth"),
      (
        "export --depth embedded --depth-unit metre",
        "--depth-unit requires a depth file, found embedded depth"
      ),
      ("export --format html --simplify 2", "--simplify cannot be combined with .html"),
      (
        "calibrate --at 320,240=0m",
        "The value '320,240=0m' is invalid for '--at <x,y=distance>': expected column, row and a finite distance above 0"
      ),
      (
        "calibrate --at 320,240=4e-324mm",
        "The value '320,240=4e-324mm' is invalid for '--at <x,y=distance>': expected column, row and a finite distance above 0"
      ),
      (
        "calibrate --at 320,240=inf",
        "The value '320,240=inf' is invalid for '--at <x,y=distance>': expected column, row and a finite distance above 0"
      ),
      (
        "export --format ply --lossless",
        "--lossless requires a texture, expected a mesh as .glb or .obj"
      ),
      (
        "export --flying-pixels keep --edge-threshold 0.1",
        "--edge-threshold has no effect with --flying-pixels keep"
      ),
    ])
  func photoCommandsSayWhatIsWrong(command: String, message: String) throws {
    try expectUsage(command.split(separator: " ").map(String.init) + [livingRoom], message)
  }

  @Test(
    "other commands name the wrong option and its expected value",
    arguments: [
      ("benchmark --runs 0", "--runs is 0, expected 1 to 10000"),
      ("benchmark --batch 65", "--batch is 65, expected 1 to 64"),
      ("serve --queue 0", "--queue is 0, expected 1 to 256"),
      ("serve --allow-origin *", "--allow-origin is '*', expected an origin such as https://"),
      ("serve --allow-origin https://a.example/", "--allow-origin is 'https://a.example/'"),
      ("serve --base-path depth", "--base-path is 'depth', expected a path such as /depth"),
      ("serve --base-path /depth/", "--base-path is '/depth/', expected a path such as /depth"),
      ("serve --base-path /a/../b", "--base-path is '/a/../b'"),
      ("serve --timeout 0", "--timeout is 0, expected 1 to 3600"),
      (
        "stream in.mp4",
        "frames are read from standard input: ffmpeg -v error -i in.mp4 -f yuv4mpegpipe - | depth stream"
      ),
      (
        "watch in.mp4 --near 1m",
        "frames are read from standard input: ffmpeg -v error -i in.mp4 -f yuv4mpegpipe - | depth watch"
      ),
      ("stream --color-map turbo", "--color-map requires --to color or beside, found --to gray8"),
      (
        "stream --to float32 --picture-range 1:2",
        "--picture-range requires pictures, found --to float32"
      ),
      ("stream --from 2m", "--from is 2m, expected auto, y4m"),
      (
        "video a.mp4 b.mp4 --depth --from 2m", "--from requires --effect mask, cutout, spotlight or"
      ),
      ("video a.mp4 b.mp4 --effect mask --from 2m --to 1m", "expected --from below --to"),
      ("stream --from pnm --matrix bt709", "--matrix requires YUV4MPEG2 frames, found --from pnm"),
      (
        "watch --from mjpeg --color-range full",
        "--color-range requires YUV4MPEG2 frames, found --from mjpeg"
      ),
      ("effect mask --focus nearest --stream --16-bit", "--16-bit requires photos"),
      ("stereo --stream --strip-metadata", "--strip-metadata requires photos"),
      (
        "evaluate set.mat --ensemble", "--ensemble combines several --weights, expected two or more"
      ),
      ("evaluate set.mat --predictions p --mirrored", "--mirrored requires --weights"),
      ("video a.mp4 b.mp4 --depth --radius 2%", "--radius requires --effect blur, found --depth"),
      (
        "video a.mp4 b.mp4 --effect haze --slope 2",
        "--slope requires --effect mask, cutout, spotlight"
      ),
      ("video a.mp4 b.mp4 --effect blur --slope 2", "--slope requires --style mask"),
      (
        "video a.mp4 b.mp4 --stereo sbs --density 1",
        "--density requires --effect haze, found --stereo sbs"
      ),
      ("video a.mp4 b.mp4 --depth --shift 1%", "--shift requires --stereo, found --depth"),
      ("video a.mp4 b.mp4 --depth --segment-length 9s", "--segment-length requires --segments"),
      (
        "watch --zone a:0.1,0.1,0.2,0.2,0.3,0.3",
        "--zone a has no area, expected corners that enclose one"
      ),
      ("watch --exec-interval 2s", "--exec-interval requires --exec"),
      ("watch --source-timeout 0", "--source-timeout is 0.0, expected 0.01 to 86400 s"),
      ("watch --source-timeout 9ms", "--source-timeout is 0.009, expected 0.01 to 86400 s"),
      ("watch --scan-rows 0.3:0.7", "--scan-rows requires --scan"),
      ("watch --rule near-half --near 1m", "--near requires --rule metres, found --rule near-half"),
      (
        "watch --rule near-half --zone a:0,0,1,0,1,1",
        "--zone requires --rule metres, found --rule near-half"
      ),
    ])
  func otherCommandsSayWhatIsWrong(command: String, message: String) throws {
    try expectUsage(command.split(separator: " ").map(String.init), message)
  }

  private func expectUsage(
    _ arguments: [String], _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func expect(_ status: Int32, _ text: String) {
      #expect(status == 64, "\(text)", sourceLocation: sourceLocation)
      let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains(message), "\(text)", sourceLocation: sourceLocation)
    }
    do { _ = try Depth.parsed(arguments) } catch {
      return expect(Depth.exitCode(for: error).rawValue, Depth.fullMessage(for: error))
    }
    // The command checks options that depend on the photos.
    let folder = try TemporaryFolder()
    let outcome = try runDepth(arguments, in: folder)
    expect(outcome.status, outcome.errors)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty,
      sourceLocation: sourceLocation)
  }

  /// A product with 0.01 would have fifteen digits, but a quotient has the typed digits.
  @Test("lengths have the digits that were typed") func lengthsHaveTheDigitsThatWereTyped() throws {
    for centimetres in 1...300 {
      let length = try #require(Length(word: "\(centimetres)cm"))
      #expect("\(length.metres)".count <= 4, "\(length.metres)")
    }
    #expect(try #require(Length(word: "63mm")).metres == 0.063)
    #expect((0.1 + 0.2).shortened == "0.3" && 65535.0.shortened == "65535.0")
    #expect((1.0 / 3).shortened == "0.333333333" && 1e30.shortened == "1e+30")
  }

  @Test(
    "the refusal of another format names a remedy",
    arguments: [
      ("gif", Array("GIF89a".utf8), "magick FILE photo.png"),
      ("tif", Array("II*\0\0\0\0\0".utf8), "magick FILE photo.png"),
      ("mp4", Array("\0\0\0\u{18}ftypisom".utf8), "'depth stream' reads the frames of a video"),
    ])
  func otherFormatsAreNamedWithTheRemedy(name: String, bytes: [UInt8], remedy: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(bytes, to: "photo.\(name)")
    let outcome = try runDepth(["predict", "photo.\(name)"], in: folder)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(remedy), "\(outcome.errors)")
  }
}

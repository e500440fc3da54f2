import Foundation
import FrameStreams
import PictureFiles
import Testing

@testable import FilmFiles

/// The properties of films as ffprobe reports them.
@Suite struct FilmProbeTests {
  private func probe(_ streams: String...) throws -> FilmProbe {
    let text = #"{"streams":[\#(streams.joined(separator: ","))],"format":{"duration":"10"}}"#
    return try FilmProbe.decoder.decode(FilmProbe.self, from: Data(text.utf8))
  }

  private func film(_ facts: String = "") -> String {
    #"{"index":2,"codec_type":"video","width":64,"height":48\#(facts)}"#
  }

  @Test("a cover is not taken for the film") func aCoverIsNotTheFilm() throws {
    let cover =
      #"{"index":0,"codec_type":"video","width":9,"height":9,"disposition":{"attached_pic":1}}"#
    let sound = #"{"index":1,"codec_type":"audio"}"#
    #expect(try probe(cover, sound, film()).video?.index == 2)
    #expect(try probe(cover, sound).video == nil)
  }

  /// If frames have different durations, the base rate is many times the average rate.
  @Test("a film's rate is the average rate, or else the base rate")
  func framesComeAtTheAverageRate() throws {
    func rate(_ average: String, _ base: String) throws -> Ratio? {
      try probe(film(#","avg_frame_rate":"\#(average)","r_frame_rate":"\#(base)""#)).video?.rate
    }
    #expect(try rate("24000/1001", "90000/1") == Ratio(24000, 1001))
    #expect(try rate("0/0", "25/1") == Ratio(25, 1))
    #expect(try rate("0/0", "0/0") == nil)
  }

  /// Profiles 8 and above have a compatibility number.
  @Test(
    "Dolby Vision without a compatible layer is named by its profile",
    arguments: [
      (5, 0, "5"), (10, 0, "10.0"), (8, 0, "8.0"), (8, 1, nil), (10, 4, nil), (7, 6, nil),
    ])
  func dolbyVisionAloneHasItsProfile(profile: Int, compatibility: Int, name: String?) throws {
    let record =
      #","side_data_list":[{"side_data_type":"DOVI configuration record","dv_profile":\#(profile),"#
      + #""dv_bl_signal_compatibility_id":\#(compatibility)}]"#
    #expect(try probe(film(record)).video?.dolbyVisionAlone == name)
  }

  /// Cases are ffprobe's dumps of MP4 records, Matroska records and bare NAL units.
  @Test(
    "HEVC layers are counted in the parameter sets",
    arguments: [
      (
        "\n00000000: 0101 6000 0000 9000 0000 0000 1ef0 00fc  ..`.............\n00000010: fdf8 f800 000f 0120 0001 0006 4001 0c11  ....... ....@...\n00000020: ffff                                     ..\n",
        2
      ),
      (
        "\n00000000: 0101 6000 0000 9000 0000 0000 1ef0 00fc  ..`.............\n00000010: fdf8 f800 000f 0120 0001 0006 4001 0c01  ....... ....@...\n00000020: ffff                                     ..\n",
        1
      ),
      ("\n00000000: 0000 0001 4001 0f21 ffff                 ....@..!..\n", 51),
      (
        "\n00000000: 0101 6000 0000 9000 0000 0000 1ef0 00fc  ..`.............\n00000010: fdf8 f800 000f ff20 ffff ffff            ....... ....\n",
        1
      ),
      ("", 1), ("\n", 1), ("\n00000000: 00  .\n", 1),
    ])
  func layersOfHEVCAreCounted(dump: String, layers: Int) {
    #expect(HEVCParameters(dump: dump).layers == layers)
  }

  /// A wrong siting would move colors half a pixel sideways.
  @Test(
    "chroma siting is left by default",
    arguments: [
      ("", Y4MHeader.Siting.left), (#","chroma_location":"unspecified""#, .left),
      (#","chroma_location":"left""#, .left), (#","chroma_location":"center""#, .center),
      (#","chroma_location":"topleft""#, .topLeft),
    ])
  func unstatedChromaIsLeft(facts: String, siting: Y4MHeader.Siting) throws {
    #expect(try probe(film(facts)).video?.siting == siting)
  }

  /// ffprobe's names of PAL's and NTSC's transfers, and a name that ffmpeg cannot write.
  @Test(
    "known color tags are written as numbers",
    arguments: [
      ("bt470bg", "5"), ("bt470m", "4"), ("smpte170m", "6"), ("arib-std-b67", "18"),
      ("vlog", nil),
    ] as [(String, String?)])
  func tagsAreNumbers(name: String, number: String?) throws {
    let video = try #require(
      try probe(
        film(
          #","color_range":"tv","color_space":"bt470bg","color_transfer":"\#(name)","color_primaries":"jedec-p22""#
        )
      ).video)
    let tags = ColorTags(of: video)
    #expect(
      tags.options == ["-color_range", "tv", "-colorspace", "5"]
        + (number.map { ["-color_trc", $0] } ?? []) + ["-color_primaries", "22"])
    #expect(
      tags.notes
        == (number == nil
          ? ["has the color transfer vlog, which ffmpeg cannot write; the tag is left out"] : []))
  }

  @Test(
    "the film's brightest light takes precedence over the screen's",
    arguments: [
      ("", "", 0), (#"{"max_content":400,"max_average":9}"#, "", 400),
      ("", #"{"max_content":400}"#, 400), (#"{"max_content":0}"#, "", 0),
      (#"{"max_luminance":"40000000/10000"}"#, "", 4000), (#"{"max_luminance":"0/0"}"#, "", 0),
      (#"{"max_luminance":"40000000/10000"}"#, #"{"max_content":400}"#, 400),
      ("", #"{"max_luminance":"40000000/10000"}"#, 4000),
    ])
  func brightestLight(stream: String, frame: String, light: Double) throws {
    let video = try #require(
      try probe(
        film(
          #","color_transfer":"smpte2084","color_primaries":"bt2020","side_data_list":[\#(stream)]"#
        )
      ).video)
    let first = try FilmProbe.decoder.decode(
      FirstFrames.self, from: Data(#"{"frames":[{},{"side_data_list":[\#(frame)]}]}"#.utf8))
    let coding = try #require(video.highDynamicRange(first))
    #expect(coding == ColorCoding(primaries: 9, transfer: 16, brightest: light))
  }

  @Test(
    "transfers other than PQ and HLG are not HDR",
    arguments: ["bt709", "unknown", "smpte428", "bt2020-10"])
  func otherTransfersAreOfStandardRange(name: String) throws {
    let video = try #require(try probe(film(#","color_transfer":"\#(name)""#)).video)
    let first = try FilmProbe.decoder.decode(FirstFrames.self, from: Data(#"{"frames":[]}"#.utf8))
    #expect(video.highDynamicRange(first) == nil)
  }
}

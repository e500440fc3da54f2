import Foundation
import FrameStreams
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

  /// A cover in front of the film is a picture of one frame.
  @Test func aCoverIsNotTheFilm() throws {
    let cover =
      #"{"index":0,"codec_type":"video","width":9,"height":9,"disposition":{"attached_pic":1}}"#
    let sound = #"{"index":1,"codec_type":"audio"}"#
    #expect(try probe(cover, sound, film()).video?.index == 2)
    #expect(try probe(cover, sound).video == nil)
  }

  /// The base rate of a film whose frames last for different times is many times the rate at which they come.
  @Test func framesComeAtTheAverageRate() throws {
    func rate(_ average: String, _ base: String) throws -> Ratio? {
      try probe(film(#","avg_frame_rate":"\#(average)","r_frame_rate":"\#(base)""#)).video?.rate
    }
    #expect(try rate("24000/1001", "90000/1") == Ratio(24000, 1001))
    #expect(try rate("0/0", "25/1") == Ratio(25, 1))
    #expect(try rate("0/0", "0/0") == nil)
  }

  /// Profiles from 8 on have a number of compatibility.
  @Test(arguments: [
    (5, 0, "5"), (10, 0, "10.0"), (8, 0, "8.0"), (8, 1, nil), (10, 4, nil), (7, 6, nil),
  ])
  func dolbyVisionAloneHasItsProfile(profile: Int, compatibility: Int, name: String?) throws {
    let record =
      #","side_data_list":[{"side_data_type":"DOVI configuration record","dv_profile":\#(profile),"#
      + #""dv_bl_signal_compatibility_id":\#(compatibility)}]"#
    #expect(try probe(film(record)).video?.dolbyVisionAlone == name)
  }

  /// As ffprobe prints the record of MP4 and Matroska, and bare units.
  @Test(arguments: [
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

  /// Colors would move half a pixel sideways.
  @Test(arguments: [
    ("", Y4MHeader.Siting.left), (#","chroma_location":"unspecified""#, .left),
    (#","chroma_location":"left""#, .left), (#","chroma_location":"center""#, .center),
    (#","chroma_location":"topleft""#, .topLeft),
  ])
  func chromaIsOnTheLeftWhereNothingIsSaid(facts: String, siting: Y4MHeader.Siting) throws {
    #expect(try probe(film(facts)).video?.siting == siting)
  }
}

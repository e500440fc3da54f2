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

import ArgumentParser
import Foundation
import FuzzTargets
import LocalHTTP
import ProximityAlerts
import StereoPhotos
import Testing
import _TestSupport

@testable import DepthCommands

/// Damaged texts for the program's parsers: command lines, server parameters, manifests and lists.
/// `FuzzTargetTests` has such tests for the library.
///
/// libFuzzer cannot link a program, so only these tests fuzz the program's parsers.
/// FUZZ_ROUNDS multiplies the number of damaged inputs, FUZZ_SEED changes the inputs.
@Suite(.serialized) struct DamagedTextTests {
  /// A parser, and texts that it accepts.
  struct Parser: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let texts: [String]
    /// Whether a text is accepted. A wrong parser traps.
    let parse: @Sendable ([UInt8]) -> Bool

    init(
      _ name: String, _ texts: [String], _ parse: @escaping @Sendable (String) throws -> Void
    ) {
      self.init(name, texts, bytes: { try parse(String(decoding: $0, as: UTF8.self)) })
    }

    init(
      _ name: String, _ texts: [String], bytes: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
      (testDescription, self.texts) = (name, texts)
      parse = { (try? bytes($0)) != nil }
    }
  }

  private struct Refused: Error {}

  private static func found<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Refused() }
    return value
  }

  private static func head(_ query: String) throws -> HTTPRequestHead {
    try HTTPRequestHead(parsing: Array("POST /v1/x?\(query) HTTP/1.1\r\nHost: h".utf8))
  }

  static let parsers: [Parser] = [
    Parser(
      "command lines",
      [
        "predict a.jpg -o d.png --refine joint --detail 0.5 --focal-length 26mm --resolution 640x480 "
          + "--view v.png --color-map turbo --threads 2",
        "predict a --recursive --output-dir d --shard 1/4 --fov 63 --manifest m",
        "stereo a.jpg --format quilt --quilt 8x6 --baseline 63mm --screen-distance 2m --dilation 2x1",
        "stereo a.jpg --shift 1.5% --convergence auto",
        "effect blur a.jpg --focus 1.8m --aperture f/2.8 --focal-length 26mm",
        "effect mask a.jpg --focus-at 3,4 --slope 4",
        "watch --zone door:0.2,0,0.6,0,0.6,1 --near 80cm --scan --scan-rows 0.3:0.7 --exec 'a \"b\" c'",
        "calibrate a.jpg --at 320,240=2.4m",
        "stream --from rgb24 --size 64x48 --rate 30000:1001 --picture-range 0.5:9",
        "serve --port 0 --token aaaaaaaaaaaaaaaaaaaa --queue 8", "export a.jpg -o room.glb",
        "evaluate set.mat --split test", "benchmark --size 304x228",
      ]
    ) { line in
      _ = try Depth.parseAsRoot(found(shellArguments(line)))
    },
    Parser("points", ["320,240=2.4m", "1,2=80cm"]) { _ = try PointOption($0) },
    Parser("focal lengths", ["26mm", "525px", "exif"]) {
      _ = try found(FocalLengthWord(word: $0))
    },
    Parser("focus", ["0.75", "1.8m", "subject"]) { _ = try found(FocusWord(word: $0)) },
    Parser("pixels", ["320,240"]) { _ = try found(PixelWord(word: $0)) },
    Parser("f-numbers", ["f/2.8", "4"]) { _ = try found(FNumber(word: $0)) },
    Parser("shares", ["1.5%", "0.02"]) { _ = try found(Share(word: $0)) },
    Parser("lengths", ["63mm", "2.5m", "7"]) { _ = try found(Length(word: $0)) },
    Parser("convergence", ["auto", "0.5"]) { _ = try found(Convergence(word: $0)) },
    Parser("edges", ["2x1"]) { _ = try found(Dilation(word: $0)) },
    Parser("spans", ["0.5:9"]) { _ = try found(DisplayRange(word: $0)).disparities },
    Parser("rows", ["0.3:0.7"]) { _ = try found(RowSpan(word: $0)) },
    Parser("times", ["2s", "200ms"]) { _ = try found(Seconds(word: $0)) },
    Parser("shards", ["3/4", "1/100000"]) {
      _ = try found(Shard(word: $0)).contains("a/b.jpg")
    },
    Parser("zones", ["door:0.2,0,0.6,0,0.6,1,0.2,1"]) {
      _ = try found(ProximityZone(word: $0)).pixels(height: 4, width: 5)
    },
    Parser("parameters of depth", ["refine=joint&detail=0.5&focal-length=26mm&fill"]) {
      _ = try HTTPRequest(head: head($0), body: []).asked(for: DepthRequest.self)
    },
    Parser(
      "parameters of effects", ["effect=blur&focus=1.8m&radius=1%25", "effect=haze&density=1"]
    ) {
      _ = try HTTPRequest(head: head($0), body: []).asked(for: EffectQuery.self)
    },
    Parser("media types", ["text/plain;q=0.5, image/*;q=1, */*;q=0.1"]) {
      _ = try MediaTypes(offered: ["image/png", "application/json"]).best(for: $0)
    },
    Parser(
      "lines of a manifest",
      [#"{"path":"a/b.jpg","relative":"b.jpg","error":"e","outputs":["x"],"milliseconds":1.5}"#]
    ) { _ = try found(ManifestLine.Entry($0)) },
    Parser("paths", ["a/../b//./c.jpg", "../../x"]) { path in
      let mirrored = PhotoList.mirroredPath(path)
      precondition(!mirrored.hasPrefix("/") && !mirrored.split(separator: "/").contains(".."))
    },
    Parser("lists of photos", ["a.jpg\nb c.jpg\n-\n{\"path\":\"x\",\"error\":\"e\"}\n"]) { text in
      let folder = try TemporaryFolder()
      let list = try folder.write(Array(text.utf8), to: "list")
      for isNullTerminated in [false, true] {
        _ = try PhotoList(contentsOf: list, isNullTerminated: isNullTerminated)
      }
    },
  ]

  @Test("every parser reads its own texts", arguments: parsers) func textsAreRead(parser: Parser) {
    for text in parser.texts { #expect(parser.parse(Array(text.utf8)), "\(text)") }
  }

  @Test("damaged texts crash no parser", arguments: parsers)
  func damagedTextsCrashNothing(parser: Parser) {
    let environment = ProcessInfo.processInfo.environment
    let factor = environment["FUZZ_ROUNDS"].flatMap(Int.init) ?? 1
    var mutations = Mutations(seed: environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 7)
    let texts = parser.texts.map { Array($0.utf8) }
    for text in texts {
      for _ in 0..<100 * factor { _ = parser.parse(mutations.mutated(text, others: texts)) }
    }
  }
}

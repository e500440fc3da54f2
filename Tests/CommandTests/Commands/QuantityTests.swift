import ArgumentParser
import DepthImages
import FilmFiles
import MonocularDepth
import Testing

@testable import DepthCommands

/// Numbers with units, which all options read by one rule.
@Suite struct QuantityTests {
  /// A length whose units begin with the shortest name. The order must not matter.
  private func metres(_ text: String) -> Quantity? {
    Quantity(text, units: ["m": 1, "cm": 100, "mm": 1000], bare: 1)
  }

  @Test(
    "the longest unit name at the end of a number counts",
    arguments: [
      ("63mm", 63, "mm", 0.063), ("6.3cm", 6.3, "cm", 0.063), ("2.5m", 2.5, "m", 2.5),
      ("7", 7, "", 7), ("-1cm", -1, "cm", -0.01), ("+5e0m", 5, "m", 5), ("0mm", 0, "mm", 0),
      ("0x10", 16, "", 16), ("0x10cm", 16, "cm", 0.16), ("1e308m", 1e308, "m", 1e308),
    ] as [(String, Double, String, Double)])
  func theLongestNameIsTheUnit(text: String, number: Double, unit: String, value: Double) throws {
    let quantity = try #require(metres(text))
    #expect(quantity.number == number && quantity.unit == unit)
    #expect(quantity.value == value)
  }

  @Test(
    "other texts are no quantities",
    arguments: [
      "", "m", "cm", "inf", "-inf", "infinity", "infm", "nan", "nanmm", "1e999", "1e999m", " 1m",
      "1 m", "1m ", "1km", "1,5m", "1cmm", "1mcm", "1M", "1%", "one", "--1", "１m",
    ])
  func otherTextsAreRefused(text: String) { #expect(metres(text) == nil) }

  @Test("a number may need a unit") func aUnitMayBeNeeded() throws {
    func length(_ text: String) -> Quantity? {
      Quantity(text, units: ["px": 1, "mm": 1], bare: nil)
    }
    #expect(length("26") == nil && length("px") == nil && length("26m") == nil)
    let pixels = try #require(length("26px"))
    #expect(pixels.number == 26 && pixels.unit == "px")
  }

  /// 1001ms times 0.001 is 1.0009999999999999.
  @Test("times have the digits that were typed") func timesHaveTheDigitsThatWereTyped() throws {
    #expect(try #require(Seconds(word: "1001ms")).seconds == 1.001)
    for milliseconds in 1...3000 {
      let time = try #require(Seconds(word: "\(milliseconds)ms"))
      #expect("\(time.seconds)".count <= 5, "\(time.seconds)")
    }
    for (text, seconds) in [("0", 0.0), ("2", 2), ("0.2s", 0.2), ("86400000ms", 86400)] {
      #expect(Seconds(word: text)?.seconds == seconds, "\(text)")
    }
    for text in ["-1ms", "86401", "86400001ms", "1m", "inf", "nan", "nans", "ms", ""] {
      #expect(Seconds(word: text) == nil, "\(text)")
    }
  }

  @Test("shares, lengths and times of films are read by one rule") func sharesAndLengths() {
    for (text, share) in [("1.5%", 0.015), ("0.01", 0.01), ("-3%", -0.03), ("100%", 1)] {
      #expect(Share(word: text)?.value == share, "\(text)")
    }
    for text in ["%", "1%%", "inf%", "nan", ""] { #expect(Share(word: text) == nil, "\(text)") }
    for text in ["0", "0mm", "-1m", "inf", "nanm", "1e999mm", "26px", ""] {
      #expect(Length(word: text) == nil, "\(text)")
    }
    for text in ["1:30s", "s", "1:", ":1", "inf", "nans", "1:inf", "1000000", "1ms"] {
      #expect(FilmTime(word: text) == nil, "\(text)")
    }
    #expect(FilmTime(word: "0.5s")?.seconds == 0.5)
  }

  @Test("a focal length needs a unit") func focalLengthsNeedAUnit() {
    func length(_ text: String) -> Camera.FocalLength? {
      FocalLengthWord(word: text)?.length
    }
    #expect(length("525px") == .pixels(525) && length("26.5mm") == .equivalent35mm(26.5))
    #expect(length("exif") == .photo)
    for text in ["26", "26cm", "0mm", "-5px", "infmm", "nanpx", "px", "none"] {
      #expect(length(text) == nil, "\(text)")
    }
  }

  @Test("a known point needs a positive distance") func knownPointsHaveAPositiveDistance() throws {
    for (text, metres) in [
      ("320,240=80cm", 0.8), ("0,0=2.4m", 2.4), ("1,2=7", 7), ("1,2=9mm", 0.009),
    ] {
      #expect(try PointOption(text).point.metres == metres, "\(text)")
    }
    for text in [
      "1,2=0", "1,2=-1m", "1,2=inf", "1,2=-infcm", "1,2=nan", "1,2=1e999m", "1,2=", "1,2=m", "1=2",
      "1,2,3=4m", "1,2=3=4", "=", "",
    ] {
      let error = #expect(throws: ValidationError.self, "\(text)") { try PointOption(text) }
      #expect(error?.message.contains("expected") == true)
    }
  }

  /// A wait of 0 would make a busy loop.
  @Test("the wait for a source is at least 10 ms") func aSourceHasTimeForItsFrames() throws {
    let shortest = try WatchRuleOptions.parse(["--source-timeout", "10ms"])
    #expect(shortest.sourceTimeout.seconds == 0.01)
    for time in ["0", "0s", "9.9ms", "0.009"] {
      #expect(throws: (any Error).self, "\(time)") {
        try WatchRuleOptions.parse(["--source-timeout", time])
      }
    }
    // Other times may be 0.
    #expect(try WatchRuleOptions.parse(["--enter-time", "0"]).enterTime.seconds == 0)
  }
}

import Testing

@testable import DepthCommands

@Suite struct ProgressLineTests {
  /// A damaged film may claim any number of frames.
  @Test(
    "the remaining time is frames divided by rate",
    arguments: [
      (345, 9.8, "36 s"), (0, 9.8, "0 s"), (10, 0, nil), (0, 0, nil), (Int.max, 0.5, nil),
      (Int.max, 1e-300, nil),
    ] as [(Int, Double, String?)])
  func theRemainingTime(frames: Int, rate: Double, text: String?) {
    #expect(ProgressLine.remaining(frames, perSecond: rate) == text)
  }

  /// A wrapped line cannot be erased.
  @Test(
    "a line of wide characters is cut to its columns",
    arguments: [
      ("[1/3] a.jpg", "[1/3] a.jpg"), ("[1/3] 写真写真.jpg", "[1/3] 写真"), ("[1/3] ééééé", "[1/3] éé"),
      ("", ""),
    ])
  func aLineOfWideCharactersIsCut(text: String, shown: String) {
    #expect(ProgressLine.cut(text, columns: 11) == shown)
  }
}

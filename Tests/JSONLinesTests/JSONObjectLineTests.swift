import JSONLines
import Testing
import _TestSupport

@Suite(.offPool) struct JSONObjectLineTests {
  private func fault(_ line: String) -> String? {
    do { _ = try JSONObjectLine(Array(line.utf8)) } catch { return error.description }
    return nil
  }

  @Test func membersKeepTheirText() throws {
    let line =
      #" {"id": [1, {"a":"}"}] , "n":-1.50e+400,"s":"a\"\\\/\n\u00e9\ud83d\ude00","t":true,"z":null,"f":false,"o":{}} "#
    let members = try JSONObjectLine(Array(line.utf8)).members
    #expect(members.map(\.key) == ["id", "n", "s", "t", "z", "f", "o"])
    #expect(members[0].value == .array && members[0].text == #"[1, {"a":"}"}]"#)
    #expect(members[1].value == .number("-1.50e+400") && members[1].text == "-1.50e+400")
    #expect(members[2].value == .string("a\"\\/\né😀"))
    #expect(members[2].text == #""a\"\\\/\n\u00e9\ud83d\ude00""#)
    #expect(members[3...].map(\.value) == [.bool(true), .null, .bool(false), .object])
    #expect(try JSONObjectLine(Array("{}".utf8)).members.isEmpty)
  }

  @Test(arguments: [
    ("", "the line ends, expected the '{' of an object"),
    ("[]", "byte 1 is not the '{' of an object"),
    ("{\"a\":1", "the line ends, expected ','"),
    ("{\"a\":01}", "byte 7 is not ','"),
    ("{\"a\":1.}", "byte 8 is not a digit"),
    ("{\"a\":-}", "byte 7 is not a digit"),
    ("{\"a\":+1}", "byte 6 is not a value"),
    ("{\"a\":nul}", "byte 6 is not a value"),
    ("{\"a\" 1}", "byte 6 is not ':'"),
    ("{a:1}", "byte 2 is not '\"'"),
    ("{\"a\":1,}", "byte 8 is not '\"'"),
    ("{\"a\":[1,]}", "byte 9 is not a value"),
    ("{\"a\":\"\\x\"}", "byte 8 is not an escape"),
    ("{\"a\":\"\\ud800\"}", "byte 13 is not a pair of surrogates"),
    ("{\"a\":\"\\ud800\\u0041\"}", "byte 19 is not a pair of surrogates"),
    ("{\"a\":\"\\u00g0\"}", "byte 11 is not four hexadecimal digits"),
    ("{\"a\":\"\t\"}", "byte 7 is not a character of a string"),
    ("{\"a\":\"", "the line ends, expected the '\"' of a string"),
    ("{\"a\":1} x", "byte 9 is not the end of the line"),
    ("{\"a\":1,\"\\u0061\":2}", "the object has the key 'a' twice"),
  ])
  func faultsSayWhere(line: String, expected: String) { #expect(fault(line) == expected) }

  @Test func nestingIsLimited() {
    func nested(_ depth: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }
    #expect(fault(nested(63)) == nil)
    #expect(fault(nested(64)) == "objects and lists are nested more than 64 deep")
    #expect(fault(nested(400_000)) == "objects and lists are nested more than 64 deep")
  }

  @Test func bytesThatAreNoText() {
    #expect(throws: JSONFault("the line is not UTF-8, expected a JSON object")) {
      try JSONObjectLine([0x7B, 0xFF, 0x7D])
    }
  }

  /// Every cut of a line is a fault, and random bytes never end the process.
  @Test func cutAndChangedLines() {
    let line = Array(#"{"id":{"a":[1,2.5e-3,"\u00e9\ud83d\ude00"]},"b":true,"c":null}"#.utf8)
    for end in 0..<line.count {
      #expect(throws: JSONFault.self) { try JSONObjectLine(Array(line[..<end])) }
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var changed = line
      for _ in 0..<3 {
        changed[Int.random(in: 0..<line.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? JSONObjectLine(changed)
    }
  }
}

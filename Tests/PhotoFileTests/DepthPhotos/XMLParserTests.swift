import Testing

@testable import DepthPhotos

/// The XML parser for packets.
@Suite struct XMLParserTests {
  /// Names may have special characters.
  @Test("XML entities become their characters") func entitiesBecomeTheirCharacters() throws {
    let text = "<a b='&#x41;&#66;&amp;&quot;' c='&x; &'>&lt;&#x263A;&gt;</a>"
    let element = try XMLParser.parse(Array(text.utf8))
    #expect(element.attributes[.init("", "b")] == "AB&\"")
    #expect(element.attributes[.init("", "c")] == "&x; &")
    #expect(element.text == "<☺>")
  }

  /// Each element, attribute or comment takes a hundred bytes of memory.
  @Test("XML with more than 65536 parts is refused", arguments: ["<b/>", "<!---->", "<?x?>"])
  func partsAreCounted(part: String) {
    let text = "<a>" + String(repeating: part, count: 1 << 16) + "</a>"
    let fault = XMLParser.Fault(reason: "has more than 65536 parts")
    #expect(throws: fault) { try XMLParser.parse(Array(text.utf8)) }
    let attributes = "<a" + String(repeating: " b=''", count: 1 << 16) + "/>"
    #expect(throws: fault) { try XMLParser.parse(Array(attributes.utf8)) }
    #expect(throws: Never.self) { try XMLParser.parse(Array("<a>\(part)</a>".utf8)) }
  }
}

import Testing

@testable import DepthPhotos

/// Texts of packets.
@Suite struct XMLParserTests {
  /// A name with a special character would not be found otherwise.
  @Test func entitiesBecomeTheirCharacters() throws {
    let text = "<a b='&#x41;&#66;&amp;&quot;' c='&x; &'>&lt;&#x263A;&gt;</a>"
    let element = try XMLParser.parse(Array(text.utf8))
    #expect(element.attributes[.init("", "b")] == "AB&\"")
    #expect(element.attributes[.init("", "c")] == "&x; &")
    #expect(element.text == "<☺>")
  }
}

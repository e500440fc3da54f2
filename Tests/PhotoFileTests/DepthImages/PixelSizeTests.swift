import Testing

@testable import DepthImages

@Suite struct PixelSizeTests {
  @Test("640x480 is read as a size, 8x6 as a grid") func sizesAndGridsAreReadFromText() {
    #expect(PixelSize("640x480") == PixelSize(width: 640, height: 480))
    #expect(Grid("8x6") == Grid(columns: 8, rows: 6))
    #expect(Grid(columns: 8, rows: 6).count == 48)
    #expect(PixelSize("8192x1") != nil && PixelSize("2000x3", sides: 1...1000) == nil)
  }

  @Test(
    "only text of the form WIDTHxHEIGHT is a size",
    arguments: ["", "x", "3", "3x", "x3", "3x4x5", "0x3", "3x8193", "-3x4", "3 x4", "axb"])
  func otherTextsAreRejected(text: String) {
    #expect(PixelSize(text) == nil && Grid(text) == nil)
  }
}

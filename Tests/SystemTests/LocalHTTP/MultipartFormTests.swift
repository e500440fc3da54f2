import Testing

@testable import LocalHTTP

/// Files in forms.
@Suite struct MultipartFormTests {
  private func file(_ type: String?, _ body: String) throws -> String? {
    try MultipartForm(contentType: type)
      .map { String(decoding: try $0.file(in: Array(body.utf8)), as: UTF8.self) }
  }

  private let part = "--b\r\nContent-Disposition: form-data; name=x"

  @Test func theFirstFileIsTaken() throws {
    let type = "multipart/form-data; boundary=b"
    #expect(try file(nil, "abc") == nil)
    #expect(try file("image/jpeg", "abc") == nil)
    let two =
      "preamble\r\n\(part)\r\n\r\ntext\r\n\(part); filename=\"a\"\r\n\r\n1\r\n--c\r\n2\r\n"
      + "\(part); filename=b\r\n\r\nother\r\n--b--"
    #expect(try file(type, two) == "1\r\n--c\r\n2")
    #expect(
      try file("Multipart/Form-Data; boundary=\"b\"", "\(part); filename*=x\r\n\r\n\r\n--b--") == ""
    )
  }

  /// Programs that send bytes instead of a file give no file name.
  @Test(
    arguments: [
      ([("photo", nil, "1")], "1"), ([("\"file\"", nil, "1")], "1"),
      ([("note", nil, "text"), ("image", nil, "1"), ("fov", nil, "60")], "1"),
      ([("photo", nil, "1"), ("x", "a.jpg", "2")], "2"),
      ([("x", nil, "1")], nil), ([("photos", nil, "1")], nil), ([("Photo", nil, "1")], nil),
      ([("photo", nil, "1"), ("image", nil, "2")], nil),
      ([("photo", nil, "1"), ("photo", nil, "2")], nil),
    ] as [([(name: String, file: String?, content: String)], String?)])
  func withoutAFileNameTheNameDecides(
    parts: [(name: String, file: String?, content: String)], expected: String?
  ) throws {
    let form = parts.map { part in
      let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
      return "--b\r\nContent-Disposition: form-data; name=\(part.name)\(file)\r\n"
        + "Content-Type: image/jpeg\r\n\r\n\(part.content)\r\n"
    }.joined()
    guard let expected else {
      let refusal = #expect(throws: HTTPRefusal.self) {
        try file("multipart/form-data; boundary=b", form + "--b--")
      }
      #expect(refusal?.status == .badRequest)
      return
    }
    #expect(try file("multipart/form-data; boundary=b", form + "--b--") == expected)
  }

  /// What is no photo is a parameter, as long as an address could hold it.
  @Test func otherPartsAreParameters() throws {
    let form = try #require(try MultipartForm(contentType: "multipart/form-data; boundary=b"))
    func parameters(_ value: String) throws -> [HTTPRequestHead.Parameter] {
      try form.parameters(
        in: Array(
          ("\(part)\r\n\r\n\(value)\r\n--b\r\nContent-Disposition: form-data; name=photo\r\n\r\n1\r\n"
            + "--b\r\nContent-Disposition: form-data; name=y; filename=a\r\n\r\n2\r\n--b--\r\n--b")
            .utf8))
    }
    #expect(try parameters("60") == [.init(name: "x", value: "60")])
    #expect(try parameters("").map(\.value) == [""])
    #expect(try parameters(String(repeating: "a", count: 16_000)).count == 1)
    #expect(throws: HTTPRefusal.self) { try parameters(String(repeating: "a", count: 17_000)) }
    let long = Array("--b\r\nX: \(String(repeating: "a", count: 17_000))\r\n\r\n1\r\n--b--".utf8)
    #expect(throws: HTTPRefusal.self) { try form.parameters(in: long) }
    #expect(throws: HTTPRefusal.self) { try form.file(in: long) }
  }

  @Test(arguments: [
    "", "--b", "--b--", "--b\r\n\r\nabc\r\n--b--",
    "--b\r\nContent-Disposition: form-data; filename=a\r\n\r\ncut",
    "--b\r\nContent-Disposition: form-data; name=a\r\n\r\ntext\r\n--b--",
  ])
  func formsWithoutAWholeFileAreRefused(body: String) {
    let refusal = #expect(throws: HTTPRefusal.self) {
      try file("multipart/form-data; boundary=b", body)
    }
    #expect(refusal?.status == .badRequest)
    #expect(throws: HTTPRefusal.self) { try file("multipart/form-data", body) }
  }
}

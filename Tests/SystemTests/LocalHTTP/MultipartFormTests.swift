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

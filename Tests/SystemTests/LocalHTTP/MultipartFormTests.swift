import Testing

@testable import LocalHTTP

/// Files in forms.
@Suite struct MultipartFormTests {
  private func file(_ type: String?, _ body: String) throws -> String? {
    var form = try MultipartForm(contentType: type, body: Array(body.utf8))
    return try form.map { _ in String(decoding: try form!.takeFile(), as: UTF8.self) }
  }

  private let part = "--b\r\nContent-Disposition: form-data; name=x"

  @Test("the first part with a file name is the file") func theFirstFileIsTaken() throws {
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
    "a field's name can replace a file name",
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

  @Test("other parts of a form are parameters") func otherPartsAreParameters() throws {
    func form(_ body: String) throws -> MultipartForm {
      try #require(
        try MultipartForm(
          contentType: "multipart/form-data; boundary=b", body: Array(body.utf8)))
    }
    func parameters(_ value: String) throws -> [HTTPRequestHead.Parameter] {
      try form(
        "\(part)\r\n\r\n\(value)\r\n--b\r\nContent-Disposition: form-data; name=photo\r\n\r\n1\r\n"
          + "--b\r\nContent-Disposition: form-data; name=y; filename=a\r\n\r\n2\r\n--b--\r\n--b"
      ).parameters()
    }
    #expect(try parameters("60") == [.init(name: "x", value: "60")])
    #expect(try parameters("").map(\.value) == [""])
    #expect(try parameters(String(repeating: "a", count: 16_000)).count == 1)
    #expect(throws: HTTPRefusal.self) { try parameters(String(repeating: "a", count: 17_000)) }
  }

  /// The limit also holds in a last part that never ends.
  @Test("a part's head of more than 4096 bytes is refused", arguments: ["1\r\n--b--", "cut"])
  func theHeadOfAPartIsShort(rest: String) throws {
    func form(_ count: Int) throws {
      _ = try MultipartForm(
        contentType: "multipart/form-data; boundary=b",
        body: Array("--b\r\nX: \(String(repeating: ";", count: count))\r\n\r\n\(rest)".utf8))
    }
    #expect(throws: Never.self) { try form(4000) }
    let refusal = #expect(throws: HTTPRefusal.self) { try form(4200) }
    #expect(refusal?.reason == "the head of a form's part has more than 4096 bytes")
  }

  /// Browsers send an unfilled file field with an empty name and no content.
  @Test("a file field left empty is skipped") func aFileFieldLeftEmptyIsSkipped() throws {
    let type = "multipart/form-data; boundary=b"
    for name in ["x", "photo"] {
      let empty =
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n\r\n"
      #expect(try file(type, "\(empty)\(part); filename=\"a.jpg\"\r\n\r\n1\r\n--b--") == "1")
      #expect(
        try file(
          type, "\(empty)--b\r\nContent-Disposition: form-data; name=file\r\n\r\n2\r\n--b--") == "2"
      )
      #expect(throws: HTTPRefusal.self) { try file(type, "\(empty)--b--") }
    }
    // Content with an empty file name is a file.
    #expect(try file(type, "\(part); filename=\"\"\r\n\r\n3\r\n--b--") == "3")
  }

  /// A form of 64 MB and its photo then share one copy in memory.
  @Test("the file of a form takes over its memory") func theFileTakesTheFormsMemory() throws {
    var body = Array("\(part); filename=a\r\n\r\n".utf8)
    body += [UInt8](repeating: 7, count: 1 << 20) + Array("\r\n--b--".utf8)
    let place = body.withUnsafeBytes { $0.baseAddress }
    var form = try #require(
      try MultipartForm(contentType: "multipart/form-data; boundary=b", body: body))
    body = []
    let file = try form.takeFile()
    #expect(file == [UInt8](repeating: 7, count: 1 << 20))
    #expect(file.withUnsafeBytes { $0.baseAddress } == place)
  }

  @Test("a form may have up to 1000 parts") func aFormHasAThousandPartsAtMost() throws {
    let part = "--b\r\n\r\n\r\n"
    func form(_ count: Int) throws {
      _ = try MultipartForm(
        contentType: "multipart/form-data; boundary=b",
        body: Array((String(repeating: part, count: count) + "--b--").utf8))
    }
    #expect(throws: Never.self) { try form(1000) }
    let refusal = #expect(throws: HTTPRefusal.self) { try form(1001) }
    #expect(refusal?.reason == "the form has more than 1000 parts")
  }

  /// A body full of near-boundaries or line ends takes long to search.
  @Test("a long search for boundaries can be ended", arguments: ["-", "\r\n", "--b\r\n"])
  func theSearchCanBeEnded(piece: String) {
    struct Ended: Error {}
    var checks = 0
    let body = Array(String(repeating: piece, count: (3 << 20) / piece.utf8.count).utf8)
    #expect(throws: Ended.self) {
      try MultipartForm(
        contentType: "multipart/form-data; boundary=\(String(repeating: "-", count: 60))x",
        body: body
      ) {
        checks += 1
        if checks == 2 { throw Ended() }
      }
    }
  }

  @Test(
    "a boundary counts only at the beginning of a line",
    arguments: [
      ("--b\r\n\r\n1\r\n--b--", ["1"]), ("--b\r\n\r\n\r\n--b--", [""]),
      ("x--b\r\n\r\n1\r\n--b--", []), ("\n--b\r\n\r\n1\r\n--b--", []),
      ("--b\r\n--b\r\n\r\n1\r\n--b--", ["1"]), ("--b\r\r\n\r\n1\r\n--b--", ["1"]),
      ("--b\r\n\r\n1\n--b\r\n2\r\n--bc", ["1\n--b\r\n2"]), ("--b\r\n\r\n1\r\n", []),
    ])
  func boundariesBeginLines(body: String, contents: [String]) throws {
    let named = body.replacing("--b\r\n\r\n", with: "--b\r\nContent-Disposition: f; name=x\r\n\r\n")
      .replacing("--b\r\r\n\r\n", with: "--b\r\r\nContent-Disposition: f; name=x\r\n\r\n")
    let form = try MultipartForm(
      contentType: "multipart/form-data; boundary=b", body: Array(named.utf8))
    #expect(try form?.parameters().map(\.value) == contents)
  }

  @Test(
    "a form without a whole file is refused",
    arguments: [
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

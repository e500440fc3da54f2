/// The body of a form with a file, as `curl -F` and browsers send it.
///
/// > Source: RFC 7578 and RFC 2046, section 5.1.
package struct MultipartForm {
  private let boundary: [UInt8]

  /// - Parameter contentType: The header; `nil` for a body that is no form.
  /// - Throws: ``HTTPRefusal`` with status 400 for a form that does not say where its parts end.
  package init?(contentType: String?) throws(HTTPRefusal) {
    let fields = Self.fields(of: contentType ?? "")
    guard fields.first?.name == "multipart/form-data" else { return nil }
    guard let boundary = fields.first(where: { $0.name == "boundary" })?.value,
      (1...70).contains(boundary.utf8.count)
    else {
      throw HTTPRefusal(
        .badRequest, "multipart/form-data without a boundary of 1 to 70 characters")
    }
    self.boundary = Array("--\(boundary)".utf8)
  }

  /// The content of the first part that is a file.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for a form without one, and one that is cut off.
  package func file(in body: [UInt8]) throws(HTTPRefusal) -> [UInt8] {
    var place = 0
    while let start = delimiter(in: body, from: place) {
      guard let headEnd = Self.index(of: Self.emptyLine, in: body, from: start.upperBound),
        let end = delimiter(in: body, from: headEnd)
      else { break }
      let head = body[start.upperBound..<headEnd]
      if Self.isFile(head) {
        return Array(body[headEnd + Self.emptyLine.count..<max(end.lowerBound, headEnd + 4)])
      }
      place = end.lowerBound
    }
    throw HTTPRefusal(
      .badRequest,
      "the form has no complete file, expected one as 'curl -F photo=@photo.jpg' sends it")
  }

  private static let emptyLine = Array("\r\n\r\n".utf8)

  /// The next boundary, with the end of the line before it.
  private func delimiter(in body: [UInt8], from start: Int) -> Range<Int>? {
    var start = start
    while let at = Self.index(of: boundary, in: body, from: start) {
      // A boundary begins a line.
      if at == 0 { return 0..<boundary.count }
      if at >= 2, body[at - 2] == 0x0D, body[at - 1] == 0x0A {
        return at - 2..<at + boundary.count
      }
      start = at + 1
    }
    return nil
  }

  private static func index(of pattern: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first, body.count >= pattern.count else { return nil }
    var index = start
    while index <= body.count - pattern.count {
      guard let found = body[index...(body.count - pattern.count)].firstIndex(of: first) else {
        return nil
      }
      if body[found..<found + pattern.count].elementsEqual(pattern) { return found }
      index = found + 1
    }
    return nil
  }

  /// Whether the headers of a part name a file.
  private static func isFile(_ head: ArraySlice<UInt8>) -> Bool {
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.contains { line in
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2, sides[0].lowercased() == "content-disposition" else { return false }
      return fields(of: String(sides[1])).contains { $0.name.hasPrefix("filename") }
    }
  }

  /// `form-data; name="photo"` as names in lower case and values without quotes.
  private static func fields(of text: String) -> [(name: String, value: String)] {
    text.split(separator: ";").map { field in
      let sides = field.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces }
      let value = sides.count == 2 ? sides[1] : ""
      let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return (
        name: (sides.first ?? "").lowercased(),
        value: isQuoted ? String(value.dropFirst().dropLast()) : value
      )
    }
  }
}

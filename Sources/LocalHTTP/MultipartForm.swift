/// The body of a form with a photo, as `curl -F`, browsers and other programs send it.
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

  /// The content of the first part with a file name; without any, of the one part that is named as a photo.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for a form without one, and one that is cut off.
  package func file(in body: [UInt8]) throws(HTTPRefusal) -> [UInt8] {
    let parts = try parts(of: body)
    if let file = parts.first(where: \.isFile) { return Array(body[file.content]) }
    let named = parts.filter(\.isNamedAsPhoto)
    guard named.count <= 1 else {
      throw HTTPRefusal(
        .badRequest,
        "the form has \(named.count) parts named photo, file or image and no file name, expected one"
      )
    }
    guard let part = named.first else {
      throw HTTPRefusal(
        .badRequest,
        "the form has no complete file, expected one as 'curl -F photo=@photo.jpg' sends it")
    }
    return Array(body[part.content])
  }

  /// The parts that are no files and not named as a photo: parameters.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for what is longer than an address may be.
  package func parameters(
    in body: [UInt8]
  ) throws(HTTPRefusal) -> [HTTPRequestHead.Parameter] {
    var (parameters, bytes): ([HTTPRequestHead.Parameter], Int) = ([], 0)
    for part in try parts(of: body) {
      guard !part.isFile, !part.isNamedAsPhoto, let name = part.name else { continue }
      bytes += name.utf8.count + part.content.count
      guard bytes <= Self.headBytes else {
        throw HTTPRefusal(
          .badRequest, "the form's parameters have more than \(Self.headBytes) bytes")
      }
      parameters.append(
        .init(name: name, value: String(decoding: body[part.content], as: UTF8.self)))
    }
    return parameters
  }

  /// Bytes of a part's head, and of all parameters together, at most.
  private static let headBytes = 16 << 10

  private struct Part {
    let name: String?
    let isFile: Bool
    let content: Range<Int>

    var isNamedAsPhoto: Bool { name.map(MultipartForm.photoNames.contains) ?? false }
  }

  /// The complete parts, in their order.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for a head that is too long.
  private func parts(of body: [UInt8]) throws(HTTPRefusal) -> [Part] {
    var parts: [Part] = []
    var place = 0
    while let start = delimiter(in: body, from: place) {
      guard !body[start.upperBound...].starts(with: "--".utf8),
        let headEnd = Self.index(of: Self.emptyLine, in: body, from: start.upperBound),
        let end = delimiter(in: body, from: headEnd)
      else { break }
      guard headEnd - start.upperBound <= Self.headBytes else {
        throw HTTPRefusal(
          .badRequest, "the head of a form's part has more than \(Self.headBytes) bytes")
      }
      let first = headEnd + Self.emptyLine.count
      let fields = Self.disposition(body[start.upperBound..<headEnd])
      parts.append(
        Part(
          name: fields.first { $0.name == "name" }?.value,
          isFile: fields.contains { $0.name.hasPrefix("filename") },
          content: first..<max(end.lowerBound, first)))
      place = end.lowerBound
    }
    return parts
  }

  /// What programs call the photo that they send without a file name.
  private static let photoNames: Set = ["photo", "file", "image"]

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

  /// What the headers of a part say of it.
  private static func disposition(_ head: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    for line in String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2, sides[0].lowercased() == "content-disposition" else { continue }
      return fields(of: String(sides[1]))
    }
    return []
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

/// A form with a photo, as sent by curl's `-F`, browsers and other programs.
///
/// > Source: RFC 7578 and RFC 2046, section 5.1.
package struct MultipartForm {
  private var body: [UInt8]
  /// The complete parts, in order.
  private var parts: [Part]

  private struct Part {
    let name: String?
    let isFile: Bool
    /// Whether the part is an unused file field, which browsers send with an empty file name.
    let isLeftEmpty: Bool
    let content: Range<Int>

    var isNamedAsPhoto: Bool { name.map(MultipartForm.photoNames.contains) ?? false }

    init(_ fields: [(name: String, value: String)], content: Range<Int>) {
      let fileNames = fields.filter { ["filename", "filename*"].contains($0.name) }.map(\.value)
      name = fields.first { $0.name == "name" }?.value
      isFile = !fileNames.isEmpty
      isLeftEmpty = isFile && content.isEmpty && fileNames.allSatisfy(\.isEmpty)
      self.content = content
    }
  }

  /// Maximum number of parts.
  private static let partCount = 1000
  /// Maximum bytes of a part's head.
  private static let headBytes = 4 << 10
  /// Maximum bytes of all parameters.
  private static let parameterBytes = 16 << 10
  /// Names of a photo part without a file name.
  private static let photoNames: Set = ["photo", "file", "image"]

  /// Parses the parts of a form in one pass.
  ///
  /// - Parameters:
  ///   - contentType: The header; `nil` for a body that is not a form.
  ///   - check: Called about once per megabyte and part; an error of `check` ends the parsing.
  /// - Throws: ``HTTPRefusal`` with status 400 for a missing boundary, more than 1000 parts, or an overlong head of a part.
  package init?(
    contentType: String?, body: [UInt8], checking check: () throws -> Void = {}
  ) throws {
    let fields = Self.fields(of: contentType ?? "")
    guard fields.first?.name == "multipart/form-data" else { return nil }
    guard let boundary = fields.first(where: { $0.name == "boundary" })?.value,
      (1...70).contains(boundary.utf8.count)
    else {
      throw HTTPRefusal(
        .badRequest, "multipart/form-data without a boundary of 1 to 70 characters")
    }
    self.body = body
    parts = try Self.parts(of: body, delimiter: Array("--\(boundary)".utf8), check)
  }

  /// Moves out the content of the first part with a file name, or else of the only part with a photo's name.
  ///
  /// The file reuses the body's memory, so the form has no parts afterwards.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for a form without a file, and for a truncated form.
  package mutating func takeFile() throws(HTTPRefusal) -> [UInt8] {
    let content = try file
    var taken: [UInt8] = []
    swap(&taken, &body)
    parts = []
    taken.removeSubrange(content.upperBound...)
    taken.removeSubrange(..<content.lowerBound)
    return taken
  }

  private var file: Range<Int> {
    get throws(HTTPRefusal) {
      if let file = parts.first(where: { $0.isFile && !$0.isLeftEmpty }) { return file.content }
      let named = parts.filter { $0.isNamedAsPhoto && !$0.isLeftEmpty }
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
      return part.content
    }
  }

  /// The parameters: all parts except files and parts with a photo's name.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 if the parameters exceed the maximum length.
  package func parameters() throws(HTTPRefusal) -> [HTTPRequestHead.Parameter] {
    var (parameters, bytes): ([HTTPRequestHead.Parameter], Int) = ([], 0)
    for part in parts {
      guard !part.isFile, !part.isNamedAsPhoto, let name = part.name else { continue }
      bytes += name.utf8.count + part.content.count
      guard bytes <= Self.parameterBytes else {
        throw HTTPRefusal(
          .badRequest, "the form's parameters have more than \(Self.parameterBytes) bytes")
      }
      parameters.append(
        .init(name: name, value: String(decoding: body[part.content], as: UTF8.self)))
    }
    return parameters
  }

  /// Parses the parts in linear time. A delimiter contains no line feed, so one comparison at the start of each line
  /// suffices.
  private static func parts(
    of body: [UInt8], delimiter: [UInt8], _ check: () throws -> Void
  ) throws -> [Part] {
    var parts: [Part] = []
    /// The end of the last delimiter; `nil` before the first delimiter.
    var head: Int?
    /// The start of the content after the delimiter and the part's head.
    var content: (start: Int, fields: [(name: String, value: String)])?
    var (line, checked) = (0, 0)
    while line < body.count {
      // In the head of a part, a delimiter has no meaning.
      if head == nil || content != nil, body[line] == 0x2D, body[line...].starts(with: delimiter) {
        if let content {
          guard parts.count < partCount else {
            throw HTTPRefusal(.badRequest, "the form has more than \(partCount) parts")
          }
          parts.append(
            Part(
              content.fields,
              // The line feed before a delimiter belongs to the delimiter.
              content: content.start..<max(line - 2, content.start)))
        }
        (head, content) = (line + delimiter.count, nil)
        if body[(line + delimiter.count)...].starts(with: "--".utf8) { break }
        try check()
      }
      guard let end = try lineEnd(in: body, from: line, check) else { break }
      if let begun = head, content == nil, end == line, begun <= line - 2 {
        // The length is checked first, because parsing takes longer than finding the end.
        guard line - 2 - begun <= headBytes else {
          throw HTTPRefusal(
            .badRequest, "the head of a form's part has more than \(headBytes) bytes")
        }
        content = (end + 2, disposition(body[begun..<line - 2]))
      }
      line = end + 2
      if line - checked > pieceBytes {
        checked = line
        try check()
      }
    }
    return parts
  }

  /// Bytes that are searched between two checks.
  private static let pieceBytes = 1 << 20

  /// The position of the next CR LF.
  private static func lineEnd(
    in body: [UInt8], from start: Int, _ check: () throws -> Void
  ) throws -> Int? {
    var place = start
    while place < body.count {
      let piece = body[place..<min(body.count, place + pieceBytes)]
      guard let feed = piece.firstIndex(of: 0x0A) else {
        place = piece.endIndex
        try check()
        continue
      }
      if feed > start, body[feed - 1] == 0x0D { return feed - 1 }
      place = feed + 1
    }
    return nil
  }

  /// The content disposition in a part's headers.
  private static func disposition(_ head: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let colon = line.firstIndex(of: 0x3A),
        String(decoding: line[..<colon], as: UTF8.self).lowercasedASCII == "content-disposition"
      else { continue }
      return fields(of: String(decoding: line[(colon + 1)...], as: UTF8.self))
    }
    return []
  }

  /// Parses `form-data; name="photo"` into names in lower case and values without quotes.
  private static func fields(of text: String) -> [(name: String, value: String)] {
    text.split(separator: ";").map { field in
      let sides = field.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces }
      let value = sides.count == 2 ? sides[1] : ""
      let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
      return (
        name: (sides.first ?? "").lowercasedASCII,
        value: isQuoted ? String(value.dropFirst().dropLast()) : value
      )
    }
  }
}

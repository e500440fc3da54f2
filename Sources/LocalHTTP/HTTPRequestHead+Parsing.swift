extension HTTPRequestHead {
  /// Parses the bytes before the empty line, and rejects any ambiguity.
  ///
  /// - Parameter text: Lines that end in CR LF or LF, without the empty line.
  /// - Throws: ``HTTPRefusal`` with status 400, 431 or 505.
  ///
  /// > Source: RFC 9112, “HTTP/1.1,” sections 3 and 5.
  package init(parsing text: [UInt8]) throws(HTTPRefusal) {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      $0.last == 0x0D ? $0.dropLast() : $0
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard let first = lines.first else { throw HTTPRefusal(.badRequest, "the request is empty") }
    let parts = first.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isTokenByte),
      parts[1].allSatisfy({ (0x21...0x7E).contains($0) }),
      let (authority, pathAndQuery) = Self.originForm(of: parts[1])
    else { throw HTTPRefusal(.badRequest, "the first line is not 'METHOD /path HTTP/1.1'") }
    let version = Self.text(parts[2])
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw HTTPRefusal(.versionNotSupported, "expected HTTP/1.1")
    }
    guard lines.count <= 101 else {
      throw HTTPRefusal(.headersTooLarge, "more than 100 header lines")
    }
    var headers = try Self.headers(lines.dropFirst())
    // A host in the target replaces the header; RFC 9112, section 3.2.2.
    for host in [headers["host"], authority] where !ServedHosts.hasPlainPort(host ?? "") {
      throw HTTPRefusal(.badRequest, "the host's port is not a number")
    }
    if let authority { headers["host"] = authority }
    let target = pathAndQuery.split(
      separator: 0x3F, maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.decoded(target[0], plusIsSpace: false) else {
      throw HTTPRefusal(.badRequest, "the path is not percent-encoded UTF-8")
    }
    method = Self.text(parts[0])
    self.path = path
    query = try target.count == 2 ? Self.parameters(target[1]) : []
    self.headers = headers
    let connection = headers["connection"]?.lowercasedASCII ?? ""
    takesInterimAnswers = version == "HTTP/1.1"
    keepsAlive = version == "HTTP/1.1" && !connection.contains("close")
  }

  /// The host and the path of a target: `/path`, as sent by most clients, or `http://host/path`, as sent to proxies.
  private static func originForm(
    of target: ArraySlice<UInt8>
  ) -> (authority: String?, path: ArraySlice<UInt8>)? {
    if target.first == 0x2F { return (nil, target) }
    let scheme = "http://"
    guard text(target.prefix(scheme.utf8.count)).lowercasedASCII == scheme else { return nil }
    let rest = target.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
    let authority = rest[..<end]
    // User names and passwords are not allowed in a host.
    guard !authority.isEmpty, !authority.contains(0x40) else { return nil }
    return (text(authority), rest[end...].first == 0x2F ? rest[end...] : [0x2F] + rest[end...])
  }

  /// The framing of a body.
  package enum Body: Sendable, Equatable {
    /// A number of bytes; 0 for no body.
    case bytes(Int)
    /// Chunks, of which the last is empty; see ``ChunkedBody``.
    case chunks
  }

  /// The framing of the body.
  ///
  /// - Throws: ``HTTPRefusal`` with status 400 for an invalid length or ambiguous framing, 415 for a compressed body, and 501
  ///   for transfer codings other than chunks.
  package var body: Body {
    get throws(HTTPRefusal) {
      let end = try bodyEnd
      if end != .bytes(0), let coding = headers["content-encoding"],
        coding.lowercasedASCII != "identity"
      {
        throw HTTPRefusal(
          .unsupportedMediaType, "expected a body without Content-Encoding",
          header: .init("Accept-Encoding", "identity"))
      }
      return end
    }
  }

  private var bodyEnd: Body {
    get throws(HTTPRefusal) {
      if let coding = headers["transfer-encoding"] {
        guard headers["content-length"] == nil else {
          throw HTTPRefusal(.badRequest, "expected Content-Length or Transfer-Encoding, found both")
        }
        guard takesInterimAnswers else {
          throw HTTPRefusal(.badRequest, "HTTP/1.0 has no Transfer-Encoding")
        }
        // Other readers may interpret unusual characters as another coding.
        guard coding.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
          throw HTTPRefusal(.badRequest, "Transfer-Encoding is not a word")
        }
        guard coding.lowercasedASCII == "chunked" else {
          throw HTTPRefusal(
            .notImplemented, "expected the Transfer-Encoding 'chunked', found another one")
        }
        return .chunks
      }
      guard let text = headers["content-length"] else { return .bytes(0) }
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let length = Int(text)
      else { throw HTTPRefusal(.badRequest, "Content-Length is not a number") }
      return .bytes(length)
    }
  }

  private static func headers(
    _ lines: ArraySlice<ArraySlice<UInt8>>
  ) throws(HTTPRefusal) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
        line[..<colon].allSatisfy(isTokenByte),
        line[colon...].allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F })
      else { throw HTTPRefusal(.badRequest, "a header line is not 'Name: value'") }
      let name = text(line[..<colon]).lowercasedASCII
      let value = text(line[(colon + 1)...]).trimmingSpaces
      if let earlier = headers[name] {
        guard !["content-length", "host", "transfer-encoding", "origin"].contains(name) else {
          throw HTTPRefusal(.badRequest, "the header \(name) is repeated")
        }
        headers[name] = "\(earlier), \(value)"
      } else {
        headers[name] = value
      }
    }
    return headers
  }

  private static func parameters(_ text: ArraySlice<UInt8>) throws(HTTPRefusal) -> [Parameter] {
    var parameters: [Parameter] = []
    for pair in text.split(separator: 0x26) {
      let sides = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0], plusIsSpace: true),
        let value = sides.count == 2 ? decoded(sides[1], plusIsSpace: true) : ""
      else { throw HTTPRefusal(.badRequest, "a parameter is not percent-encoded UTF-8") }
      parameters.append(Parameter(name: name, value: value))
    }
    return parameters
  }

  /// Percent-decoded UTF-8 without control characters; `nil` for invalid text.
  private static func decoded(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      var byte = text[index]
      index += 1
      if byte == 0x25 {
        guard index + 2 <= text.endIndex,
          let high = Character(Unicode.Scalar(text[index])).hexDigitValue,
          let low = Character(Unicode.Scalar(text[index + 1])).hexDigitValue
        else { return nil }
        byte = UInt8(high << 4 | low)
        index += 2
      } else if byte == 0x2B, plusIsSpace {
        byte = 0x20
      }
      guard byte >= 0x20, byte != 0x7F else { return nil }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  /// Whether a byte may be part of a token; RFC 9110, section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension String {
  /// The text with only `A` to `Z` converted to lower case. `lowercased` would also convert the Kelvin sign to `k`.
  package var lowercasedASCII: String {
    String(
      decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The text without leading and trailing spaces and tabs.
  package var trimmingSpaces: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

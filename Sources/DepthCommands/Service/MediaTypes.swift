import LocalHTTP

/// The media types of a response, for content negotiation.
struct MediaTypes {
  /// The types that the server offers, in the order of its preference.
  let offered: [String]

  /// The offered type that an `Accept` header prefers. The header's quality values decide first,
  /// then the order of ``offered``.
  ///
  /// - Parameter accept: The header; a missing or empty header accepts any type.
  /// - Throws: `HTTPRefusal` with status 406.
  ///
  /// > Source: RFC 9110, “HTTP Semantics,” section 12.5.1.
  func best(for accept: String?) throws(HTTPRefusal) -> String {
    let listed = (accept ?? "").split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
    let ranges = (listed.isEmpty ? ["*/*"] : listed).map { Self.range(String($0)) }
    var best: (type: String, quality: Double)?
    for type in offered {
      // The most specific range decides, not the highest quality.
      let quality =
        ranges.filter { $0.matches(type) }.max { $0.exactness < $1.exactness }?.quality ?? 0
      if quality > best?.quality ?? 0 { best = (type, quality) }
    }
    guard let best else {
      throw HTTPRefusal(
        .notAcceptable, "expected Accept with \(offered.joined(separator: ", "))")
    }
    return best.type
  }

  private struct Range {
    let type: String
    let quality: Double

    var exactness: Int { type == "*/*" ? 0 : type.hasSuffix("/*") ? 1 : 2 }

    func matches(_ offer: String) -> Bool {
      type == "*/*" || type == offer
        || type.hasSuffix("/*") && offer.hasPrefix(type.dropLast())
    }
  }

  private static func range(_ text: String) -> Range {
    let parts = text.split(separator: ";").map { String($0).trimmingSpaces.lowercased() }
    let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
    return Range(type: parts.first ?? "", quality: quality ?? 1)
  }
}

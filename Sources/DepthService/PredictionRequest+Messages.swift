package import JSONLines

extension PredictionRequest {
  /// A message in the words of its reader: `--focal-length` of the command line is the key that was written, or the
  /// key `focal_length`. Texts of the request itself, such as the name of a file `--fov.jpg`, stay as they are.
  ///
  /// - Parameter members: Those of the request.
  package static func keyed(_ text: String, _ members: [JSONObjectLine.Member]) -> String {
    let option = /(^|[\s(])'?(?:-o|--([a-z][a-z-]*[a-z])(?: <[^<>]*>)?)'?(?=[\s,;:?)]|\.\s|\.?$)/
    let own = ownRanges(in: text, members)
    var named = ""
    var end = text.startIndex
    for match in text.matches(of: option) {
      let place = match.output.2.map { $0.startIndex..<$0.endIndex } ?? match.range
      let isOwn = own.contains {
        $0.lowerBound <= place.lowerBound && place.upperBound <= $0.upperBound
      }
      if isOwn { continue }
      let name = match.output.2.map(String.init) ?? "output"
      let written = members.map(\.key).first { $0.replacing("_", with: "-") == name }
      named += text[end..<match.range.lowerBound]
      named += "\(match.output.1)'\(written ?? name.replacing("-", with: "_"))'"
      end = match.range.upperBound
    }
    return named + text[end...]
  }

  /// Where a message repeats texts of the request.
  private static func ownRanges(
    in text: String, _ members: [JSONObjectLine.Member]
  ) -> [Range<String.Index>] {
    members.flatMap { member -> [Range<String.Index>] in
      guard case .string(let value) = member.value, value.contains(/--|-o/) else { return [] }
      // The parser's message has one space for several.
      let spaced = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return Set([value, spaced]).flatMap { text.ranges(of: $0) }.filter { range in
        // A text that could be an option is one, unless it stands where files and values do: before a colon, or alone
        // between quotes.
        value.wholeMatch(of: /-o|--[a-z-]+/) == nil || text[range.upperBound...].hasPrefix(":")
          || text[..<range.lowerBound].hasSuffix("'") && text[range.upperBound...].hasPrefix("'")
      }
    }
  }
}

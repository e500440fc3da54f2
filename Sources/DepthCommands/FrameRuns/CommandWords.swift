/// The words of a command line as a shell would split them, without anything else that a shell does.
///
/// Spaces separate words. Between single quotes every character counts as itself, between double quotes every one
/// but `\` before `"` or `\`; outside of quotes `\` makes the next character count as itself.
///
/// - Returns: `nil` where a quote or the character after a `\` is missing.
func commandWords(_ command: String) -> [String]? {
  var words: [String] = []
  var word: String?
  /// The quote that is open.
  var quote: Character?
  var rest = command[...]
  while let character = rest.popFirst() {
    if character == "\\", quote != "'" {
      // Between double quotes only these two are escaped.
      if quote == nil || rest.first == "\"" || rest.first == "\\" {
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      } else {
        word = (word ?? "") + "\\"
      }
    } else if character == quote {
      quote = nil
    } else if quote == nil, character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if quote == nil, character.isWhitespace {
      if let word { words.append(word) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  guard quote == nil else { return nil }
  return words + (word.map { [$0] } ?? [])
}

import ArgumentParser

/// Checks of arguments before they are parsed, for words that are probably mistakes.
enum ArgumentNames {
  /// The letters of all single-letter options.
  private static let letters: Set<Character> = ["h", "o", "0"]

  /// - Throws: A validation error for an empty argument, which is usually an unset shell variable. As a path, an empty
  ///   argument would mean the current folder or the whole disk. Also for a file name after a hyphen, in which the parser
  ///   could take a letter h as a request for help.
  static func check(_ arguments: some Collection<String>) throws {
    var isOption = true
    var last: String?
    for argument in arguments {
      defer { last = argument }
      guard !argument.isEmpty else {
        throw ValidationError(
          "an argument is empty\(last.map { " (after '\($0)')" } ?? ""), expected a name or a value; "
            + "is a variable unset?")
      }
      if argument == "--" { isOption = false }
      guard isOption, argument.hasPrefix("-"), argument.count > 1 else { continue }
      if argument.hasSuffix("="), argument.firstIndex(of: "=") == argument.indices.last {
        throw ValidationError(
          "\(argument.dropLast()) is empty, expected a value; is a variable unset?")
      }
      try checkLetters(argument)
    }
  }

  /// Joins each negative number to the preceding option (`--shift=-1%`). The parser would treat the number as an option.
  static func joiningNumbers(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var isOption = true
    for argument in arguments {
      if argument == "--" { isOption = false }
      if isOption, let option = result.last, option.hasPrefix("--"), option.count > 2,
        !option.contains("="), argument.hasPrefix("-"),
        let first = argument.dropFirst().first, isOfNumber(first),
        !argument.dropFirst().allSatisfy(letters.contains)
      {
        result[result.count - 1] += "=" + argument
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// Appends the expected format to the parser's message about a malformed number.
  static func expectingNumber(in message: String) -> String {
    guard
      let found = message.firstMatch(
        of: /The value '(?<value>[^\n]*)' is invalid for '[^'\n]*?(?<time><time>)?'(?=\n|$)/)
    else { return message }
    let start = found.value.prefix { isOfNumber($0) || $0 == "-" }
    let expected =
      if found.time != nil {
        Seconds.expected
      } else if Double(found.value) != nil {
        "a whole number"
      } else if Double(start) != nil {
        "a plain number, such as \(start)"
      } else {
        "a number"
      }
    return message.replacing(
      message[found.range], with: "\(message[found.range]): expected \(expected)",
      maxReplacements: 1)
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isNumber || ".,%".contains(character)
  }

  private static func checkLetters(_ argument: String) throws {
    let letters = argument.dropFirst()
    guard let first = letters.first, first != "-" else { return }
    // Combined options such as `-0o` have no h, since help is requested alone.
    let isHelp = letters.count > 1 && letters.contains("h")
    if !isHelp, letters.allSatisfy(Self.letters.contains) { return }
    // Negative numbers are values, also with a unit or a second number: -5, -.5, -0.5m, -1mm, -0,1. No unit contains an h.
    if isOfNumber(first) {
      let unit = letters.drop(while: isOfNumber)
      if unit.count <= 2, !unit.contains("h") { return }
    }
    // `-o=d.png` is an option and its value.
    if Self.letters.contains(first), letters.dropFirst().first == "=" { return }
    throw ValidationError(
      "'\(argument)' is not an option; a file of that name is './\(argument)', or follows '--'")
  }
}

import ArgumentParser
import DepthOptions
import PhotoRuns

/// What no command line can mean, found before it is parsed.
enum ArgumentNames {
  /// Letters of options that have one.
  private static let letters: Set<Character> = ["h", "o", "0"]

  /// - Parameter arguments: The command line without the program's name.
  /// - Throws: A validation error for an empty argument, which is most often an unset variable of a shell: as a path
  ///   it would mean the current folder or the whole disk. Likewise for a file name in place of options: the letter h
  ///   somewhere in it would ask for help.
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
      if isOption { try checkNumber(argument, after: last) }
      guard isOption, argument.hasPrefix("-"), argument.count > 1 else { continue }
      if argument.hasSuffix("="), argument.firstIndex(of: "=") == argument.indices.last {
        throw ValidationError(
          "\(argument.dropLast()) is empty, expected a value; is a variable unset?")
      }
      try checkLetters(argument)
    }
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isNumber || ".,%".contains(character)
  }

  /// Options whose value is a name, which may look like any number.
  private static let names: Set = [
    "-o", "--output", "--output-dir", "--view", "--depth", "--depth-photo", "--weights",
    "--manifest", "--files-from", "--calibration", "--exec", "--token",
  ]

  /// Options whose value is a size: 0x2 is one of zero columns.
  private static let sizes: Set = ["--resolution", "--size", "--quilt"]

  /// - Throws: A validation error for a hexadecimal number as an option's value: it is read nowhere in documentation,
  ///   and most often a slip of the fingers.
  private static func checkNumber(_ argument: String, after last: String?) throws {
    let (option, value): (String, Substring)
    if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
      (option, value) = (String(argument[..<equals]), argument[argument.index(after: equals)...])
    } else if let last, last.hasPrefix("-"), !last.contains("=") {
      (option, value) = (last, argument[...])
    } else {
      return
    }
    let digits = value.drop { $0 == "-" || $0 == "+" }
    guard !names.contains(option), !sizes.contains(option), digits.lowercased().hasPrefix("0x"),
      digits.dropFirst(2).first?.isHexDigit == true, !digits.dropFirst(2).contains("x"),
      !hasExtension(digits)
    else { return }
    throw ValidationError("\(option) is \(value), expected a decimal number")
  }

  /// Whether a word is the name of a file, such as 0xabc.jpg after a flag, and not a number such as 0x1.8p3.
  private static func hasExtension(_ word: Substring) -> Bool {
    guard Double(word) == nil, let dot = word.lastIndex(of: ".") else { return false }
    let ending = word[word.index(after: dot)...]
    return ending.count > 2 && ending.allSatisfy(\.isLetter)
  }

  private static func checkLetters(_ argument: String) throws {
    let letters = argument.dropFirst()
    guard let first = letters.first, first != "-" else { return }
    // Options together, `-0o`; help is asked for alone.
    let isHelp = letters.count > 1 && letters.contains("h")
    if !isHelp, letters.allSatisfy(Self.letters.contains) { return }
    // Numbers below zero are values, also with a unit or a second number: -5, -.5, -0.5m, -1mm, -0,1. Units have no h.
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

/// `--view` without a name.
///
/// The parser has options with a value and flags, but no option whose value may be omitted. The command line is therefore
/// completed before it is parsed.
package enum BareView {
  /// The hidden flag that `--view` without a name becomes.
  package static let flag = "view-beside-photo"

  /// The arguments of a command, with ``flag`` in place of each `--view` that is last or before another option.
  package static func completed(_ arguments: [String]) -> [String] {
    let options = arguments.prefix { $0 != "--" }
    return arguments.indices.map { index in
      guard index < options.count, arguments[index] == "--view" else { return arguments[index] }
      let isBare =
        index + 1 == arguments.count
        || (arguments[index + 1].hasPrefix("-") && arguments[index + 1] != "-")
      return isBare ? "--\(flag)" : arguments[index]
    }
  }
}

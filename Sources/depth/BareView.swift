import DepthOptions

/// `--view` without a name.
///
/// The parser has options with a value and flags, but no option whose value may be omitted. The command line is therefore
/// completed before it is parsed.
enum BareView {
  /// The arguments of a command, with ``DepthViewOptions/bareFlag`` in place of each `--view` that is last or before another option.
  static func completed(_ arguments: [String]) -> [String] {
    let options = arguments.prefix { $0 != "--" }
    return arguments.indices.map { index in
      guard index < options.count, arguments[index] == "--view" else { return arguments[index] }
      let isBare =
        index + 1 == arguments.count
        || (arguments[index + 1].hasPrefix("-") && arguments[index + 1] != "-")
      return isBare ? "--\(DepthViewOptions.bareFlag)" : arguments[index]
    }
  }
}

/// An error in a command line that was parsed.
struct WrongUsage: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension InvalidRequest {
  /// The message with options in place of fields.
  var usage: String { text { "--" + dashed($0) }.escapingControls }
}

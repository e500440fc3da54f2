import ArgumentParser

/// The path of a file that accompanies a depth file: a given path, or a name derived from the depth file's name.
enum CompanionFile: ExpressibleByArgument, CustomStringConvertible {
  /// A file, or a folder.
  case path(String)
  /// A file beside the depth file, with a derived name.
  case besideDepthFile(ending: String)

  init(argument: String) { self = .path(argument) }

  /// The help text for the option without a name.
  var description: String { path ?? "PHOTO_depth\(ending)" }

  var path: String? { if case .path(let path) = self { path } else { nil } }
  private var ending: String { if case .besideDepthFile(let ending) = self { ending } else { "" } }
}

import ArgumentParser

/// The place of a file that is made beside the depth file of a photo, or has a name of its own.
enum CompanionFile: ExpressibleByArgument, CustomStringConvertible {
  /// A file, or a folder.
  case path(String)
  /// Named after the depth file.
  case besideDepthFile(ending: String)

  init(argument: String) { self = .path(argument) }

  /// Text of help for the option without a name.
  var description: String { path ?? "PHOTO_depth\(ending)" }

  /// The file or folder that was named.
  var path: String? { if case .path(let path) = self { path } else { nil } }
  private var ending: String { if case .besideDepthFile(let ending) = self { ending } else { "" } }
}

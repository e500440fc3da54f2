import NeuralEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Finds weights by name or path.
public enum WeightsLocation {
  /// File names of the named weights.
  static let files = [
    "default": "fcrn18-nyu-int8.h5",
    "compact": "fcrn18-nyu-int8.h5",
  ]

  /// The file of the weights called `name`.
  ///
  /// - Parameter name: `default` (what `DEPTH_WEIGHTS` names, if it is set), `compact`, or the path of a
  ///   file. Named weights are looked for in a folder `Weights` beside the executable, in
  ///   `../share/swift-depth/Weights`, in every folder above the executable, and in the package that
  ///   this source file belongs to.
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when named weights are nowhere.
  public static func url(named name: String) throws -> URL {
    let environment = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"]
    if name == "default", let environment, !environment.isEmpty, files[environment] == nil {
      return URL(filePath: environment)
    }
    let wanted = name == "default" ? environment.flatMap { files[$0] } : nil
    guard let file = wanted ?? files[name] else { return URL(filePath: name) }
    let candidates = folders.map { $0.appending(path: file) }
    let manager = FileManager.default
    if let found = candidates.first(where: {
      manager.fileExists(atPath: $0.path(percentEncoded: false))
    }) {
      return found
    }
    throw WeightsError.unreadable(
      file: file,
      reason: "the weights '\(name)' are in no folder Weights near the program; "
        + "name a file with --weights or DEPTH_WEIGHTS")
  }

  /// Folders that may hold named weights, nearest first.
  private static var folders: [URL] {
    var folders: [URL] = []
    let executable = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    #if os(Linux)
      let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let binary = executable
    #endif
    for program in binary == executable ? [binary] : [binary, executable] {
      var folder = program.deletingLastPathComponent()
      folders.append(folder.appending(path: "../share/swift-depth/Weights"))
      while folder.pathComponents.count > 1 {
        folders.append(folder.appending(path: "Weights"))
        folder = folder.deletingLastPathComponent()
      }
    }
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
    folders.append(sources.appending(path: "../../Weights").standardizedFileURL)
    return folders
  }
}

import NeuralEngine
import DepthWeights

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Finds weights by name or path.
public enum WeightsLocation {
  /// The file of the weights called `name`.
  ///
  /// Named weights are looked for where nobody but who installed the program can put them: in the
  /// resource folder `swift-depth_DepthWeights.resources` and in the folder `Weights`, both beside the
  /// executable (its symbolic links resolved), then in `../share/swift-depth/Weights`.
  ///
  /// - Parameter name: `default` (what `DEPTH_WEIGHTS` names, if it is set), `compact`, or the path of a
  ///   file.
  /// - Throws: ``WeightsError/unreadable(file:reason:)`` when named weights are in none of the folders,
  ///   and when `DEPTH_WEIGHTS` names a file that does not exist.
  public static func url(named name: String) throws -> URL {
    try url(
      named: name, environment: ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"],
      folders: folders(besideExecutable: executable))
  }

  /// Whether the file of `name` is what the environment's `DEPTH_WEIGHTS` says.
  package static func isFromEnvironment(_ name: String) -> Bool {
    guard name == "default" else { return false }
    return ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"].map { !$0.isEmpty } ?? false
  }

  /// ``url(named:)`` with the value of `DEPTH_WEIGHTS` and the folders to look in, nearest first.
  static func url(named name: String, environment: String?, folders: [URL]) throws -> URL {
    var wanted = name
    if name == "default", let environment, !environment.isEmpty {
      guard DepthWeights.files[environment] != nil else {
        guard exists(URL(filePath: environment)) else {
          throw WeightsError.unreadable(
            file: "DEPTH_WEIGHTS=\(environment)",
            reason: "no such file, expected an HDF5 file, 'default' or 'compact'")
        }
        return URL(filePath: environment)
      }
      wanted = environment
    }
    guard let file = DepthWeights.files[wanted] else { return URL(filePath: name) }
    if let found = folders.lazy.map({ $0.appending(path: file) }).first(where: exists) {
      return found
    }
    let places = folders.map { $0.path(percentEncoded: false) }.joined(separator: ", ")
    throw WeightsError.unreadable(
      file: file,
      reason: "the weights '\(name)' are not installed, looked in \(places); "
        + "name a file with --weights or DEPTH_WEIGHTS")
  }

  /// Where the weights of a program may lie. Never the folders above it: anybody may write to some of
  /// them.
  static func folders(besideExecutable executable: URL) -> [URL] {
    let folder = executable.deletingLastPathComponent()
    return [
      folder.appending(path: DepthWeights.resourceFolder), folder.appending(path: "Weights"),
      folder.deletingLastPathComponent().appending(path: "share/swift-depth/Weights"),
    ]
  }

  /// The running program's file, without symbolic links.
  private static var executable: URL {
    #if os(Linux)
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    #endif
  }

  private static func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
  }
}

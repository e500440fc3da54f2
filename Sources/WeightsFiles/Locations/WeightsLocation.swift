import DepthBase
import DepthErrors
package import SystemEssentials

/// Locates weights by name or path.
package enum WeightsLocation {
  /// Whether the environment variable `DEPTH_WEIGHTS` replaces one of `names`.
  package static func isFromEnvironment(_ names: [String]) -> Bool {
    guard names.contains("default") else { return false }
    return ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"].map { !$0.isEmpty } ?? false
  }

  /// The files of several names, which form one ensemble.
  ///
  /// - Parameters:
  ///   - names: Each is `default`, `compact`, the name of a published network, or the path of a file.
  ///   - environment: The value of `DEPTH_WEIGHTS`.
  ///   - folders: The folders to search, nearest first.
  /// - Throws: `DepthError` with code `missingWeights` or `unreadable`.
  package static func files(
    named names: [String],
    environment: String? = ProcessInfo.processInfo.environment["DEPTH_WEIGHTS"],
    folders: [URL] = Self.folders(besideExecutable: Self.executable),
    userFolder: URL? = Self.userFolder()
  ) throws -> [URL] {
    try names.flatMap { name -> [URL] in
      if name == "default", let environment, !environment.isEmpty {
        let parts = environment.split(separator: ":", omittingEmptySubsequences: false)
        let files = try parts.map {
          try file(
            $0.isEmpty ? environment : String($0), fromEnvironment: true, folders, userFolder)
        }
        guard OpenedWeights.counts.contains(files.count) else {
          throw DepthError(
            .invalidArgument, file: "DEPTH_WEIGHTS",
            "names \(files.count) weights, expected at most \(OpenedWeights.counts.upperBound)")
        }
        return files
      }
      return [try file(name, fromEnvironment: false, folders, userFolder)]
    }
  }

  /// The file of a single name.
  private static func file(
    _ name: String, fromEnvironment: Bool, _ folders: [URL], _ userFolder: URL?
  ) throws -> URL {
    guard PackagedWeights.names.contains(name) else {
      if let file = try fetched(name, folders, userFolder) { return file }
      guard !fromEnvironment || exists(URL(filePath: name)) else {
        throw DepthError(
          .unreadable, file: "DEPTH_WEIGHTS=\(name)",
          "no such file, expected files, 'default' or names of published networks, separated by ':'",
          cause: SettingAtFault.weightsName)
      }
      // A name without a slash or dot is unlikely to be a file name.
      guard exists(URL(filePath: name)) || name.contains(where: { $0 == "/" || $0 == "." }) else {
        throw DepthError(
          .unreadable, file: name,
          "no such weights, expected 'default', the name of a published network or a file",
          cause: SettingAtFault.weightsName)
      }
      return URL(filePath: name)
    }
    let file = PackagedWeights.file
    if let found = folders.lazy.map({ $0.appending(path: file) }).first(where: exists) {
      return found
    }
    let places = folders.map { $0.path(percentEncoded: false) }.joined(separator: ", ")
    throw DepthError(
      .missingWeights, file: file,
      "the weights '\(name == "compact" ? "default" : name)' are not installed, looked in \(places); "
        + "put the folder beside the program, or name a file, for example in DEPTH_WEIGHTS")
  }

  /// The file of a published network; `nil` for other names.
  ///
  /// - Throws: `DepthError` with code `missingWeights`.
  private static func fetched(_ name: String, _ folders: [URL], _ userFolder: URL?) throws -> URL? {
    guard let network = PublishedNetwork.named(name), !exists(URL(filePath: name)) else {
      return nil
    }
    var doubt = userFolder.flatMap(distrust)
    let trusted = folders + (doubt == nil ? [userFolder].compactMap(\.self) : [])
    for folder in trusted {
      let found = folder.appending(path: network.file)
      guard exists(found) else { continue }
      guard folder == userFolder, let reason = distrust(of: found) else { return found }
      doubt = reason
    }
    let place = userFolder.map { " in \($0.path(percentEncoded: false))" } ?? ""
    throw DepthError(
      .missingWeights, file: name,
      "these weights are not installed, expected \(network.file)\(place)"
        + (doubt.map { "; \($0)" } ?? ""), cause: SettingAtFault.weightsToFetch(name))
  }

  /// The folder of fetched weights; `nil` without a home folder.
  ///
  /// The folder is `DEPTH_WEIGHTS_FOLDER`, or `swift-depth` in the user's data folder by the XDG Base Directory
  /// Specification.
  package static func userFolder(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL? {
    if let folder = environment["DEPTH_WEIGHTS_FOLDER"], !folder.isEmpty {
      return URL(filePath: folder)
    }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(filePath: data).appending(path: "swift-depth")
    }
    return environment["HOME"].flatMap { home in
      home.hasPrefix("/") ? URL(filePath: home).appending(path: ".local/share/swift-depth") : nil
    }
  }

  /// The reason why a file or folder that other users can write to is not trusted; `nil` if the path is safe or missing.
  package static func distrust(of url: URL) -> String? {
    guard InputFile.canBeWrittenByOthers(url) else { return nil }
    return "\(url.path(percentEncoded: false)): not used, as other users may write to it"
  }

  /// The folders that may contain a program's weights. Folders above the program are excluded, because other users may be
  /// able to write to these folders.
  package static func folders(besideExecutable executable: URL) -> [URL] {
    let folder = executable.deletingLastPathComponent()
    return [
      folder.appending(path: PackagedWeights.resourceFolder), folder.appending(path: "Weights"),
      folder.deletingLastPathComponent().appending(path: "share/swift-depth/Weights"),
    ]
  }

  /// The path of the running program, with symbolic links resolved.
  package static var executable: URL {
    #if os(Linux)
      URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #elseif canImport(Darwin)
      // The first argument is the text that the user typed, often without a folder.
      (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments.first ?? ""))
        .resolvingSymlinksInPath()
    #else
      URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    #endif
  }

  private static func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
  }
}

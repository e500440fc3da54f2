import DepthBase
import DepthErrors
import FilmFiles
import SystemEssentials

/// A film with the path of its new film.
struct FilmOutput {
  /// The path as the user named it.
  let input: String
  let output: URL
}

/// The named films.
struct FilmSelection {
  /// A film, or a folder of films.
  let input: String
  /// A film or a folder; `nil` for the input's folder.
  let output: String?
  /// The suffix of film names in folders.
  let suffix: String
  let otherInputs: [String]
  let overwrite: Bool

  /// The films with the paths of the new films.
  ///
  /// Creates the folder of the new films, unless a new film is named directly.
  ///
  /// - Parameter madeFolders: Records the folders that the run creates.
  /// - Throws: ``OutputConflict`` for two films with one path, or a film that would replace an input; ``WrongUsage``;
  ///   `DepthError`.
  func films(making madeFolders: MadeFolders) throws -> [FilmOutput] {
    let films = try placedFilms()
    var plan = OutputPlan(inputs: films.map(\.input) + otherInputs, overwrite: overwrite)
    plan.outputs = films.map { OutputPlan.Output(file: $0.output, photo: $0.input) }
    try plan.checkIdentities()
    if isIntoFolder {
      for folder in Set(films.map { $0.output.deletingLastPathComponent() }) {
        try madeFolders.make(folder)
      }
    } else {
      for film in films { try AtomicFile.check(film.output, overwrite: true) }
    }
    return films
  }

  private var inputURL: URL { URL(filePath: input) }

  /// Whether the films are named automatically, in a folder.
  private var isIntoFolder: Bool {
    guard let output else { return true }
    return output.hasSuffix("/") || FolderListing.Identity(of: inputURL) != nil
      || FolderListing.Identity(of: URL(filePath: output)) != nil
  }

  private func placedFilms() throws -> [FilmOutput] {
    let target = output.map { URL(filePath: $0) }
    guard FolderListing.Identity(of: inputURL) != nil else {
      if let target, !isIntoFolder {
        do { _ = try FilmContainer(target) } catch { throw WrongUsage("\(error)") }
        return [FilmOutput(input: input, output: target)]
      }
      return [named(inputURL, in: target ?? inputURL.deletingLastPathComponent())]
    }
    if let output, let target, !output.hasSuffix("/"), FolderListing.Identity(of: target) == nil,
      !target.pathExtension.isEmpty
    {
      throw WrongUsage(
        "\(output) is the name of a film, expected a folder like the input".escapingControls)
    }
    let folder = target ?? inputURL
    let names = try filmNames(
      withResults: FolderListing.Identity(of: folder) == FolderListing.Identity(of: inputURL))
    guard !names.isEmpty else { throw DepthError.unreadable(file: input, reason: "holds no film") }
    return names.map { named(inputURL.appending(path: $0), in: folder) }
  }

  /// Names of the films in the input folder.
  ///
  /// - Parameter withResults: Whether the new films are in the same folder. Results of earlier runs are then left
  ///   out.
  private func filmNames(withResults: Bool) throws -> [String] {
    let names = try FolderListing(of: inputURL).files.filter {
      FilmContainer.inputs.contains(URL(filePath: $0).pathExtension.lowercased())
        // Only UTF-8 names can be passed to ffmpeg.
        && !$0.hasPrefix(".") && $0.isUTF8Name
    }
    guard withResults else { return names }
    let stems = Set(names.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    return names.filter { name in
      let stem = URL(filePath: name).deletingPathExtension().lastPathComponent
      return !stem.hasSuffix(suffix)
        || !stems.contains(String(stem.dropLast(suffix.count)))
    }
  }

  /// The film, with a path derived from its name and the kind of pictures.
  private func named(_ film: URL, in folder: URL) -> FilmOutput {
    let stem = film.deletingPathExtension().lastPathComponent
    return FilmOutput(
      input: film.relativePath,
      output: folder.appending(
        path: "\(stem)\(suffix).\(FilmContainer.ending(for: film))"))
  }
}

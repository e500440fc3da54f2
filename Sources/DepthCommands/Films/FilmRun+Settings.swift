import DepthImages

extension FilmRun {
  /// Settings of all films of a command.
  struct Settings: Sendable {
    let recipe: FilmRecipe
    // These change no byte of a film.
    var overwrite, isQuiet: Bool
    /// Whether a film that exists is replaced, although stopped ones go on.
    var replacesOutdated = false
    /// Those of the encoder, which change its bits, are in the record of a film.
    var threads: Int
    var limits: ImageLimits
  }
}

import ArgumentParser
import StereoPhotos

extension FilmPictureOptions {
  /// Refuses options of pictures that are not made.
  ///
  /// - Throws: A validation error.
  func checkEffectOptions() throws {
    let users: [(given: [String], effects: String, isUsed: Bool)] = [
      (lens.given, "blur", effect == .blur),
      (
        shape.given, "mask, spotlight, highlight and blur --style mask",
        effect != nil && effect != .haze
      ),
      (haze.given, "haze", effect == .haze),
    ]
    for user in users where !user.isUsed {
      guard let option = user.given.first else { continue }
      throw ValidationError("\(option) is for --effect \(user.effects), found \(made)")
    }
    if effect == .blur { try lens.check(shape) }
  }

  /// Refuses options of two views where the film has one.
  ///
  /// - Throws: A validation error.
  func check(_ parallax: ParallaxOptions) throws {
    guard stereo == nil, let option = parallax.given.first else { return }
    throw ValidationError("\(option) is for --stereo, found \(made)")
  }

  /// What is made, as the command line has it.
  private var made: String {
    if let stereo { return "--stereo \(stereo.format.name)" }
    return effect.map { "--effect \($0.rawValue)" } ?? "--depth"
  }
}

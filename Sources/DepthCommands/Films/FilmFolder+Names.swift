import DepthBase

/// The names of the folder and of its files.
extension FilmFolder {
  /// The folder's name. In a name that is too long, a checksum of the whole name replaces the end of the film's
  /// name.
  ///
  /// - Parameter longest: Maximum bytes of a name.
  static func name(for film: String, upTo longest: Int) -> String {
    let whole = ".\(film).depth"
    guard whole.utf8.count > longest else { return whole }
    let end = "-\(String(CRC32.checksum(Array(film.utf8)[...]), radix: 16)).depth"
    var start = "." + film
    while !start.isEmpty, start.utf8.count + end.utf8.count > longest { start.removeLast() }
    return start + end
  }

  static let recordName = "film.json"
  /// The name of the finished film before it is moved to its path, and the names of trial files.
  static let (whole, trialPictures, trialFilm) = ("whole.part", "trial.video", "trial.film")

  /// Whether runs create a file with this name in the folder.
  static func isOwn(_ name: String) -> Bool {
    if [recordName, whole, trialPictures, trialFilm].contains(name) || PartFile.isPartFile(name) {
      return true
    }
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    if name.hasPrefix("memory-"), name.hasSuffix(".plist") {
      return isNumber(name.dropFirst(7).dropLast(6))
    }
    let number = name.prefix { $0 != "." && $0 != "-" }
    guard isNumber(number) else { return false }
    let rest = name[number.endIndex...]
    if rest.hasPrefix("-"), rest.hasSuffix(".part") {
      return isNumber(rest.dropFirst().dropLast(5))
    }
    return rest == ".video" || rest == ".video.ffconcat"
      || rest.hasPrefix(".video.cover") && isNumber(rest.dropFirst(12))
  }
}

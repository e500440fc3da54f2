import StereoPhotos

/// The name of a stereo format.
struct StereoFormatWord: RequestWord {
  static var expected: String { StereoFormat.all.map(\.name).joined(separator: ", ") }
  let word: String
  let format: StereoFormat

  init(_ format: StereoFormat) { (word, self.format) = (format.name, format) }

  init?(word: String) {
    guard let format = StereoFormat(name: word) else { return nil }
    (self.word, self.format) = (word, format)
  }
}

/// The name of a stereo format that shows its views in one picture, as films require.
struct FilmFormatWord: RequestWord {
  static var expected: String {
    StereoFormat.all.filter(\.isOnePicture).map(\.name).joined(separator: ", ")
  }
  let word: String
  let format: StereoFormat

  init?(word: String) {
    guard let format = StereoFormat(name: word), format.isOnePicture else { return nil }
    (self.word, self.format) = (word, format)
  }
}

import DepthImages

/// A size on the command line, such as `304x228`.
extension PixelSize: ArgumentWord {
  static let expected = "width and height such as 640x480"

  init?(word: String) { self.init(word) }
}
